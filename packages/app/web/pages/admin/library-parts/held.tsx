import type { ComponentChildren } from 'preact';
import { call, type Resources } from '../../../core/api.ts';
import { findMessage, t } from '../../../core/messages.ts';
import { invalidate, useResource } from '../../../core/resource.ts';
import { Button } from '../../../ui/button.tsx';
import { Ready } from '../../../ui/states.tsx';
import { attempt } from '../../../ui/toast.tsx';
import { UnreadLine } from './unread-line.tsx';

/** Entries of a list that are shown at once. */
const mostShown = 100;

const reload = (): void => invalidate((topic) => topic === 'library' || topic === 'job');

/** What the library holds and does not show: unread files, removed titles, hidden entities. */
export function LibraryHeld({ id }: { readonly id: string }) {
  const held = useResource(`admin:held:${id}`, [`library:${id}`, 'library', 'entity'], async () => {
    const asked = { path: { id }, query: { limit: mostShown } };
    const [unread, removed, hidden] = await Promise.all([
      call('get', '/api/libraries/{id}/unread-files', asked),
      call('get', '/api/libraries/{id}/removed-files', asked),
      call('get', '/api/libraries/{id}/hidden-entities', asked),
    ]);
    return { unread, removed, hidden };
  });
  return (
    <Ready of={held}>
      {({ unread, removed, hidden }) => (
        <>
          <List
            title={t('held.unread')}
            hint={t('held.unreadHint')}
            list={unread.files}
            more={unread}
          >
            {unread.files.map((file) => (
              <Unread key={file.fileId} file={file} />
            ))}
          </List>
          <List
            title={t('held.removed')}
            hint={t('held.removedHint')}
            list={removed.files}
            more={removed}
          >
            {removed.files.map((file) => (
              <li key={file.fileId}>
                <code>
                  <bdi>{file.path}</bdi>
                </code>
                <ShowAgain name={file.path} show={() => restore(id, [file])} />
              </li>
            ))}
          </List>
          {removed.files.length > 1 && (
            <p class="buttons">
              <Button icon="eye" act={() => restore(id, removed.files)}>
                {t('held.showAll')}
              </Button>
            </p>
          )}
          <List
            title={t('held.hidden')}
            hint={t('held.hiddenHint')}
            list={hidden.entities}
            more={hidden}
          >
            {hidden.entities.map((entity) => (
              <li key={entity.id}>
                <a href={`/admin/entities/${entity.id}`}>
                  <bdi>{entity.name}</bdi>{' '}
                  <small>{findMessage(`entity.type.${entity.type}`) ?? ''}</small>
                </a>
                <ShowAgain name={entity.name} show={() => showEntity(entity.id)} />
              </li>
            ))}
          </List>
        </>
      )}
    </Ready>
  );
}

/** A list with its title; nothing where it is empty. */
function List({
  title,
  hint,
  list,
  more,
  children,
}: {
  readonly title: string;
  readonly hint: string;
  readonly list: readonly unknown[];
  readonly more: { readonly nextCursor: string | null };
  readonly children: ComponentChildren;
}) {
  if (list.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <p class="fine">{hint}</p>
      <ul class="lines" aria-label={title}>
        {children}
      </ul>
      {more.nextCursor !== null && <p class="fine">{t('held.more', { count: list.length })}</p>}
    </section>
  );
}

function Unread({ file }: { readonly file: Resources['UnreadFile'] }) {
  const { itemId, title, path, code, message } = file;
  const name = (
    <a href={`/admin/items/${itemId}`}>
      <bdi>{path}</bdi>
    </a>
  );
  return (
    <UnreadLine code={code} message={message} name={name}>
      <Button
        icon="refresh"
        label={t('held.readAgainName', { title })}
        act={() =>
          attempt(
            () => call('post', '/api/items/{id}/refresh', { path: { id: itemId } }),
            t('admin.item.refreshing'),
          )
        }
      >
        {t('held.readAgain')}
      </Button>
    </UnreadLine>
  );
}

const ShowAgain = ({
  name,
  show,
}: {
  readonly name: string;
  readonly show: () => Promise<unknown>;
}) => (
  <Button icon="eye" label={t('held.showName', { name })} act={show}>
    {t('held.show')}
  </Button>
);

const restore = (id: string, files: readonly Resources['RemovedFile'][]): Promise<unknown> =>
  attempt(async () => {
    const fileIds = files.map(({ fileId }) => fileId);
    await call('post', '/api/libraries/{id}/removed-files/restore', {
      path: { id },
      body: { fileIds },
    });
    reload();
  }, t('held.restoring'));

const showEntity = (id: string): Promise<unknown> =>
  attempt(async () => {
    await call('patch', '/api/entities/{id}', { path: { id }, body: { hidden: false } });
    reload();
  }, t('held.isShown'));
