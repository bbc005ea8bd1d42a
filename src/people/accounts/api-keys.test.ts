import { beforeEach, describe, expect, test } from 'vitest';
import {
  makeUser,
  openTestAccounts,
  signIn,
  type TestAccounts,
} from '../../../test/support/people/accounts.ts';
import {
  fullVisibility,
  serverViewer,
  visibilityOfLibraries,
  type Role,
  type Viewer,
} from '../viewer/index.ts';
import type { User } from '../../contract/resources/accounts/accounts.ts';

let parts: TestAccounts;
let anna: User;
let asAnna: Viewer;

beforeEach(async () => {
  parts = await openTestAccounts();
  anna = await makeUser(parts.accounts, 'Anna', 'admin');
  asAnna = (await signIn(parts.accounts, 'Anna')).viewer;
});

const keys = () => parts.accounts.apiKeys;
const adminToken = `vtk_${'0123456789abcdef'.repeat(4)}`;
const guest = { name: 'Television', role: 'guest' } as const;

/** A new user with a role and a session. */
async function as(name: string, role: Role): Promise<Viewer> {
  await makeUser(parts.accounts, name, role);
  return (await signIn(parts.accounts, name)).viewer;
}

/** The viewer of a token. */
async function viewerOf(token: string): Promise<Viewer> {
  const caller = await parts.accounts.authenticate({ authorization: `Bearer ${token}` });
  if (!caller) throw new Error('Nobody stands behind the token.');
  return caller.viewer;
}

describe('an API key', () => {
  test('is vtk_ and 64 hex digits, shown once, and only its SHA-256 is kept', async () => {
    const { apiKey, token } = await keys().create(guest, asAnna);

    expect(token).toMatch(/^vtk_[0-9a-f]{64}$/);
    const rows: unknown = await parts.database.read('api_keys').select('*');
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
    expect(JSON.stringify(await keys().list(asAnna, {}))).not.toContain(token.slice(4));
    expect(apiKey).toEqual({
      id: expect.any(String),
      userId: anna.id,
      name: 'Television',
      role: 'guest',
      scopes: null,
      createdAt: '2026-11-21T07:44:53.000Z',
      expiresAt: null,
      lastUsedAt: null,
    });
  });

  test('acts for its user, with its role and its scopes', async () => {
    const scopes = ['read-only', 'library:films', 'library:series', 'route:GET /api/items/:id'];
    const { apiKey, token } = await keys().create({ ...guest, scopes }, asAnna);

    expect(await keys().principalOf(token)).toEqual({
      credentialId: apiKey.id,
      credentialKind: 'api-key',
      userId: anna.id,
      role: 'guest',
      isReadOnly: true,
      scope: visibilityOfLibraries(['films', 'series']),
      routes: ['GET /api/items/:id'],
    });
  });

  test.each([
    [null, false, fullVisibility, null],
    [[], false, visibilityOfLibraries([]), []],
    [['read-only'], true, fullVisibility, null],
    [['library:films'], false, visibilityOfLibraries(['films']), null],
    [['read-only', 'library:films'], true, visibilityOfLibraries(['films']), null],
    [['route:GET /api/items/:id'], false, fullVisibility, ['GET /api/items/:id']],
  ])(
    'with the scopes %j is limited by the kinds that they name, and no other',
    async (scopes, isReadOnly, scope, routes) => {
      const { token } = await keys().create({ ...guest, scopes }, asAnna);

      expect(await keys().principalOf(token)).toMatchObject({ isReadOnly, scope, routes });
    },
  );

  test('has its user’s role by default, and never a higher one', async () => {
    const bert = await as('Bert', 'user');

    expect((await keys().create({ name: 'Mine' }, bert)).apiKey.role).toBe('user');
    await expect(keys().create({ name: 'More', role: 'admin' }, bert)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'role must be at most your own, which is user.',
    });
  });

  test('loses rights with its user’s role, from the next request on', async () => {
    const bert = await as('Bert', 'admin');
    const { token } = await keys().create({ name: 'Was admin', role: 'admin' }, bert);
    expect(await keys().principalOf(token)).toMatchObject({ role: 'admin' });

    await parts.accounts.users.update(bert.userId, { role: 'guest' }, asAnna);

    expect(await keys().principalOf(token)).toMatchObject({ role: 'guest' });
  });

  test('is not valid while its user is disabled, or after the user is removed', async () => {
    const bert = await as('Bert', 'user');
    const { apiKey, token } = await keys().create({ name: 'Player' }, bert);
    const { users } = parts.accounts;

    await users.update(bert.userId, { disabled: true }, asAnna);
    expect(await keys().principalOf(token)).toBeNull();
    expect(await keys().isValid(apiKey.id)).toBe(false);
    await users.update(bert.userId, { disabled: false }, asAnna);
    expect(await keys().principalOf(token)).not.toBeNull();
    await users.remove(bert.userId, asAnna);
    expect(await keys().principalOf(token)).toBeNull();
    expect((await keys().list(asAnna, {})).apiKeys).toEqual([]);
  });

  test('is not valid after it expires, although it was cached', async () => {
    const expiresAt = new Date(parts.clock.now() + 1000).toISOString();
    const { token } = await keys().create({ ...guest, expiresAt }, asAnna);
    expect(await keys().principalOf(token)).not.toBeNull();

    await parts.clock.advance(1000);

    expect(await keys().principalOf(token)).toBeNull();
  });

  test('is not valid after it is removed, although it was cached', async () => {
    const { apiKey, token } = await keys().create(guest, asAnna);
    expect(await keys().principalOf(token)).not.toBeNull();
    expect(await parts.accounts.isValid(apiKey.id)).toBe(true);

    await keys().remove(apiKey.id, asAnna);

    expect(await keys().principalOf(token)).toBeNull();
    expect(await parts.accounts.isValid(apiKey.id)).toBe(false);
  });

  test('stores when it was last used, with at most one write a minute', async () => {
    const { token } = await keys().create(guest, asAnna);
    const lastUsedAt = async () => {
      await keys().close();
      return (await keys().list(asAnna, {})).apiKeys[0]?.lastUsedAt;
    };

    await keys().principalOf(token);
    expect(await lastUsedAt()).toBe('2026-11-21T07:44:53.000Z');
    await parts.clock.advance(59_000);
    await keys().principalOf(token);
    expect(await lastUsedAt()).toBe('2026-11-21T07:44:53.000Z');
    await parts.clock.advance(1_000);
    await keys().principalOf(token);
    expect(await lastUsedAt()).toBe('2026-11-21T07:45:53.000Z');
  });

  test.each([
    [{ name: ' ' }, 'name must be 1 to 100 characters.'],
    [{ scopes: ['everything'] }, 'scopes: "everything" is not one of read-only'],
    [{ scopes: ['library:'] }, 'scopes: "library:" is not one of read-only'],
    [{ scopes: ['library:films', 'library:gone'] }, 'scopes: there is no library "gone".'],
    [{ scopes: ['route:GET'] }, 'scopes: "route:GET" is not one of read-only'],
    [{ scopes: ['route:GET /etc/*'] }, 'scopes: "route:GET /etc/*" is not one of read-only'],
    [{ expiresAt: '2026-11-21T07:44:53.000Z' }, 'expiresAt must be in the future.'],
  ])('is refused with %j', async (fields, message) => {
    await expect(keys().create({ ...guest, ...fields }, asAnna)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(message),
    });
  });
});

describe('access to keys', () => {
  test('a user lists, creates and removes only their own keys', async () => {
    const bert = await as('Bert', 'user');
    const ofAnna = await keys().create(guest, asAnna);
    const ofBert = await keys().create({ name: 'Mine' }, bert);

    expect((await keys().list(bert, {})).apiKeys).toEqual([ofBert.apiKey]);
    await expect(keys().remove(ofAnna.apiKey.id, bert)).rejects.toMatchObject({
      code: 'not_found',
    });
    await keys().remove(ofBert.apiKey.id, bert);
    expect(await keys().principalOf(ofAnna.token)).not.toBeNull();
  });

  test('an admin lists and removes the keys of all users', async () => {
    const { apiKey } = await keys().create({ name: 'Of Bert' }, await as('Bert', 'user'));

    expect((await keys().list(asAnna, {})).apiKeys).toEqual([apiKey]);
    await keys().remove(apiKey.id, asAnna);
    expect((await keys().list(asAnna, {})).apiKeys).toEqual([]);
  });

  test.each(['read-only', 'library:films', 'route:POST /api/api-keys'])(
    'a key with the scope %s cannot create an unlimited one',
    async (scope) => {
      const { token } = await keys().create({ name: 'Limited', scopes: [scope] }, asAnna);

      await expect(keys().create({ name: 'Free' }, await viewerOf(token))).rejects.toMatchObject({
        code: 'forbidden',
      });
    },
  );

  test('a key cannot create one that expires later than itself', async () => {
    const expiresAt = '2026-12-24T00:00:00.000Z';
    const { token } = await keys().create({ name: 'For a while', expiresAt }, asAnna);
    const viewer = await viewerOf(token);

    await expect(keys().create({ name: 'For ever' }, viewer)).rejects.toMatchObject({
      message:
        'expiresAt must be at most 2026-12-24T00:00:00.000Z, when the key of this request expires.',
    });
    expect((await keys().create({ name: 'As long', expiresAt }, viewer)).apiKey).toMatchObject({
      expiresAt,
    });
  });

  test('the audit log names the user who creates or removes a key', async () => {
    const { apiKey } = await keys().create(guest, asAnna);
    await keys().remove(apiKey.id, asAnna);

    const { entries } = await parts.audit.list({ target: apiKey.id });
    expect(entries.map(({ action, actor }) => [action, actor.userId])).toEqual([
      ['api_key.removed', anna.id],
      ['api_key.created', anna.id],
    ]);
  });
});

describe('the header Authorization', () => {
  test.each([
    ['', false],
    [adminToken, false],
    [`Basic ${adminToken}`, false],
    [`Bearer ${adminToken.slice(0, -1)}`, false],
    [`Bearer ${adminToken.toUpperCase()}`, false],
    [`Bearer vtk_${'f'.repeat(64)}`, false],
    ['Bearer __proto__', false],
    [`Bearer ${adminToken}`, true],
    [`bearer ${adminToken}`, true],
  ])('as %j: signed in %j', async (authorization, isSomebody) => {
    await parts.accounts.setup.open(adminToken);

    const caller = await parts.accounts.authenticate({ authorization });

    expect(caller !== null).toBe(isSomebody);
  });
});

describe('VITRINE_ADMIN_TOKEN', () => {
  test('is a key of the first admin, also after restarts', async () => {
    await parts.accounts.setup.open(adminToken);
    await parts.restarted().setup.open(adminToken);

    expect(await keys().principalOf(adminToken)).toMatchObject({
      userId: anna.id,
      role: 'admin',
      scope: { libraries: null },
    });
    expect((await keys().list(serverViewer, {})).apiKeys).toHaveLength(1);
  });

  test('is replaced by another one', async () => {
    await parts.accounts.setup.open(adminToken);
    const other = `vtk_${'a'.repeat(64)}`;

    await parts.accounts.setup.open(other);

    expect(await keys().principalOf(adminToken)).toBeNull();
    expect(await keys().principalOf(other)).not.toBeNull();
  });

  test('moves to another admin when its owner loses the role', async () => {
    await parts.accounts.setup.open(adminToken);
    const bert = await as('Bert', 'admin');
    await parts.accounts.users.update(anna.id, { role: 'user' }, bert);
    expect(await keys().principalOf(adminToken)).toMatchObject({ role: 'user' });

    await parts.accounts.setup.open(adminToken);

    expect(await keys().principalOf(adminToken)).toMatchObject({ userId: bert.userId });
  });

  test.each(['', 'secret', `vtk_${'g'.repeat(64)}`, `vtk_${'a'.repeat(63)}`])(
    'is refused as %j, which has another form',
    async (token) => {
      await expect(parts.accounts.setup.open(token)).rejects.toMatchObject({
        code: 'invalid_admin_token',
        message: 'VITRINE_ADMIN_TOKEN must be vtk_ followed by 64 hex digits (0-9, a-f).',
      });
    },
  );
});
