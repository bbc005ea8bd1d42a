import { call } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate } from '../../../core/resource.ts';
import { go } from '../../../core/router.ts';
import { textOf } from '../../../ui/form-text.ts';
import { Icon } from '../../../ui/icon.tsx';
import { SendForm } from '../../../ui/send-form.tsx';
import { attempt } from '../../../ui/toast.tsx';

const roles = ['user', 'guest', 'admin'] as const;

/** Makes a user with a first password, for people who do not take an invite. */
export function AddPerson() {
  async function add(form: HTMLFormElement): Promise<void> {
    await attempt(async () => {
      const password = new FormData(form).get('password');
      const { user } = await call('post', '/api/users', {
        body: {
          name: textOf(form, 'name'),
          password: typeof password === 'string' ? password : '',
          role: textOf(form, 'role') as (typeof roles)[number],
        },
      });
      invalidate((topic) => topic === 'user');
      await go(`/admin/people/${user.id}`);
    });
  }
  return (
    <details class="panel">
      <summary>
        <Icon name="plus" />
        {t('people.add')}
      </summary>
      <SendForm send={add} action={t('people.add')}>
        <label>
          {t('library.name')}
          <input name="name" required maxLength={100} autocomplete="off" />
        </label>
        <label>
          {t('people.firstPassword')}
          <input
            name="password"
            type="password"
            required
            minLength={10}
            maxLength={1000}
            autocomplete="new-password"
          />
        </label>
        <label>
          {t('people.role')}
          <select name="role">
            {roles.map((role) => (
              <option key={role} value={role}>
                {t(`people.role.${role}`)}
              </option>
            ))}
          </select>
        </label>
      </SendForm>
    </details>
  );
}
