/** Long lists of items, as `GET /api/items` gives them. */
import { call, type Resources } from './api.ts';
import { createTileList, type TilePage, type TileList } from './tile-list.ts';

type Tile = Resources['Tile'];

/** The filters and the order of `GET /api/items`. */
export type ItemListQuery = Readonly<Record<string, string | undefined>>;

/**
 * An episode under its own title, by which it is sorted: `A letter` of `Empire · S1 E2`, where the server
 * says `Empire`, `S1 E2 · A letter`. Others as they are.
 */
export function underOwnTitle<One extends Pick<Tile, 'type' | 'title' | 'subtitle'>>(
  tile: One,
): One {
  const [number, ...own] = tile.subtitle?.split(' · ') ?? [];
  if (tile.type !== 'episode' || number === undefined || own.length === 0) return tile;
  return { ...tile, title: own.join(' · '), subtitle: `${tile.title} · ${number}` };
}

/** The items of a query as tiles. */
export const createItemTiles = (query: ItemListQuery): TileList<Tile> =>
  createTileList<Tile>(async (cursor, limit, includeTotal) => {
    const page = (await call('get', '/api/items', {
      query: {
        ...query,
        fields: 'tile',
        limit,
        ...(includeTotal && { includeTotal: true }),
        ...(cursor !== null && { cursor }),
      },
    })) as TilePage<Tile>;
    return query['sortBy'] === 'title' ? { ...page, items: page.items.map(underOwnTitle) } : page;
  });
