import { useMemo } from 'preact/hooks';
import { call } from '../../core/api.ts';
import { createTileList, keptTileList } from '../../core/tile-list.ts';
import { showPhotoList } from '../../player/neighbours.ts';
import { TileGrid } from '../../ui/tile-grid.tsx';
import type { TileData } from '../../ui/tile.tsx';

const order = { sortBy: 'releasedAt', sortOrder: 'asc' } as const;

/** The photos of an album, as they were taken. */
export default function PhotoAlbum({ id }: { readonly id: string }) {
  const list = useMemo(
    () =>
      keptTileList(`album:${id}`, () =>
        createTileList<TileData>(async (cursor, limit, includeTotal) => {
          const page = await call('get', '/api/items', {
            query: {
              ...{ entityId: id, ...order, fields: 'tile', limit },
              ...(includeTotal && { includeTotal: true }),
              ...(cursor !== null && { cursor }),
            },
          });
          return page as { items: readonly TileData[]; nextCursor: string | null; total?: number };
        }),
      ),
    [id],
  );
  showPhotoList({ entityId: id, ...order });
  return <TileGrid list={list} shape="photo" />;
}
