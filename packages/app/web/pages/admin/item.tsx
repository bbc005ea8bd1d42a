import { call, type Resources } from '../../core/api.ts';
import { findMessage, t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { go, type PageProps } from '../../core/router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Ready } from '../../ui/states.tsx';
import { entityPath } from '../../ui/tile.tsx';
import { attempt } from '../../ui/toast.tsx';
import { AdminPage } from './frame.tsx';
import { ItemFields } from './item-fields.tsx';
import { ItemMatch } from './item-match.tsx';
import { ItemPictures } from './item-pictures.tsx';
import { UnreadLine } from './library-parts/unread-line.tsx';

type Item = Resources['ItemDetail'];

const keyOf = (id: string): string => `admin:item:${id}`;
const topicsOf = (id: string): readonly string[] => [`item:${id}`];
const loadOf = (id: string) => async () => {
  const [{ item }, { plugins }] = await Promise.all([
    call('get', '/api/items/{id}', { path: { id }, query: { texts: 'stored' } }),
    call('get', '/api/plugins'),
  ]);
  return { item, names: new Map(plugins.map((plugin) => [plugin.id, plugin.name])) };
};

/** Reads the item before its page is shown. */
export const prepare = ({ parameters: { id = '' } }: PageProps): Promise<void> =>
  preload(keyOf(id), topicsOf(id), loadOf(id));

/** What an admin changes of a title: its fields, what it is, its people. */
export default function AdminItemPage({ parameters: { id = '' } }: PageProps) {
  const data = useResource(keyOf(id), topicsOf(id), loadOf(id));
  return (
    <AdminPage title={data.value.value?.item.title ?? t('item.edit')}>
      <Ready of={data}>
        {({ item, names }) => (
          <>
            <Ways item={item} />
            <Unread item={item} />
            <ItemFields key={item.updatedAt} item={item} names={names} />
            <ItemMatch item={item} />
            <ItemPictures item={item} names={names} />
            <Linked item={item} />
            <Remove item={item} />
          </>
        )}
      </Ready>
    </AdminPage>
  );
}

function Ways({ item: { id } }: { readonly item: Item }) {
  return (
    <p class="buttons">
      <a class="button" href={`/items/${id}`}>
        <Icon name="eye" size={16} />
        {t('admin.item.show')}
      </a>
      <Button
        icon="refresh"
        act={() =>
          attempt(
            () => call('post', '/api/items/{id}/refresh', { path: { id } }),
            t('admin.item.refreshing'),
          )
        }
      >
        {t('admin.item.refresh')}
      </Button>
    </p>
  );
}

/** Files of the item that could not be read. */
function Unread({ item: { ingest, files } }: { readonly item: Item }) {
  if (ingest.errors.length === 0) return null;
  const nameOf = (fileId: string): string =>
    files.find(({ id }) => id === fileId)?.filename ?? t('admin.item.aFile');
  return (
    <ul class="lines">
      {ingest.errors.map(({ fileId, code, message }) => (
        <UnreadLine key={fileId} code={code} message={message} name={<bdi>{nameOf(fileId)}</bdi>} />
      ))}
    </ul>
  );
}

/** The entities of the item, each with a way to change it. */
function Linked({ item: { linkedEntities } }: { readonly item: Item }) {
  if (linkedEntities.length === 0) return null;
  return (
    <section>
      <h2>{t('admin.item.linked')}</h2>
      <ul class="lines">
        {linkedEntities.map(({ id, type, name, role }) => (
          <li key={`${id} ${role}`}>
            <a href={entityPath(type, id)}>
              <bdi>{name}</bdi>{' '}
              <small>
                {findMessage(`role.${role}`) ?? findMessage(`entity.type.${type}`) ?? ''}
              </small>
            </a>
            <a
              class="icon-button"
              href={`/admin/entities/${id}`}
              aria-label={t('action.changeName', { name })}
            >
              <Icon name="edit" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Takes the item out until one of its files changes. */
function Remove({ item: { id, title, libraryId } }: { readonly item: Item }) {
  async function remove(): Promise<void> {
    const isWanted = await confirm({
      title: t('admin.item.remove'),
      text: t('admin.item.removeQuestion', { title }),
      action: t('admin.item.remove'),
    });
    if (!isWanted) return;
    await attempt(
      async () => {
        await call('delete', '/api/items/{id}', { path: { id } });
        invalidate((topic) => topic === 'library');
        await go(`/libraries/${libraryId}`, { replace: true });
      },
      t('admin.item.removed', { title }),
    );
  }
  return (
    <section>
      <h2>{t('admin.item.remove')}</h2>
      <p class="fine">{t('admin.item.removeHint')}</p>
      <p class="buttons">
        <Button icon="trash" kind="danger" act={remove}>
          {t('admin.item.remove')}
        </Button>
      </p>
    </section>
  );
}
