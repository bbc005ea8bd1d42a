/** Where a book comes from: this server, or this device if it is kept here. */
import { call } from '../core/api.ts';
import { hasDownloads } from '../core/session.ts';
import { fileSource, type RangeSource } from './ranges.ts';
import type { BookFile, BookItem } from './reader.ts';

const keptBooks = () => import('../downloads/kept-book.ts');

/** The item of a book. Rejects with a refusal of the server, unless the book is kept and the server is away. */
export async function readBook(id: string): Promise<{ readonly item: BookItem }> {
  if (!hasDownloads()) return call('get', '/api/items/{id}', { path: { id } });
  return { item: await (await keptBooks()).readBook(id) };
}

/** The bytes of a book, and whether they are on this device, which then keeps the place, too. */
export interface OpenedFile {
  readonly source: RangeSource;
  readonly isKept: boolean;
}

export async function openFile({ id }: BookItem, file: BookFile): Promise<OpenedFile> {
  const kept = hasDownloads() ? await (await keptBooks()).keptSource(id, file) : undefined;
  return { source: kept ?? fileSource(file.id, file.size), isKept: kept !== undefined };
}
