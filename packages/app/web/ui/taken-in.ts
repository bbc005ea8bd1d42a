/** How people take a title in: they see a film, read a book and hear a song. What may be any of them is finished. */
import { t } from '../core/messages.ts';

type Manner = 'seen' | 'read' | 'heard' | 'done';

/** By the type of an item, of an entity or of a library, or by the kind of a file. */
const manners: Readonly<Record<string, Manner>> = {
  film: 'seen',
  movies: 'seen',
  show: 'seen',
  season: 'seen',
  episode: 'seen',
  tv: 'seen',
  video: 'seen',
  book: 'read',
  books: 'read',
  series: 'read',
  text: 'read',
  track: 'heard',
  album: 'heard',
  music: 'heard',
  audiobook: 'heard',
  audiobooks: 'heard',
  audio: 'heard',
};

const mannerOf = (type: string | undefined): Manner => manners[type ?? ''] ?? 'done';

/** `Watched`, `Read` or `Listened to`; `Finished` of what is not known. */
export const takenIn = (type: string | undefined): string => t(`takenIn.${mannerOf(type)}`);

/** The same with `not`, for a filter. */
export const notTakenIn = (type: string | undefined): string => t(`takenIn.not.${mannerOf(type)}`);

/** The words of the button that marks a title, or takes the mark away. */
export const markWords = (type: string | undefined, hasDownloads: boolean): string =>
  hasDownloads ? t(`takenIn.unmark.${mannerOf(type)}`) : t(`takenIn.mark.${mannerOf(type)}`);
