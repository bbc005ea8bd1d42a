import { useSignal } from '@preact/signals';
import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { go, type PageProps } from '../core/router.ts';
import { invalidate, patchResource, preload, useResource } from '../core/resource.ts';
import { isUser } from '../core/session.ts';
import { playQueue } from '../player/queue.ts';
import { Button } from '../ui/button.tsx';
import { confirm, Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { PageReady } from '../ui/page-ready.tsx';
import { Empty } from '../ui/states.tsx';
import { iconOf, pictureUrl, Tile } from '../ui/tile.tsx';
import { attempt } from '../ui/toast.tsx';
import { useTitle } from '../ui/title.ts';
import { isOwn, readLines, tileOfList, type List, type ListLine } from './list-data.ts';
import { LineContent, ListLines } from './list-lines.tsx';
import { ListSettings } from './list-settings.tsx';

/** What the page of a list shows. */
export interface ListView {
  readonly list: List;
  readonly lines: readonly ListLine[];
}

/** So many lines are shown; a longer list is played whole from its first line on. */
const mostLines = 1000;

const keyOf = (id: string): string => `list:${id}`;
const topicsOf = (id: string): readonly string[] => [`collection:${id}`, 'playback'];
const loadOf = (id: string) => async (): Promise<ListView> => {
  const { collection } = await call('get', '/api/collections/{id}', { path: { id } });
  return { list: collection, lines: await readLines(collection, mostLines) };
};

/** Reads the list before its page is shown. */
export const prepare = ({ parameters: { id = '' } }: PageProps): Promise<void> =>
  preload(keyOf(id), topicsOf(id), loadOf(id));

/** One playlist or collection. */
export default function ListPage({ parameters: { id = '' } }: PageProps) {
  const view = useResource(keyOf(id), topicsOf(id), loadOf(id));
  useTitle(view.value.value?.list.name);
  return <PageReady of={view}>{(value) => <ListBody view={value} />}</PageReady>;
}

function ListBody({ view: { list, lines } }: { readonly view: ListView }) {
  const isEditing = useSignal(false);
  const mayEdit = isUser.value && isOwn(list);
  const isOrdered = list.kind === 'playlist';
  const key = keyOf(list.id);
  return (
    <div class="page">
      <ListHeader
        list={list}
        lines={lines}
        mayEdit={mayEdit}
        isEditing={isEditing.value}
        toggle={() => (isEditing.value = !isEditing.value)}
      />
      {lines.length === 0 && <Empty title={t('lists.noEntries')} />}
      {mayEdit && isEditing.value ? (
        <ListLines
          list={list}
          lines={lines}
          show={(next) => patchResource<ListView>(key, (old) => ({ ...old, lines: next }))}
          reload={() => invalidate((topic) => topic === `collection:${list.id}`)}
        />
      ) : isOrdered ? (
        <ol class="lines playlist" aria-label={list.name}>
          {lines.map((line) => (
            <li key={line.key}>
              <LineContent line={line} />
            </li>
          ))}
        </ol>
      ) : (
        <div class="grid plain portrait">
          {lines.map(({ key: line, tile }) => (
            <Tile key={line} tile={tile} shape="portrait" id={`item-${tile.id}`} />
          ))}
        </div>
      )}
    </div>
  );
}

interface HeaderProps {
  readonly list: List;
  readonly lines: readonly ListLine[];
  readonly mayEdit: boolean;
  readonly isEditing: boolean;
  readonly toggle: () => void;
}

function ListHeader({ list, lines, mayEdit, isEditing, toggle }: HeaderProps) {
  const { id, name, kind, description, itemCount } = list;
  const { picture } = tileOfList(list);
  const isOpen = useSignal(false);
  const ids = lines.map(({ itemId }) => itemId);
  async function remove(): Promise<void> {
    const text = t('lists.deleteText', { name });
    const action = t('lists.delete');
    if (!(await confirm({ title: t('lists.deleteTitle'), text, action }))) return;
    await attempt(
      async () => {
        await call('delete', '/api/collections/{id}', { path: { id } });
        invalidate((topic) => topic === 'collection');
        await go('/lists', { replace: true });
      },
      t('lists.deleted', { name }),
    );
  }
  return (
    <header class="detail">
      {picture === null ? (
        <span class="cover square no-cover">
          <Icon name={iconOf(kind)} size={48} />
        </span>
      ) : (
        <img class="cover square" src={pictureUrl(picture.id, 320)} alt="" />
      )}
      <div>
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <p class="facts">
          {t(`lists.kind.${kind}`)} · {t('count.items', { count: itemCount })}
        </p>
        {description !== null && (
          <p class="summary" dir="auto">
            {description}
          </p>
        )}
        <p class="buttons">
          {kind === 'playlist' && ids.length > 0 && (
            <>
              <Button kind="primary" act={() => playQueue(ids, 0)}>
                <Icon name="play" />
                {t('action.play')}
              </Button>
              <Button act={() => playQueue(ids, 0, { shuffle: true })}>
                <Icon name="shuffle" />
                {t('player.shuffle')}
              </Button>
            </>
          )}
          {mayEdit && (
            <>
              <Button aria-pressed={isEditing} onClick={toggle}>
                <Icon name="drag" />
                {t('lists.edit')}
              </Button>
              <Button act={() => (isOpen.value = true)}>
                <Icon name="edit" />
                {t('action.rename')}
              </Button>
              <Button kind="danger" act={remove}>
                <Icon name="trash" />
                {t('lists.delete')}
              </Button>
            </>
          )}
        </p>
      </div>
      {isOpen.value && (
        <Dialog title={name} onClose={() => (isOpen.value = false)}>
          <ListSettings list={list} close={() => (isOpen.value = false)} />
        </Dialog>
      )}
    </header>
  );
}
