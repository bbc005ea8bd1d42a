import { call } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate, useResource } from '../../../core/resource.ts';
import { AccessList } from './access-list.tsx';

const again = (): void => invalidate((topic) => topic === 'group');

/** Groups: sets of libraries that several users share. */
export function Groups() {
  const data = useResource('admin:groups', ['group', 'user'], async () => {
    const [{ groups }, { libraries }] = await Promise.all([
      call('get', '/api/groups', { query: { limit: 200 } }),
      call('get', '/api/libraries'),
    ]);
    return { all: groups, libraries };
  });
  return (
    <section>
      <h2>{t('groups.title')}</h2>
      <p class="fine">{t('groups.hint')}</p>
      <AccessList
        of={data}
        words={{ add: t('groups.add'), name: t('library.name'), hint: t('access.groupHint') }}
        line={({ name, libraryAccess, userCount }) => (
          <span>
            <bdi class="title">{name}</bdi>
            <small>
              {t('groups.facts', { libraries: libraryAccess.length, people: userCount })}
            </small>
          </span>
        )}
        mayBeAll={false}
        save={async (group, { name, libraryAccess }) => {
          const body = { name, libraryAccess: libraryAccess ?? [] };
          if (group === null) await call('post', '/api/groups', { body });
          else await call('patch', '/api/groups/{id}', { path: { id: group.id }, body });
          again();
        }}
        deletion={({ name }) => ({
          title: t('groups.delete'),
          text: t('groups.deleteQuestion', { name }),
          action: t('groups.delete'),
          done: t('groups.deleted', { name }),
        })}
        remove={async ({ id }) => {
          await call('delete', '/api/groups/{id}', { path: { id } });
          again();
        }}
      />
    </section>
  );
}
