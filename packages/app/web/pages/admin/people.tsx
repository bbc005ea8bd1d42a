import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { viewer } from '../../core/session.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { dateOf } from '../../ui/words.ts';
import { AddPerson } from './people-parts/add-person.tsx';
import { AdminPage } from './frame.tsx';
import { Groups } from './people-parts/groups.tsx';

const [key, topics] = ['admin:people', ['user', 'invite']];
const load = async () => {
  const [users, invites] = await Promise.all([
    call('get', '/api/users'),
    call('get', '/api/invites'),
  ]);
  return { users: users.users, invites: invites.invites };
};
const changed = (): void => invalidate((topic) => topic === 'user');

/** Reads users and invites before the page is shown. */
export const prepare = (): Promise<void> => preload(key, topics, load);

const roles = ['guest', 'user', 'admin'] as const;

/** Who may use the server, and how others are let in. */
export default function PeoplePage() {
  const people = useResource(key, topics, load);
  return (
    <AdminPage title={t('admin.people')}>
      <Ready of={people}>
        {({ users, invites }) => (
          <>
            <ul class="lines">
              {users.map((user) => (
                <UserLine key={user.id} user={user} />
              ))}
            </ul>
            <AddPerson />
            <Invites invites={invites} />
            <Groups />
          </>
        )}
      </Ready>
    </AdminPage>
  );
}

function UserLine({
  user: { id, name, role, disabled, lastSeenAt },
}: {
  readonly user: Resources['User'];
}) {
  const isMe = id === viewer.value?.user.id;
  const change =
    (body: { readonly role?: (typeof roles)[number]; readonly disabled?: boolean }) => () =>
      void attempt(async () => {
        await call('patch', '/api/users/{id}', { path: { id }, body });
        changed();
      }, t('people.saved'));
  return (
    <li>
      <span>
        <a href={`/admin/people/${id}`}>
          <bdi class="title">{name}</bdi>
        </a>
        <small>
          {disabled
            ? t('people.disabled')
            : lastSeenAt == null
              ? t('people.never')
              : t('people.seen', { date: dateOf(lastSeenAt) })}
        </small>
      </span>
      <label>
        <span class="unseen">{t('people.roleOf', { name })}</span>
        <select
          class="chip"
          value={role}
          disabled={isMe}
          onChange={({ currentTarget }) =>
            change({ role: currentTarget.value as (typeof roles)[number] })()
          }
        >
          {roles.map((one) => (
            <option key={one} value={one}>
              {t(`people.role.${one}`)}
            </option>
          ))}
        </select>
      </label>
      {!isMe && (
        <Button onClick={change({ disabled: !disabled })}>
          {t(disabled ? 'people.enable' : 'people.disable')}
        </Button>
      )}
    </li>
  );
}

function Invites({ invites }: { readonly invites: readonly Resources['Invite'][] }) {
  const link = useSignal<string | null>(null);
  const role = useSignal<(typeof roles)[number]>('user');
  const invite = () =>
    attempt(async () => {
      const made = await call('post', '/api/invites', { body: { role: role.value } });
      link.value = new URL(made.url, location.origin).href;
      changed();
    });
  return (
    <section>
      <h2>{t('people.invites')}</h2>
      <p class="buttons">
        <label>
          <span class="unseen">{t('people.inviteRole')}</span>
          <select
            class="chip"
            value={role.value}
            onChange={({ currentTarget }) => (role.value = currentTarget.value as 'user')}
          >
            {roles.map((one) => (
              <option key={one} value={one}>
                {t(`people.role.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <Button kind="primary" act={invite}>
          <Icon name="plus" />
          {t('people.invite')}
        </Button>
      </p>
      {link.value !== null && (
        <p class="panel invite" role="status">
          {t('people.link')}{' '}
          <input
            readOnly
            value={link.value}
            aria-label={t('people.link')}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <Button
            act={() => {
              void navigator.clipboard.writeText(link.value ?? '').then(
                () => say(t('people.copied')),
                () => say(t('people.copyFailed')),
              );
            }}
          >
            {t('people.copy')}
          </Button>
        </p>
      )}
      <ul class="lines">
        {invites.map(({ id, role: given, useCount, maxUses, expiresAt }) => (
          <li key={id}>
            <span>
              {t(`people.role.${given}`)}
              <small>
                {t('people.inviteState', {
                  used: useCount,
                  most: maxUses,
                  date: dateOf(expiresAt),
                })}
              </small>
            </span>
            <Button
              kind="danger"
              act={() =>
                attempt(async () => {
                  await call('delete', '/api/invites/{id}', { path: { id } });
                  changed();
                }, t('people.withdrawn'))
              }
            >
              {t('people.withdraw')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
