import type { Identification } from '../../../plugin-api/index.ts';
import { fold, keyFrom, part } from './key-parts.ts';
import type { SplitPath } from './split-path.ts';

/**
 * An episode, with its versions and parts anywhere in the library: the same numbers, or the same
 * day, of one series. A file without either, and an extra that does not name its episode, is an item
 * of its own.
 */
export function episodeKey({ path }: SplitPath, identification: Identification | null): string {
  if (identification === null) return keyFrom('file', path);
  const { metadata, classification = 'primary' } = identification;
  const series = metadata['series'];
  const numbers = numbersOf(metadata);
  const isNamed = typeof series === 'string' && series !== '' && numbers !== '';
  if (!isNamed || (classification !== 'primary' && metadata['episode'] === undefined)) {
    return keyFrom('file', path);
  }
  return keyFrom('episode', fold(series), part(metadata, 'year'), numbers);
}

function numbersOf(metadata: Readonly<Record<string, unknown>>): string {
  const episodes = list(metadata['episodes'], metadata['episode']);
  if (episodes !== '') return `s${part(metadata, 'season')}e${episodes}`;
  const airDate = metadata['airDate'];
  if (typeof airDate === 'string') return `d${airDate}`;
  const absolutes = list(metadata['absoluteEpisodes'], metadata['absoluteEpisode']);
  return absolutes === '' ? '' : `a${absolutes}`;
}

function list(several: unknown, one: unknown): string {
  if (Array.isArray(several) && several.length > 0) return several.map(String).join('+');
  return typeof one === 'number' ? String(one) : '';
}
