/** What the pages of lists read and change. */
import { call, type Resources } from '../core/api.ts';
import { viewer } from '../core/session.ts';
import type { TileData } from '../ui/tile.tsx';

/** A collection or a playlist. */
export type List = Resources['Collection'];

/** One line of a list: the entry of a playlist, or the item of a collection. */
export interface ListLine {
  readonly key: string;
  readonly itemId: string;
  readonly tile: TileData;
}

/** Lines of one page of the server. */
const pageSize = 200;

/** All lists of the person and the automatic ones. */
export async function readLists(): Promise<readonly List[]> {
  const lists: List[] = [];
  let cursor: string | null = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: pageSize };
    if (cursor !== null) query.cursor = cursor;
    const page: { collections: readonly List[]; nextCursor: string | null } = await call(
      'get',
      '/api/collections',
      { query },
    );
    lists.push(...page.collections);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return lists;
}

/** Whether it is a list of the person. Guests cannot change theirs. */
export const isOwn = ({ userId }: List): boolean =>
  userId !== null && userId === viewer.value?.user.id;

export const tileOfList = ({ id, name, kind, itemCount, assets }: List): TileData => {
  const [url] = Object.values(assets);
  const picture = url?.split('/').pop()?.split('?')[0];
  return {
    id,
    kind: 'collection' as const,
    type: kind,
    title: name,
    subtitle: null,
    year: null,
    picture:
      picture === undefined ? null : { id: picture, aspect: null, color: null, thumbhash: null },
    progress: 0,
    watched: false,
    favourite: false,
    badges: [],
    itemCount,
  };
};

const plainTile = ({ id, title }: Resources['Item']): TileData => ({
  id,
  kind: 'item' as const,
  type: 'film',
  title,
  subtitle: null,
  year: null,
  picture: null,
  progress: 0,
  watched: false,
  favourite: false,
  badges: [],
});

interface Row {
  readonly key: string;
  readonly item: Resources['Item'];
}

async function readRows({ id, kind }: List, most: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: pageSize };
    if (cursor !== null) query.cursor = cursor;
    const path = { id };
    if (kind === 'playlist') {
      const page: {
        entries: readonly Resources['PlaylistEntry'][];
        nextCursor: string | null;
      } = await call('get', '/api/collections/{id}/entries', { path, query });
      rows.push(...page.entries.map((entry) => ({ key: entry.id, item: entry.item })));
      cursor = page.nextCursor;
    } else {
      const page: { items: readonly Resources['Item'][]; nextCursor: string | null } = await call(
        'get',
        '/api/collections/{id}/items',
        { path, query },
      );
      rows.push(...page.items.map((item) => ({ key: item.id, item })));
      cursor = page.nextCursor;
    }
  } while (cursor !== null && rows.length < most);
  return rows;
}

async function readTiles(
  collectionId: string,
  most: number,
): Promise<ReadonlyMap<string, TileData>> {
  const tiles = new Map<string, TileData>();
  let cursor: string | null = null;
  do {
    const page = (await call('get', '/api/items', {
      query: { collectionId, fields: 'tile', limit: pageSize, ...(cursor !== null && { cursor }) },
    })) as { items: readonly TileData[]; nextCursor: string | null };
    for (const tile of page.items) tiles.set(tile.id, tile);
    cursor = page.nextCursor;
  } while (cursor !== null && tiles.size < most);
  return tiles;
}

/** The lines of a list in its order, at most about `most` of them. */
export async function readLines(list: List, most: number): Promise<readonly ListLine[]> {
  const [rows, tiles] = await Promise.all([readRows(list, most), readTiles(list.id, most)]);
  return rows.map(({ key, item }) => ({
    key,
    itemId: item.id,
    tile: tiles.get(item.id) ?? plainTile(item),
  }));
}

/** Adds items to a list, at a place or at the end. */
export async function addToList(
  { id, kind }: List,
  itemIds: readonly string[],
  position?: number,
): Promise<void> {
  if (kind === 'playlist') {
    const body = { itemIds: [...itemIds], ...(position !== undefined && { position }) };
    await call('post', '/api/collections/{id}/entries', { path: { id }, body });
    return;
  }
  for (const itemId of itemIds)
    await call('put', '/api/collections/{id}/items/{itemId}', {
      path: { id, itemId },
      query: position === undefined ? {} : { position },
    });
}

/** Takes a line out of a list. */
export async function removeLine({ id, kind }: List, { key }: ListLine): Promise<void> {
  if (kind === 'playlist')
    await call('delete', '/api/collections/{id}/entries/{entryId}', {
      path: { id, entryId: key },
    });
  else await call('delete', '/api/collections/{id}/items/{itemId}', { path: { id, itemId: key } });
}

/** Moves a line to another place. */
export async function moveLine(list: List, { key }: ListLine, position: number): Promise<void> {
  const { id, kind } = list;
  if (kind === 'playlist')
    await call('patch', '/api/collections/{id}/entries/{entryId}', {
      path: { id, entryId: key },
      body: { position },
    });
  else await addToList(list, [key], position);
}

export async function makeList(name: string, kind: List['kind']): Promise<List> {
  const body = {
    name,
    kind,
    distributedId: `web-${crypto.randomUUID()}`,
    sortBy: 'manual' as const,
  };
  return (await call('post', '/api/collections', { body })).collection;
}
