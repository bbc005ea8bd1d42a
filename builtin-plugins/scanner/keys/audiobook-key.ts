import type { Identification } from '../../../plugin-api/index.ts';
import { fold, keyFrom, part } from './key-parts.ts';
import { homeOf } from './home-folder.ts';
import type { SplitPath } from './split-path.ts';

/** Words that mark a part of a book in a file name. */
const partMarks =
  /^\d{1,4}(?=[ ._-]|$)|[ ._(-]*(?:(?:cd|disc|part|pt|chapter|teil|track)[ ._-]?)?\d{1,4}\)?$/gi;

/** `Book (Disc 01)`, `Book - CD2`: a disc of the book in front of it. */
const discOfBook = /^(.+?)[ _.,([-]{1,3}(?:cd|disc|disk)[ _.#-]{0,2}\d{1,3}[)\]]?$/i;

/**
 * An audiobook with all its parts: one title in one folder; folders of discs belong to the book.
 * Without a title the folder is the book; at the root the file name is.
 */
export function audiobookKey(path: SplitPath, identification: Identification | null): string {
  const home = homeOf(withoutDisc(path.folders));
  if (identification) {
    const { title, metadata } = identification;
    return keyFrom('audiobook', home, fold(title), part(metadata, 'volume'));
  }
  const title = home === '' ? fold(path.stem.replace(partMarks, '')) : '';
  return keyFrom('audiobook', home, title, '');
}

/** `Book/Book (Disc 01)` and `Book (Disc 01)` are both the folder `Book`. */
function withoutDisc(folders: readonly string[]): readonly string[] {
  const above = folders.slice(0, -1);
  const book = discOfBook.exec(folders.at(-1) ?? '')?.[1];
  if (book === undefined) return folders;
  return fold(above.at(-1) ?? '').startsWith(fold(book)) ? above : [...above, book];
}
