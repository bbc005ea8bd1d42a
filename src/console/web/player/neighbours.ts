/** The photos before and after one, in the order in which they were taken. */
import { call } from '../core/api.ts';

interface Page {
  readonly items: readonly { readonly id: string }[];
  readonly nextCursor: string | null;
}

/** The ids beside one; `undefined` = there is none. */
export interface Neighbours {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

type Read = (libraryId: string, cursor: string | null) => Promise<Page>;

const pageSize = 500;

const readPage: Read = async (libraryId, cursor) =>
  call('get', '/api/items', {
    query: {
      ...{ libraryId, fields: 'tile', sortBy: 'releasedAt', sortOrder: 'desc', limit: pageSize },
      ...(cursor !== null && { cursor }),
    },
  }) as Promise<Page>;

/** The list of one library, as far as it was read. */
export function createNeighbours(read: Read = readPage) {
  let of = '';
  let ids: string[] = [];
  let next: string | null = null;
  let reading: Promise<unknown> = Promise.resolve();

  async function find(libraryId: string, id: string): Promise<Neighbours> {
    if (of !== libraryId || !ids.includes(id)) {
      [of, ids] = [libraryId, []];
      next = '';
    }
    for (;;) {
      const at = ids.indexOf(id);
      const isKnown = at !== -1 && (at + 1 < ids.length || next === null);
      if (isKnown || next === null)
        return { before: ids[at - 1], after: at === -1 ? undefined : ids[at + 1] };
      const page = await read(libraryId, next === '' ? null : next);
      ids.push(...page.items.map((item) => item.id));
      next = page.nextCursor;
    }
  }

  /** One question after the other, so that a page is read once. */
  return (libraryId: string, id: string): Promise<Neighbours> => {
    const found = reading.then(() => find(libraryId, id));
    reading = found.catch(() => {});
    return found;
  };
}

/** The neighbours of a photo in its library. */
export const neighboursOf = createNeighbours();
