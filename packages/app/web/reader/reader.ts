/** What every reader gets. */
import type { Resources } from '../core/api.ts';
import type { RangeSource } from './ranges.ts';

export type BookItem = Resources['ItemDetail'];
export type BookFile = BookItem['files'][number];

/** A book of the library, and how to leave it. */
export interface ReaderProps {
  readonly item: BookItem;
  readonly file: BookFile;
  /** The bytes of the file. */
  readonly source: RangeSource;
  /** Whether the book is kept on this device, which then keeps the place, too. */
  readonly isKept: boolean;
  readonly leave: () => void;
}

/** The readers that there are. */
export type ReaderKind = 'comic' | 'epub' | 'pdf';

const kinds: Readonly<Record<string, ReaderKind>> = {
  cbz: 'comic',
  cbr: 'comic',
  cb7: 'comic',
  cbt: 'comic',
  epub: 'epub',
  pdf: 'pdf',
};

/** Which reader shows a file, by its name; `undefined` = none does. */
export function readerOf(filename: string): ReaderKind | undefined {
  const end = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(kinds, end) ? kinds[end] : undefined;
}

/** The code of the fault that kept the server from reading a file. */
export function faultOf({ fileInfo }: Pick<BookFile, 'fileInfo'>): string | undefined {
  const { error } = fileInfo as { readonly error?: { readonly code?: string } };
  return error?.code;
}

/** The file of an item that is read: the first main one that has a reader. */
export const readableFile = (files: readonly BookFile[]): BookFile | undefined =>
  files.find(
    (file) =>
      file.classification === 'primary' &&
      readerOf(file.filename) !== undefined &&
      faultOf(file) !== 'unsupported',
  );
