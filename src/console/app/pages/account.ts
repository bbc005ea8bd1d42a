import { call, get, post } from '../api.ts';
import { announce, el, fill, type Child } from '../../../../packages/page-kit/index.ts';
import { actionButton, form, type Field } from '../form.ts';
import type { Me } from '../api.ts';
import type { PageParts } from '../page.ts';
import { canUsePasskeys, isAtHostName, makePasskey } from '../passkeys.ts';
import { getLinks, identityPart } from './identity.ts';
import { passwordField } from './password-field.ts';

interface Session {
  readonly id: string;
  readonly deviceName: string | null;
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
  readonly isSynced: boolean;
}

/** The page for one's own account. */
export async function accountPage({ place, me }: PageParts): Promise<void> {
  document.title = 'Account · Vitrine';
  place.classList.add('narrow');
  const [{ sessions }, { passkeys }, links] = await Promise.all([
    get<{ sessions: readonly Session[] }>('/api/auth/sessions'),
    get<{ passkeys: readonly Passkey[] }>('/api/auth/passkeys'),
    getLinks(),
  ]);
  const again = (): Promise<void> => accountPage({ place, me });
  fill(
    place,
    el('h1', {}, me.user.name),
    el('p', { class: 'quiet' }, `Role: ${me.user.role}`),
    actionButton('Sign out', async () => {
      await post('/api/auth/logout');
      location.replace('/sign-in');
    }),
    section('Passkeys', passkeysOf(passkeys, me, again)),
    section('Password', passwordForm(me)),
    (links.identityUrl !== null || links.links.length > 0) &&
      section('Identity', identityPart(links, me)),
    section('Signed in', sessionsOf(sessions, again)),
  );
}

const section = (heading: string, ...children: readonly Child[]): HTMLElement =>
  el('section', {}, el('h2', {}, heading), el('div', { class: 'card' }, children));

function passkeysOf(
  passkeys: readonly Passkey[],
  { user }: Me,
  again: () => Promise<void>,
): HTMLElement {
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
          name: 'passkey',
          fields: [
            {
              name: 'name',
              label: 'Name of a new passkey',
              hint: 'Such as: my phone.',
              attributes: { maxlength: 100, autocomplete: 'off' },
            },
            ...(user.hasPassword ? [currentPassword] : []),
          ],
          submit: 'Create a passkey',
          send: async ({ name = '', currentPassword: password = '' }) => {
            await makePasskey(name, password);
            await again();
          },
        })
      : el('p', {}, whyNone()),
  );
}

const whyNone = (): string =>
  isAtHostName()
    ? 'This browser does not support passkeys, or the page was not loaded over https.'
    : 'Passkeys need a host name: open this page with a host name, such as localhost, not with an IP address.';

const currentPassword: Field = {
  name: 'currentPassword',
  label: 'Your password',
  attributes: { type: 'password', autocomplete: 'current-password', maxlength: 1000 },
};

const passwordForm = ({ user }: Me): HTMLElement =>
  form({
    name: 'password',
    fields: [
      ...(user.hasPassword ? [currentPassword] : []),
      { ...passwordField, label: 'New password' },
      {
        name: 'endApiKeys',
        label: 'API keys',
        hint: 'End them if another person may have known the old password.',
        options: [
          ['', 'Keep my API keys'],
          ['yes', 'End my API keys too'],
        ],
      },
    ],
    submit: 'Change the password',
    send: async ({ currentPassword: known, password: newPassword, endApiKeys }) => {
      const change = {
        newPassword,
        endApiKeys: endApiKeys === 'yes',
        ...(known !== undefined && { currentPassword: known }),
      };
      await post('/api/auth/password', change);
      announce('The password was changed. All other devices are signed out.');
      location.reload();
    },
  });

function sessionsOf(sessions: readonly Session[], again: () => Promise<void>): HTMLElement {
  return el(
    'ul',
    { class: 'list' },
    sessions.map(({ id, deviceName, userAgent, address, lastSeenAt, isCurrent }) =>
      el(
        'li',
        {},
        el(
          'span',
          {},
          deviceName ?? userAgent ?? 'Unknown app',
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
