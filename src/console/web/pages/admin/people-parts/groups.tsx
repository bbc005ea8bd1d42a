import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate, useResource } from '../../../core/resource.ts';
import { confirm, Dialog } from '../../../ui/dialog.tsx';
import { textOf } from '../../../ui/form-text.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Ready } from '../../../ui/states.tsx';
import { attempt } from '../../../ui/toast.tsx';
import { accessOf, LibraryAccessFields } from './library-access.tsx';

type Group = Resources['Group'];

const again = (): void => invalidate((topic) => topic === 'group');

/** Groups: sets of libraries that several users share. */
export function Groups() {
  const open = useSignal<Group | 'new' | null>(null);
  const data = useResource('admin:groups', ['group', 'user'], async () => {
    const [{ groups }, { libraries }] = await Promise.all([
      call('get', '/api/groups', { query: { limit: 200 } }),
      call('get', '/api/libraries'),
    ]);
    return { groups, libraries };
  });
  return (
    <section>
      <h2>{t('groups.title')}</h2>
      <p class="fine">{t('groups.hint')}</p>
      <Ready of={data}>
        {({ groups, libraries }) => (
          <>
            <ul class="lines">
              {groups.map((group) => (
                <li key={group.id}>
                  <span>
                    <bdi class="title">{group.name}</bdi>
                    <small>
                      {t('groups.facts', {
                        libraries: group.libraryAccess.length,
                        people: group.userCount,
                      })}
                    </small>
                  </span>
                  <button
                    type="button"
                    class="icon-button"
                    aria-label={t('action.changeName', { name: group.name })}
                    onClick={() => (open.value = group)}
                  >
                    <Icon name="edit" />
                  </button>
                </li>
              ))}
            </ul>
            {open.value !== null && (
              <GroupForm
                group={open.value === 'new' ? null : open.value}
                libraries={libraries}
                close={() => (open.value = null)}
              />
            )}
          </>
        )}
      </Ready>
      <p class="buttons">
        <button type="button" class="button" onClick={() => (open.value = 'new')}>
          <Icon name="plus" size={16} />
          {t('groups.add')}
        </button>
      </p>
    </section>
  );
}

function GroupForm({
  group,
  libraries,
  close,
}: {
  readonly group: Group | null;
  readonly libraries: readonly Resources['Library'][];
  readonly close: () => void;
}) {
  const access = group?.libraryAccess ?? [];
  async function save(form: HTMLFormElement): Promise<void> {
    const body = {
      name: textOf(form, 'name'),
      libraryAccess: accessOf(form, { access, libraries }),
    };
    const isSaved = await attempt(async () => {
      if (group === null) await call('post', '/api/groups', { body });
      else await call('patch', '/api/groups/{id}', { path: { id: group.id }, body });
      again();
    }, t('people.saved'));
    if (isSaved) close();
  }
  async function remove({ id, name }: Group): Promise<void> {
    const title = t('groups.delete');
    const text = t('groups.deleteQuestion', { name });
    if (!(await confirm({ title, text, action: title }))) return;
    const isGone = await attempt(
      async () => {
        await call('delete', '/api/groups/{id}', { path: { id } });
        again();
      },
      t('groups.deleted', { name }),
    );
    if (isGone) close();
  }
  return (
    <Dialog title={group?.name ?? t('groups.add')} onClose={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        <label>
          {t('library.name')}
          <input
            name="name"
            required
            maxLength={100}
            autocomplete="off"
            defaultValue={group?.name ?? ''}
          />
        </label>
        <LibraryAccessFields
          legend={t('nav.libraries')}
          hint={t('access.groupHint')}
          access={access}
          libraries={libraries}
        />
        <p class="buttons">
          <button type="submit" class="button primary">
            {t('action.save')}
          </button>
          {group !== null && (
            <button type="button" class="button danger" onClick={() => void remove(group)}>
              {t('groups.delete')}
            </button>
          )}
        </p>
      </form>
    </Dialog>
  );
}
