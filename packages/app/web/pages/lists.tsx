import { useSignal } from '@preact/signals';
import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { go } from '../core/router.ts';
import { invalidate, preload, useResource } from '../core/resource.ts';
import { isUser } from '../core/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { TileRow } from '../ui/row.tsx';
import { Empty, Ready } from '../ui/states.tsx';
import { Tile, type TileData } from '../ui/tile.tsx';
import { useTitle } from '../ui/title.ts';
import { isOwn, readLists, tileOfList, type List } from './list-data.ts';
import { NewList } from './list-form.tsx';

const [key, topics] = ['lists', ['collection']];

/** Reads the lists before the page is shown. */
export const prepare = (): Promise<void> => preload(key, topics, readLists);

/** Favourites, playlists and collections. */
export default function Lists() {
  useTitle(t('nav.lists'));
  const lists = useResource(key, topics, readLists);
  const liked = useResource('favourites', ['playback', 'profile', 'library'], async () => {
    const query = { favourite: true, fields: 'tile', limit: 30 } as const;
    return (await call('get', '/api/items', { query })).items as readonly TileData[];
  });
  const isMaking = useSignal(false);
  return (
    <div class="page">
      <header class="page-header">
        <h1>{t('nav.lists')}</h1>
        <a class="button" href="/downloads">
          <Icon name="download" />
          {t('nav.downloads')}
        </a>
        {isUser.value && (
          <Button act={() => (isMaking.value = true)}>
            <Icon name="plus" />
            {t('lists.new')}
          </Button>
        )}
      </header>
      <TileRow
        id="favourites"
        title={t('home.favourites')}
        href="/lists/favourites"
        tiles={liked.value.value ?? []}
      />
      <Ready of={lists}>
        {(all) => (
          <>
            {all.length === 0 && <Empty title={t('lists.empty')} />}
            <Group
              title={t('lists.playlists')}
              lists={all.filter((list) => isOwn(list) && list.kind === 'playlist')}
            />
            <Group
              title={t('lists.collections')}
              lists={all.filter((list) => isOwn(list) && list.kind === 'collection')}
            />
            <Group title={t('lists.automatic')} lists={all.filter((list) => !isOwn(list))} />
          </>
        )}
      </Ready>
      {isMaking.value && (
        <Dialog title={t('lists.new')} onClose={() => (isMaking.value = false)}>
          <NewList
            made={async ({ id }) => {
              invalidate((topic) => topic === 'collection');
              await go(`/lists/${id}`);
            }}
          />
        </Dialog>
      )}
    </div>
  );
}

function Group({ title, lists }: { readonly title: string; readonly lists: readonly List[] }) {
  if (lists.length === 0) return null;
  return (
    <section class="group">
      <h2>{title}</h2>
      <div class="grid plain square">
        {lists.map((list) => (
          <Tile key={list.id} tile={tileOfList(list)} shape="square" id={`list-${list.id}`} />
        ))}
      </div>
    </section>
  );
}
