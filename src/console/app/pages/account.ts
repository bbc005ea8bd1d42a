import { call, get, post } from '../api.ts';
import { announce, el, fill, type Child } from '../dom.ts';
import { actionButton, form } from '../form.ts';
import type { PageParts } from '../page.ts';
import { canUsePasskeys, makePasskey } from '../passkeys.ts';
import { passwordField } from './password-field.ts';

interface Session {
  readonly id: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly lastSeenAt: string;
  readonly isCurrent: boolean;
}

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** What somebody may do with their own account. */
export async function accountPage({ place, me }: PageParts): Promise<void> {
  document.title = 'Account · Vitrine';
  place.classList.add('narrow');
  const [{ sessions }, { passkeys }] = await Promise.all([
    get<{ sessions: readonly Session[] }>('/api/auth/sessions'),
    get<{ passkeys: readonly Passkey[] }>('/api/auth/passkeys'),
  ]);
  const again = (): Promise<void> => accountPage({ place, id: '', me });
  fill(
    place,
    el('h1', {}, me.user.name),
    el('p', { class: 'quiet' }, `Role: ${me.user.role}`),
    actionButton('Sign out', async () => {
      await post('/api/auth/logout');
      location.replace('/sign-in');
    }),
    section('Passkeys', passkeysOf(passkeys, again)),
    section('Password', passwordForm()),
    section('Signed in', sessionsOf(sessions, again)),
  );
}

const section = (heading: string, ...children: readonly Child[]): HTMLElement =>
  el('section', {}, el('h2', {}, heading), el('div', { class: 'card' }, children));

function passkeysOf(passkeys: readonly Passkey[], again: () => Promise<void>): HTMLElement {
  return el(
    'div',
    {},
    passkeys.length === 0 &&
      el('p', {}, 'A passkey signs you in with your fingerprint, face or device PIN.'),
    el(
      'ul',
      { class: 'list' },
      passkeys.map(({ id, name, lastUsedAt }) =>
        el(
          'li',
          {},
          el('span', {}, name, ' ', el('small', {}, `last used ${when(lastUsedAt)}`)),
          actionButton(
            'Remove',
            async () => {
              await call('DELETE', `/api/auth/passkeys/${encodeURIComponent(id)}`);
              await again();
            },
            { class: 'danger', 'aria-label': `Remove the passkey ${name}` },
          ),
        ),
      ),
    ),
    canUsePasskeys()
      ? form({
          fields: [
            { name: 'name', label: 'Name of a new passkey', attributes: { maxlength: 100 } },
          ],
          submit: 'Make a passkey',
          send: async ({ name = '' }) => {
            await makePasskey(name);
            await again();
          },
        })
      : el('p', {}, 'This browser has no passkeys.'),
  );
}

const passwordForm = (): HTMLElement =>
  form({
    fields: [
      {
        name: 'oldPassword',
        label: 'Password until now',
        attributes: { type: 'password', autocomplete: 'current-password', maxlength: 1000 },
      },
      { ...passwordField, label: 'New password' },
    ],
    submit: 'Change the password',
    send: async ({ oldPassword, password }) => {
      await post('/api/auth/password', { oldPassword, password });
      announce('The password is changed. All other devices are signed out.');
      location.reload();
    },
  });

function sessionsOf(sessions: readonly Session[], again: () => Promise<void>): HTMLElement {
  return el(
    'ul',
    { class: 'list' },
    sessions.map(({ id, userAgent, address, lastSeenAt, isCurrent }) =>
      el(
        'li',
        {},
        el(
          'span',
          {},
          userAgent ?? 'Unknown program',
          el('br'),
          el('small', {}, `${address ?? 'unknown address'} · ${when(lastSeenAt)}`),
        ),
        isCurrent
          ? el('small', {}, 'this one')
          : actionButton(
              'Sign out',
              async () => {
                await call('DELETE', `/api/auth/sessions/${encodeURIComponent(id)}`);
                await again();
              },
              { class: 'danger' },
            ),
      ),
    ),
  );
}

const when = (timestamp: string | null): string =>
  timestamp === null ? 'never' : new Date(timestamp).toLocaleString();
