import { useMemo } from 'preact/hooks';
import { call } from '../core/api.ts';
import { createItemTiles } from '../core/item-tiles.ts';
import { t } from '../core/messages.ts';
import { useResource } from '../core/resource.ts';
import { TileRow } from '../ui/row.tsx';
import { Empty } from '../ui/states.tsx';
import { TileGrid } from '../ui/tile-grid.tsx';
import { tileOfEntity } from '../ui/tile.tsx';
import { useTitle } from '../ui/title.ts';

const types = ['show', 'album', 'artist', 'series', 'person'] as const;

/** What the profile likes: shows, albums and people in rows, then all titles. */
export default function Favourites() {
  useTitle(t('home.favourites'));
  const list = useMemo(() => createItemTiles({ favourite: 'true' }), []);
  const entities = useResource('favourite-entities', ['profile', 'library'], () =>
    Promise.all(
      types.map(async (type) => {
        const query = { type, favourite: true, limit: 100 };
        return (await call('get', '/api/entities', { query })).entities.map(tileOfEntity);
      }),
    ),
  );
  const rows = (entities.value.value ?? []).filter((tiles) => tiles.length > 0);
  return (
    <div class="page">
      <h1>{t('home.favourites')}</h1>
      {rows.map((tiles) => (
        <TileRow
          key={tiles[0]?.type}
          id={`favourites-${tiles[0]?.type ?? ''}`}
          title={t(`library.list.${tiles[0]?.type ?? 'show'}` as 'library.list.show')}
          tiles={tiles}
        />
      ))}
      {list.total.value === 0 && rows.length === 0 ? (
        <Empty title={t('lists.noFavourites')} />
      ) : (
        <TileGrid list={list} shape="portrait" />
      )}
    </div>
  );
}
