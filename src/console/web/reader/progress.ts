/** Where the profile is in a book, in pages. It is told a moment after the last page was turned. */
import { call, requestHeaders } from '../core/api.ts';
import { invalidate } from '../core/resource.ts';

/** What a reader tells. */
export interface Progress {
  readonly turnTo: (position: number) => void;
  /** Tells what is due, while the page goes away. */
  readonly leave: () => void;
}

const soonMs = 500;

/** Creates it. A guest has no progress, and reads all the same. */
export function createProgress(book: {
  readonly itemId: string;
  readonly fileId: string;
  readonly pages: number;
}): Progress {
  let due: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const body = () => ({ fileId: book.fileId, position: due ?? 0, duration: book.pages });
  const send = async (): Promise<void> => {
    if (due === undefined) return;
    const told = body();
    due = undefined;
    await call('put', '/api/items/{id}/playback', { path: { id: book.itemId }, body: told }).catch(
      () => {},
    );
    invalidate((topic) => topic === `item:${book.itemId}` || topic === 'playback');
  };
  return {
    turnTo: (position) => {
      due = position;
      clearTimeout(timer);
      timer = setTimeout(() => void send(), soonMs);
    },
    leave: () => {
      clearTimeout(timer);
      if (due === undefined) return;
      const headers = { ...requestHeaders(), 'content-type': 'application/json' };
      const init = { method: 'PUT', keepalive: true, headers, body: JSON.stringify(body()) };
      due = undefined;
      fetch(`/api/items/${encodeURIComponent(book.itemId)}/playback`, init).then(
        () => invalidate((topic) => topic === `item:${book.itemId}` || topic === 'playback'),
        () => {},
      );
    },
  };
}
