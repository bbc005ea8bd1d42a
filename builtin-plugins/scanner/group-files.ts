/**
 * Which files are one item. A key is made from one file's path and identification alone, so it is
 * the same in whichever batch or scan the file comes; two files are one item when their keys are
 * equal. A key that is too narrow shows a film twice, and the admin merges it; one that is too wide
 * hides a film behind another. So in doubt the narrower one is taken.
 */
import type { GroupInput, GroupResult, Handler, Identification } from '../../plugin-api/index.ts';
import { bookKey } from './keys/book-key.ts';
import { audiobookKey } from './keys/audiobook-key.ts';
import { episodeKey } from './keys/episode-key.ts';
import { filmKey } from './keys/film-key.ts';
import { splitPath, type SplitPath } from './keys/split-path.ts';

type KeyOf = (path: SplitPath, identification: Identification | null) => string;

/** A track, a photo, and whatever else: each file for itself. */
const fileKey: KeyOf = ({ path }) => `file|${path}`;

const byType: ReadonlyMap<string, KeyOf> = new Map([
  ['movies', filmKey],
  ['tv', episodeKey],
  ['audiobooks', audiobookKey],
  ['books', bookKey],
]);

/** One key per file, in their order. */
export const groupFiles: Handler<GroupInput, GroupResult> = ({ libraryType, files }) => {
  const keyOf = byType.get(libraryType) ?? fileKey;
  return {
    keys: files.map(({ path, identification }) => keyOf(splitPath(path), identification)),
  };
};
