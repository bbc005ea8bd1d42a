import type { Identification } from '../../plugin-api/index.ts';
import { identifyAudiobook } from './kinds/audiobook.ts';
import { identifyBook } from './kinds/book.ts';
import { identifyEpisode } from './kinds/episode.ts';
import { identifyFilm } from './kinds/film.ts';
import { createContext, type IdentifyContext } from './kinds/identify-context.ts';
import { identifyPhoto } from './kinds/photo.ts';
import { identifyTrack } from './kinds/track.ts';
import { splitPath, type FilePath } from './reading/file-path.ts';

type Identify = (path: FilePath, context: IdentifyContext) => Identification;

const kinds: ReadonlyMap<string, Identify> = new Map([
  ['movies', identifyFilm],
  ['tv', identifyEpisode],
  ['music', identifyTrack],
  ['audiobooks', identifyAudiobook],
  ['books', identifyBook],
  ['photos', identifyPhoto],
]);

/** Whether names in such a library can be read. */
export function isReadable(libraryType: string): boolean {
  return kinds.has(libraryType);
}

/** Reads one path after the other; the result for a folder is reused for all files in it. */
export function createIdentifier(
  libraryType: string,
  thisYear: number,
  libraryId = '',
): ((path: string) => Identification) | undefined {
  const identify = kinds.get(libraryType);
  if (identify === undefined) return undefined;
  const context = createContext(thisYear, libraryId);
  return (path) => {
    const parts = splitPath(path);
    const found = identify(parts, context);
    return found.title.trim() === '' ? { ...found, title: parts.stem.trim() || 'Untitled' } : found;
  };
}
