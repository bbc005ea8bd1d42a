/** Books that are kept on this device: they are read from it, with or without the server. */
import { Refusal } from '../core/api.ts';
import { serverRequests } from '../player/requests.ts';
import type { RangeSource } from '../reader/ranges.ts';
import type { BookFile, BookItem } from '../reader/reader.ts';
import { isAway, keptItem, playbackHere } from './kept-requests.ts';
import { readParts } from './kept-store.ts';
import { tellPlaces } from './places.ts';

/** Statuses of a server that does not answer, and of a proxy in front of one. */
const away = new Set([0, 502, 504]);

/**
 * A book as the server says it, after it was told how far the book was read here. If the server does not
 * answer, it is as it was when it was kept, at the place where it was left here.
 */
export async function readBook(id: string): Promise<BookItem> {
  const kept = await keptItem(id);
  if (kept === undefined) return serverRequests.item(id);
  if (!isAway())
    try {
      await tellPlaces();
      return await serverRequests.item(id);
    } catch (error) {
      if (!(error instanceof Refusal) || !away.has(error.status)) throw error;
    }
  return { ...kept.item, playback: playbackHere(kept) };
}

/** The bytes of a file, if all of them are here; `undefined` = they are not, or it is another file now. */
export async function keptSource(itemId: string, file: BookFile): Promise<RangeSource | undefined> {
  const kept = await keptItem(itemId);
  const found = kept?.files.find(({ fileId, size }) => fileId === file.id && size === file.size);
  if (kept === undefined || found === undefined) return undefined;
  const bytes = new Blob([...(await readParts(kept.key, found.fileId))]);
  // The browser lost some of it.
  if (bytes.size !== found.size) return undefined;
  return {
    size: bytes.size,
    read: async (start, end) => new Uint8Array(await bytes.slice(start, end).arrayBuffer()),
  };
}
