/** Where the profile is in a book, in pages. It is told a moment after the last page was turned. */
import { call, requestHeaders } from '../core/api.ts';
import { invalidate } from '../core/resource.ts';
import { isUser } from '../core/session.ts';

/** What a reader tells. */
export interface Progress {
  readonly turnTo: (position: number) => void;
  /** Tells what is due, while the page goes away. */
  readonly leave: () => void;
}

interface Book {
  readonly itemId: string;
  readonly fileId: string;
  readonly pages: number;
  /** Whether it is kept on this device. */
  readonly isKept: boolean;
}

/** How the place of a book gets where it is kept. */
interface Way {
  /** Keeps a position as soon as its page is shown. */
  readonly note?: (position: number) => Promise<unknown>;
  /** Tells the server a position; with `isLeaving`, the page goes away. */
  readonly tell: (position: number, isLeaving: boolean) => Promise<unknown>;
}

const soonMs = 500;
const nowhere: Way = { tell: async () => {} };

/** Creates it. A guest has no progress, and reads all the same. */
export function createProgress(book: Book): Progress {
  const { note, tell } = !isUser.peek() ? nowhere : book.isKept ? toDevice(book) : toServer(book);
  let due: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tellDue = (isLeaving: boolean): void => {
    clearTimeout(timer);
    if (due !== undefined) tell(due, isLeaving).catch(() => {});
    due = undefined;
  };
  return {
    turnTo: (position) => {
      due = position;
      note?.(position).catch(() => {});
      clearTimeout(timer);
      timer = setTimeout(() => tellDue(false), soonMs);
    },
    leave: () => tellDue(true),
  };
}

/**
 * The place of a kept book is kept with it at once: a page that goes away ends what it writes then. The
 * server is told as soon as it answers.
 */
function toDevice({ itemId, fileId, pages }: Book): Way {
  const places = import('../downloads/places.ts');
  return {
    note: async (position) =>
      (await places).notePlace(itemId, { fileId, position, duration: pages }),
    tell: async () => (await places).tellPlaces(),
  };
}

function toServer({ itemId, fileId, pages }: Book): Way {
  const send = async (body: object): Promise<void> => {
    const headers = { ...requestHeaders(), 'content-type': 'application/json' };
    const init = { method: 'PUT', keepalive: true, headers, body: JSON.stringify(body) };
    await fetch(`/api/items/${encodeURIComponent(itemId)}/playback`, init);
  };
  return {
    tell: async (position, isLeaving) => {
      const body = { fileId, position, duration: pages };
      const asked = isLeaving
        ? send(body)
        : call('put', '/api/items/{id}/playback', { path: { id: itemId }, body });
      await asked.catch(() => {});
      invalidate((topic) => topic === `item:${itemId}` || topic === 'playback');
    },
  };
}
