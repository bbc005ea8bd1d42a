import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { go, type PageProps } from '../../core/router.ts';
import { viewer } from '../../core/session.ts';
import { confirm } from '../../ui/dialog.tsx';
import { textOf } from '../../ui/form-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { SendForm } from '../../ui/send-form.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { dateOf } from '../../ui/words.ts';
import { AdminPage } from './frame.tsx';
import { PersonAccess } from './people-parts/person-access.tsx';
import { PersonKeys, PersonSessions } from './people-parts/person-credentials.tsx';
import { PersonProfiles } from './people-parts/person-profiles.tsx';

const keyOf = (id: string): string => `admin:person:${id}`;
const topics = ['user', 'group'];
const loadOf = (id: string) => async () => {
  const [{ user }, { groups }, { libraries }] = await Promise.all([
    call('get', '/api/users/{id}', { path: { id } }),
    call('get', '/api/groups', { query: { limit: 200 } }),
    call('get', '/api/libraries'),
  ]);
  return { user, groups, libraries };
};

/** Reads the user before the page is shown. */
export const prepare = ({ parameters: { id = '' } }: PageProps): Promise<void> =>
  preload(keyOf(id), topics, loadOf(id));

/** One user: what they see, their profiles, where they are signed in, their keys. */
export default function AdminPersonPage({ parameters: { id = '' } }: PageProps) {
  const data = useResource(keyOf(id), topics, loadOf(id));
  return (
    <AdminPage title={data.value.value?.user.name ?? t('admin.people')}>
      <Ready of={data}>
        {({ user, groups, libraries }) => (
          <>
            <About user={user} />
            {user.role === 'admin' ? (
              <p class="fine">{t('people.adminSeesAll')}</p>
            ) : (
              <PersonAccess
                key={user.updatedAt}
                user={user}
                groups={groups}
                libraries={libraries}
              />
            )}
            <PersonProfiles userId={id} />
            <PersonSessions userId={id} />
            <PersonKeys userId={id} />
            <Password user={user} />
            {id !== viewer.value?.user.id && <Remove user={user} />}
          </>
        )}
      </Ready>
    </AdminPage>
  );
}

function About({ user }: { readonly user: Resources['User'] }) {
  const { role, disabled, lastSeenAt, requiresPasskey } = user;
  const facts = [
    t(`people.role.${role}`),
    disabled
      ? t('people.disabled')
      : lastSeenAt === null
        ? t('people.never')
        : t('people.seen', { date: dateOf(lastSeenAt) }),
    ...(requiresPasskey ? [t('people.needsPasskey')] : []),
  ];
  return <p class="facts">{facts.join(' · ')}</p>;
}

/** A new password, which ends the sessions of the user. */
function Password({ user: { id, name } }: { readonly user: Resources['User'] }) {
  async function save(form: HTMLFormElement): Promise<void> {
    await attempt(
      async () => {
        const password = new FormData(form).get('password');
        const body = {
          password: typeof password === 'string' ? password : '',
          endApiKeys: new FormData(form).has('keys'),
        };
        await call('post', '/api/users/{id}/password', { path: { id }, body });
        form.reset();
        invalidate((topic) => topic === 'user');
      },
      t('people.passwordSet', { name }),
    );
  }
  return (
    <section>
      <h2>{t('people.newPassword')}</h2>
      <p class="fine">{t('people.newPasswordHint')}</p>
      <SendForm send={save} action={t('people.setPassword')} isPlain>
        <label>
          {t('people.newPassword')}
          <input
            name="password"
            type="password"
            required
            minLength={10}
            maxLength={1000}
            autocomplete="new-password"
          />
        </label>
        <label class="check">
          <input type="checkbox" name="keys" />
          <span>{t('people.endKeysToo')}</span>
        </label>
      </SendForm>
    </section>
  );
}

function Remove({ user: { id, name } }: { readonly user: Resources['User'] }) {
  const typed = useSignal('');
  async function remove(): Promise<void> {
    const title = t('people.remove');
    const text = t('people.removeQuestion', { name });
    if (!(await confirm({ title, text, action: title }))) return;
    await attempt(
      async () => {
        await call('delete', '/api/users/{id}', { path: { id } });
        invalidate((topic) => topic === 'user');
        await go('/admin/people', { replace: true });
      },
      t('people.removed', { name }),
    );
  }
  return (
    <section>
      <h2>{t('people.remove')}</h2>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (textOf(event.currentTarget, 'name') === name) void remove();
        }}
      >
        <label>
          {t('people.removeType', { name })}
          <input
            name="name"
            autocomplete="off"
            value={typed.value}
            onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          />
        </label>
        <button type="submit" class="button danger" disabled={typed.value.trim() !== name}>
          <Icon name="trash" size={16} />
          {t('people.remove')}
        </button>
      </form>
    </section>
  );
}
