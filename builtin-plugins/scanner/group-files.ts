/**
 * Which files are one item. A key is made only from one file's path and identification, so it is the
 * same in any batch or scan; files with equal keys are one item. A key that is too narrow shows a
 * film twice, and the admin merges it; one that is too wide hides a film behind another. So in doubt
 * the key is narrow.
 */
import type { GroupInput, GroupResult, Handler, Identification } from '../../plugin-api/index.ts';
import { bookKey } from './keys/book-key.ts';
import { audiobookKey } from './keys/audiobook-key.ts';
import { episodeKey } from './keys/episode-key.ts';
import { filmKey } from './keys/film-key.ts';
import { photoKey } from './keys/photo-key.ts';
import { splitPath, type SplitPath } from './keys/split-path.ts';

type KeyOf = (path: SplitPath, identification: Identification | null) => string;

/** A track or anything else: each file is an item. */
const fileKey: KeyOf = ({ path }) => `file|${path}`;

const byType: ReadonlyMap<string, KeyOf> = new Map([
  ['movies', filmKey],
  ['tv', episodeKey],
  ['audiobooks', audiobookKey],
  ['books', bookKey],
  ['photos', photoKey],
]);

/** One key per file, in their order. */
export const groupFiles: Handler<GroupInput, GroupResult> = ({ libraryType, files }) => {
  const keyOf = byType.get(libraryType) ?? fileKey;
  return {
    keys: files.map(({ path, identification }) => keyOf(splitPath(path), identification)),
  };
};
