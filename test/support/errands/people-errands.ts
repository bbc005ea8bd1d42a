import type {
  CreationOptions,
  RequestOptions,
} from '../../../src/people/accounts/passkeys/browser-options.ts';
import { makePasskey } from '../people/authenticator.ts';
import { password, type Errand, type ErrandWorld, type Thing } from './errand.ts';

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

async function newcomer({ ask, no }: ErrandWorld, more: object = {}) {
  const name = `Grace ${no}`;
  const { user } = await ask<{ user: Thing }>('POST', '/api/users', {
    body: { name, password, ...more },
  });
  const { sessionToken: token } = await ask<{ sessionToken: string }>('POST', '/api/auth/login', {
    body: { name, password, deviceName: 'Telly' },
    token: '',
  });
  return { id: user.id, name, token };
}

/** Users, sessions and passkeys, profiles, groups, invites and keys. */
export const peopleErrands = (libraryId: string, origin: string): readonly Errand[] => [
  {
    name: 'users',
    run: async (world) => {
      const { ask, no } = world;
      const { id, name, token } = await newcomer(world);
      await ask('GET', '/api/auth/me', { token });
      const { sessions } = await ask<{ sessions: readonly Thing[] }>('GET', '/api/auth/sessions', {
        token,
      });
      await ask('POST', '/api/auth/login', { body: { name, password }, token: '' });
      await ask('DELETE', `/api/auth/sessions/${sessions[0]?.id ?? ''}`, { token, may: [404] });
      const again = await ask<{ sessionToken: string }>('POST', '/api/auth/login', {
        body: { name, password },
        token: '',
      });
      const newPassword = `${password} staple`;
      await ask('POST', '/api/auth/password', {
        body: { currentPassword: password, newPassword },
        token: again.sessionToken,
      });
      await ask('DELETE', '/api/auth/sessions', { token: again.sessionToken, may: [401] });
      await ask('POST', `/api/users/${id}/password`, { body: { password } });
      await ask('GET', `/api/users/${id}`);
      const access = [{ libraryId, maxRating: null }];
      await ask('PATCH', `/api/users/${id}`, {
        body: { name: `Hopper ${no}`, role: 'guest', libraryAccess: access },
      });
      await ask('PATCH', `/api/users/${id}`, { body: { disabled: true } });
      await ask('GET', '/api/users?limit=3');
      await ask('DELETE', `/api/users/${id}`);
    },
  },
  {
    name: 'somebody who may see a part',
    run: async (world) => {
      const { ask } = world;
      const libraryAccess = [{ libraryId, maxRating: 'PG-13' }];
      const { id, token } = await newcomer(world, { role: 'user', libraryAccess });
      const { items } = await ask<{ items: readonly Thing[] }>('GET', '/api/items?limit=5');
      const item = `/api/items/${items[0]?.id ?? ''}`;
      for (const route of [
        '/api/libraries',
        '/api/search?q=Film',
        '/api/search?q=Actor',
        '/api/entities?type=person',
        '/api/continue-watching',
        '/api/next-up',
        '/api/collections',
        item,
        `${item}/playback`,
        '/api/items?sortBy=addedAt&sortOrder=desc&limit=5',
      ])
        await ask('GET', route, { token, may: [404] });
      await ask('PUT', `${item}/playback`, {
        body: { position: 10, duration: 100 },
        token,
        may: [404],
      });
      await ask('POST', '/api/auth/logout', { token });
      await ask('DELETE', `/api/users/${id}`);
    },
  },
  {
    name: 'passkeys',
    run: async (world) => {
      const { ask } = world;
      const { id, token } = await newcomer(world);
      const { options } = await ask<{ options: CreationOptions }>(
        'POST',
        '/api/auth/passkeys/options',
        { body: { password }, token },
      );
      const made = makePasskey(options, origin);
      const { passkey } = await ask<{ passkey: Thing }>('POST', '/api/auth/passkeys', {
        body: { name: 'Phone', passkey: made.registration },
        token,
        isOnce: true,
      });
      const asked = await ask<{ options: RequestOptions }>(
        'POST',
        '/api/auth/login/passkey/options',
        { token: '' },
      );
      await ask('POST', '/api/auth/login/passkey', {
        body: { passkey: made.sign(asked.options) },
        token: '',
        isOnce: true,
      });
      await ask('PATCH', `/api/auth/passkeys/${passkey.id}`, {
        body: { name: 'Old phone' },
        token,
      });
      await ask('PATCH', '/api/auth/me', { body: { requiresPasskey: true, password }, token });
      await ask('PATCH', '/api/auth/me', { body: { requiresPasskey: false, password }, token });
      await ask('GET', '/api/auth/passkeys', { token });
      await ask('DELETE', `/api/auth/passkeys/${passkey.id}`, { token });
      await ask('DELETE', `/api/users/${id}`);
    },
  },
  {
    name: 'profiles',
    run: async (world) => {
      const { ask, no } = world;
      const { id: userId, token } = await newcomer(world);
      const { profile } = await ask<{ profile: Thing }>('POST', '/api/profiles', {
        body: { name: `Child ${no}`, userId, pin: '1234', libraryAccess: null },
      });
      const route = `/api/profiles/${profile.id}`;
      await ask('POST', `${route}/unlock`, { body: { pin: '4321' }, token, may: [403] });
      await ask('POST', `${route}/unlock`, { body: { pin: '1234' }, token });
      const image = picture.toString('base64');
      await ask('PUT', `${route}/avatar`, { body: { image } });
      await ask('GET', `${route}/avatar`);
      await ask('PATCH', route, {
        body: { name: `Grown ${no}`, pin: null, libraryAccess: [{ libraryId, maxRating: null }] },
      });
      await ask('PATCH', route, { body: { isDefault: true } });
      await ask('GET', route);
      await ask('GET', `/api/profiles?userId=${userId}&limit=2`);
      await ask('GET', '/api/profiles?limit=2');
      const other = await ask<{ profile: Thing }>('POST', '/api/profiles', {
        body: { name: `Other ${no}`, userId },
      });
      await ask('DELETE', `/api/profiles/${other.profile.id}`);
      await ask('DELETE', `/api/users/${userId}`);
    },
  },
  {
    name: 'groups and invites',
    run: async ({ ask, no }) => {
      const access = [{ libraryId, maxRating: null }];
      const { group } = await ask<{ group: Thing }>('POST', '/api/groups', {
        body: { name: `Family ${no}`, libraryAccess: access },
      });
      await ask('PATCH', `/api/groups/${group.id}`, {
        body: { name: `Cousins ${no}`, libraryAccess: [] },
      });
      await ask('GET', `/api/groups/${group.id}`);
      const { invite } = await ask<{ invite: Thing & { token: string } }>('POST', '/api/invites', {
        body: { role: 'user', groupIds: [group.id], libraryAccess: access, maxUses: 2 },
      });
      const { token } = invite;
      await ask('GET', `/api/invites/${token}`, { token: '' });
      const name = `Barbara ${no}`;
      const { user } = await ask<{ user: Thing }>('POST', `/api/invites/${token}/redeem`, {
        body: { name, password },
        token: '',
      });
      await ask('DELETE', `/api/users/${user.id}`);
      await ask('GET', '/api/invites?limit=3');
      await ask('DELETE', `/api/invites/${invite.id}`);
      await ask('DELETE', `/api/groups/${group.id}`);
    },
  },
  {
    name: 'keys',
    run: async ({ ask, no }) => {
      const { apiKey, token } = await ask<{ apiKey: Thing; token: string }>(
        'POST',
        '/api/api-keys',
        { body: { name: `Robot ${no}`, role: 'user', expiresAt: null } },
      );
      await ask('GET', '/api/items?limit=1', { token });
      await ask('GET', '/api/api-keys?limit=3');
      await ask('DELETE', `/api/api-keys/${apiKey.id}`);
      await ask('GET', '/api/items?limit=1', { token, may: [401] });
    },
  },
];
