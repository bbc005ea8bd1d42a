/** Long lists of items, as `GET /api/items` gives them. */
import { call, type Resources } from './api.ts';
import { createTileList, type TilePage, type TileList } from './tile-list.ts';

type Tile = Resources['Tile'];

/** The filters and the order of `GET /api/items`. */
export type ItemListQuery = Readonly<Record<string, string | undefined>>;

/** The items of a query as tiles. */
export const createItemTiles = (query: ItemListQuery): TileList<Tile> =>
  createTileList<Tile>(
    async (cursor, limit, includeTotal) =>
      call('get', '/api/items', {
        query: {
          ...query,
          ...{ fields: 'tile', limit },
          ...(includeTotal && { includeTotal: true }),
          ...(cursor !== null && { cursor }),
        },
      }) as Promise<TilePage<Tile>>,
  );
