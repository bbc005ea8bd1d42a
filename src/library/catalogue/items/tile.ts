/** A tile: the little of an item that a grid shows, ready to show. */
import type { itemShapes } from '../../../contract/resources/library/catalogue.ts';
import { type Item, type Tile } from '../../../contract/resources/library/catalogue.ts';

/** A tile with the library of its item, where a list is of several libraries. */
export type PlacedTile = Tile & Pick<Item, 'libraryId' | 'libraryName'>;

export type ItemShape = (typeof itemShapes)[number];

type Fields = Readonly<Record<string, unknown>>;

export type TileWords = Pick<Tile, 'type' | 'title' | 'subtitle'>;

const kinds: Readonly<Record<string, string>> = {
  movies: 'film',
  tv: 'episode',
  music: 'track',
  audiobooks: 'audiobook',
  books: 'book',
  photos: 'photo',
};

/**
 * What a tile calls an item of a library of this type. `show` is the name of its show in the language
 * of the viewer, where that is another one.
 */
export function tileWords(
  title: string,
  fields: Fields,
  libraryType: string,
  show?: string,
): TileWords {
  const type = Object.hasOwn(kinds, libraryType) ? (kinds[libraryType] ?? '') : libraryType;
  switch (type) {
    case 'episode':
      return { type, ...episodeWords(title, fields, show) };
    case 'track':
      return { type, title, subtitle: firstName(fields, ['artist', 'artists', 'albumArtist']) };
    case 'audiobook':
    case 'book':
      return { type, title, subtitle: firstName(fields, ['author', 'authors', 'series']) };
    default:
      return { type, title, subtitle: textOf(fields['edition']) };
  }
}

function episodeWords(
  title: string,
  fields: Fields,
  show?: string,
): Pick<Tile, 'title' | 'subtitle'> {
  const series = textOf(fields['series']);
  const number = episodeNumber(fields);
  if (series === null) return { title, subtitle: number };
  const own = title.toLowerCase().startsWith(series.toLowerCase())
    ? title.slice(series.length).trim()
    : title;
  const isLabel = own === '' || (own !== title && label.test(own));
  const subtitle = [number, isLabel ? null : title].filter((part) => part !== null).join(' · ');
  return { title: show ?? series, subtitle: subtitle === '' ? null : subtitle };
}

/** What stands for the title of an episode without one: `S02E03`, `E12`, a date. */
const label = /^(?:S\d+)? ?(?:E\d+[-E\d.]*)?$|^\d{4}-\d\d-\d\d$|^\d+$/i;

function episodeNumber(fields: Fields): string | null {
  const { season, episode, episodes, absoluteEpisode, airDate } = fields;
  const first = [episode, absoluteEpisode].find(isNumber);
  const last = Array.isArray(episodes) ? episodes.findLast(isNumber) : undefined;
  const range = last === undefined || last === first ? '' : `-${last}`;
  const parts = [
    isNumber(season) && isNumber(episode) ? `S${season}` : '',
    first === undefined ? '' : `E${first}${range}`,
  ].filter((part) => part !== '');
  if (parts.length > 0) return parts.join(' ');
  return textOf(airDate) ?? (isNumber(season) ? `S${season}` : null);
}

function firstName(fields: Fields, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = fields[key];
    const names = Array.isArray(value) ? value.slice(0, 3).map(textOf) : [textOf(value)];
    const known = names.filter((name) => name !== null);
    if (known.length > 0) return known.join(', ');
  }
  return null;
}

const longest = 200;

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, longest) : null;

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** How much of an item was played, in thousandths. */
export function progressOf({
  position,
  duration,
}: {
  readonly position: number | null;
  readonly duration: number | null;
}): number {
  if (position === null || duration === null || duration <= 0) return 0;
  return Math.round(Math.min(1, Math.max(0, position / duration)) * 1000) / 1000;
}
