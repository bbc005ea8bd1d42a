import type { Identification } from '../../../plugin-api/index.ts';
import { fold, keyFrom, part } from './key-parts.ts';
import type { SplitPath } from './split-path.ts';

const numbered = ['bookSeries', 'volume', 'chapter', 'year'] as const;

/** A book or an issue, in all its formats: one title, volume and chapter in one folder. */
export function bookKey(path: SplitPath, identification: Identification | null): string {
  const folder = path.folders.join('/');
  if (identification === null) return keyFrom('book', folder, fold(path.stem));
  const { title, metadata } = identification;
  return keyFrom('book', folder, fold(title), ...numbered.map((name) => part(metadata, name)));
}
