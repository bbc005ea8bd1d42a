/** The photos before and after one, in the list that it was chosen from. */
import { call } from '../core/api.ts';

/** The query of `GET /api/items` that a list of photos shows. */
export interface PhotoList {
  readonly libraryId?: string;
  readonly sortBy: string;
  readonly sortOrder: 'asc' | 'desc';
  readonly [filter: string]: string | undefined;
}

/** The ids beside one; `undefined` = there is none. */
export interface Neighbours {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

interface Page {
  readonly items: readonly { readonly id: string }[];
  readonly nextCursor: string | null;
}

/** Which photos to read: from one on, in the order of the list. */
export interface PhotosFrom {
  readonly list: PhotoList;
  readonly id: string;
}

const pageSize = 50;

const readPage = async ({ list, id }: PhotosFrom): Promise<Page> => {
  const { sortBy, ...others } = list;
  return call('get', '/api/items', {
    query: {
      ...others,
      sortBy: sortBy as 'releasedAt',
      fields: 'tile',
      limit: pageSize,
      startAt: id,
    },
  }) as Promise<Page>;
};

const reversed = (list: PhotoList): PhotoList => ({
  ...list,
  sortOrder: list.sortOrder === 'asc' ? 'desc' : 'asc',
});

/**
 * The part of one list that was read. It grows at both ends from the photo that was asked for first, so a
 * photo in the middle of many costs two pages.
 */
export function createNeighbours(read: (from: PhotosFrom) => Promise<Page> = readPage) {
  let of = '';
  let ids: string[] = [];
  let [isWholeBefore, isWholeAfter] = [false, false];
  let reading: Promise<unknown> = Promise.resolve();

  async function find(list: PhotoList, id: string): Promise<Neighbours> {
    const identity = JSON.stringify(list);
    if (of !== identity || !ids.includes(id)) {
      [of, ids] = [identity, [id]];
      [isWholeBefore, isWholeAfter] = [false, false];
    }
    if (ids[0] === id && !isWholeBefore) {
      const { others, isLast } = await readFrom({ list: reversed(list), id });
      ids = [...others.toReversed(), ...ids];
      isWholeBefore = isLast;
    }
    if (ids.at(-1) === id && !isWholeAfter) {
      const { others, isLast } = await readFrom({ list, id });
      ids = [...ids, ...others];
      isWholeAfter = isLast;
    }
    const at = ids.indexOf(id);
    return { before: ids[at - 1], after: ids[at + 1] };
  }

  async function readFrom(from: PhotosFrom) {
    const { items, nextCursor } = await read(from);
    const others = items.map((item) => item.id).filter((one) => one !== from.id);
    return { others, isLast: nextCursor === null };
  }

  /** One question after the other, so that a page is read once. */
  return (list: PhotoList, id: string): Promise<Neighbours> => {
    const found = reading.then(() => find(list, id));
    reading = found.catch(() => {});
    return found;
  };
}

const neighboursIn = createNeighbours();

let shown: PhotoList | undefined;

/** Makes known the list that is on the page: a photo that is chosen there has its neighbours in it. */
export function showPhotoList(list: PhotoList): void {
  // In a random order, or in one of the profile, an item has no place that the server could begin at.
  shown = ['random', 'lastPlayedAt', 'playCount'].includes(list.sortBy) ? undefined : list;
}

/** The neighbours of a photo: in the list that was shown last, else in its library, the newest first. */
export function neighboursOf(libraryId: string, id: string): Promise<Neighbours> {
  const isOfLibrary = shown?.libraryId === undefined || shown.libraryId === libraryId;
  const list = isOfLibrary ? shown : undefined;
  return neighboursIn(list ?? { libraryId, sortBy: 'releasedAt', sortOrder: 'desc' }, id);
}
