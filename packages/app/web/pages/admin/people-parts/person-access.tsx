import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate } from '../../../core/resource.ts';
import { SendForm } from '../../../ui/send-form.tsx';
import { attempt } from '../../../ui/toast.tsx';
import { accessOf, LibraryAccessFields } from './library-access.tsx';

/** Which libraries a user sees, by themselves and by their groups. */
export function PersonAccess({
  user,
  groups,
  libraries,
}: {
  readonly user: Resources['User'];
  readonly groups: readonly Resources['Group'][];
  readonly libraries: readonly Resources['Library'][];
}) {
  const { id, libraryAccess, groupIds } = user;
  const all = useSignal(libraryAccess === null);
  async function save(form: HTMLFormElement): Promise<void> {
    await attempt(async () => {
      const body = {
        libraryAccess: all.value ? null : accessOf(form, { access: libraryAccess, libraries }),
        groupIds: new FormData(form).getAll('group').map(String),
      };
      await call('patch', '/api/users/{id}', { path: { id }, body });
      invalidate((topic) => topic === 'user');
    }, t('people.saved'));
  }
  return (
    <section>
      <h2>{t('access.title')}</h2>
      <SendForm send={save} action={t('action.save')}>
        <LibraryAccessFields
          legend={t('nav.libraries')}
          hint={t('access.userHint')}
          access={libraryAccess}
          libraries={libraries}
          all={all}
        />
        {groups.length > 0 && !all.value && (
          <fieldset class="group">
            <legend>{t('groups.title')}</legend>
            {groups.map(({ id: groupId, name }) => (
              <label key={groupId} class="check">
                <input
                  type="checkbox"
                  name="group"
                  value={groupId}
                  defaultChecked={groupIds.includes(groupId)}
                />
                <span>
                  <bdi>{name}</bdi>
                </span>
              </label>
            ))}
          </fieldset>
        )}
      </SendForm>
    </section>
  );
}
