import { useMemo } from 'preact/hooks';
import { createItemTiles } from '../../core/item-tiles.ts';
import { keptTileList } from '../../core/tile-list.ts';
import { showPhotoList } from '../../player/neighbours.ts';
import { TileGrid } from '../../ui/tile-grid.tsx';

const order = { sortBy: 'releasedAt', sortOrder: 'asc' } as const;

/** The photos of an album, as they were taken. */
export default function PhotoAlbum({ id }: { readonly id: string }) {
  const query = { entityId: id, ...order };
  const list = useMemo(() => keptTileList(`album:${id}`, () => createItemTiles(query)), [id]);
  showPhotoList(query);
  return <TileGrid list={list} shape="photo" />;
}
