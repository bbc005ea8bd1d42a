import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../test/support/fake-clock.ts';
import { openTestStorage } from '../../test/support/storage.ts';
import { silentLog, type Database } from '../../kernel/index.ts';
import { createUuidV7 } from '../uuid-v7.ts';
import {
  accountMigrations,
  createApiKeys,
  createAuthenticate,
  fullSight,
  serverViewer,
  sightOfLibraries,
  type ActingRequest,
  type ApiKeys,
} from './index.ts';

let database: Database;
let clock: FakeClock;
let apiKeys: ApiKeys;

beforeEach(async () => {
  ({ database } = await openTestStorage({ migrations: [accountMigrations] }));
  clock = createFakeClock();
  apiKeys = createKeys();
});

function createKeys(): ApiKeys {
  const newId = createUuidV7({ now: clock.now });
  const keys = createApiKeys({ database, clock, newId, log: silentLog });
  onTestFinished(() => keys.close());
  return keys;
}

const adminToken = `vtk_${'0123456789abcdef'.repeat(4)}`;
const seesAll = {
  actAs: async ({ userId }: ActingRequest) => ({
    profileId: userId,
    sight: fullSight,
    isLocked: false,
  }),
};
const guest = { name: 'Television', role: 'guest' } as const;

describe('an API key', () => {
  test('is vtk_ and 64 hex digits, shown once, and only its SHA-256 is kept', async () => {
    const { apiKey, token } = await apiKeys.create(guest, serverViewer);

    expect(token).toMatch(/^vtk_[0-9a-f]{64}$/);
    const rows: unknown = await database.read('api_keys').select('*');
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
    expect(JSON.stringify(await apiKeys.list(serverViewer, {}))).not.toContain(token.slice(4));
    expect(apiKey).toEqual({
      id: expect.any(String),
      name: 'Television',
      role: 'guest',
      scopes: [],
      createdAt: '2026-11-21T07:44:53.000Z',
      expiresAt: null,
      lastUsedAt: null,
    });
  });

  test('stands for a viewer with its role and its scopes', async () => {
    const scopes = ['read-only', 'library:films', 'library:series'];
    const { apiKey, token } = await apiKeys.create({ ...guest, scopes }, serverViewer);

    expect(await apiKeys.principalOf(token)).toEqual({
      credentialId: apiKey.id,
      credentialKind: 'api-key',
      userId: apiKey.id,
      role: 'guest',
      scope: sightOfLibraries(['films', 'series']),
      isReadOnly: true,
      routes: null,
    });
  });

  test('is no good from the moment at which it expires, although it was cached', async () => {
    const expiresAt = new Date(clock.now() + 1000).toISOString();
    const { token } = await apiKeys.create({ ...guest, expiresAt }, serverViewer);
    expect(await apiKeys.principalOf(token)).not.toBeNull();

    await clock.advance(1000);

    expect(await apiKeys.principalOf(token)).toBeNull();
  });

  test('is no good from the moment at which it is removed, although it was cached', async () => {
    const { apiKey, token } = await apiKeys.create(guest, serverViewer);
    expect(await apiKeys.principalOf(token)).not.toBeNull();
    expect(await apiKeys.isValid(apiKey.id)).toBe(true);

    await apiKeys.remove(apiKey.id, serverViewer);

    expect(await apiKeys.principalOf(token)).toBeNull();
    expect(await apiKeys.isValid(apiKey.id)).toBe(false);
  });

  test('remembers when it was last used, with one write a minute', async () => {
    const { token } = await apiKeys.create(guest, serverViewer);
    const lastUsedAt = async () => {
      await apiKeys.close();
      return (await apiKeys.list(serverViewer, {})).apiKeys[0]?.lastUsedAt;
    };

    await apiKeys.principalOf(token);
    expect(await lastUsedAt()).toBe('2026-11-21T07:44:53.000Z');
    await clock.advance(59_000);
    await apiKeys.principalOf(token);
    expect(await lastUsedAt()).toBe('2026-11-21T07:44:53.000Z');
    await clock.advance(1_000);
    await apiKeys.principalOf(token);
    expect(await lastUsedAt()).toBe('2026-11-21T07:45:53.000Z');
  });

  test.each([
    [{ ...guest, name: '  ' }, 'name must be 1 to 100 characters.'],
    [{ ...guest, scopes: ['write'] }, 'scopes: "write" is neither read-only nor library:<id>.'],
    [{ ...guest, scopes: ['library:'] }, 'scopes: "library:" is neither'],
    [{ ...guest, expiresAt: '2020-01-01T00:00:00.000Z' }, 'expiresAt must be a time to come.'],
  ])('is refused as %j, naming the field', async (newKey, message) => {
    await expect(apiKeys.create(newKey, serverViewer)).rejects.toThrow(message);
  });

  test('that is limited to some libraries cannot make, list or remove keys', async () => {
    const films = { ...serverViewer, sight: sightOfLibraries(['films']) };

    await expect(apiKeys.create(guest, films)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(apiKeys.list(films, {})).rejects.toMatchObject({ code: 'forbidden' });
    await expect(apiKeys.remove('any', films)).rejects.toMatchObject({ code: 'forbidden' });
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
    [`Bearer ${adminToken}`, true],
    [`bearer ${adminToken}`, true],
  ])('as %j: somebody %j', async (header, isSomebody) => {
    await apiKeys.installAdminToken(adminToken);

    const viewer = await createAuthenticate({ credentials: { vtk_: apiKeys }, acting: seesAll })({
      authorization: header,
    });

    expect(viewer !== null).toBe(isSomebody);
  });
});

describe('the first admin', () => {
  test('is the token of VITRINE_ADMIN_TOKEN, also after every restart', async () => {
    await apiKeys.installAdminToken(adminToken);
    await createKeys().installAdminToken(adminToken);

    expect(await apiKeys.principalOf(adminToken)).toMatchObject({
      role: 'admin',
      scope: { libraries: null },
    });
    expect((await apiKeys.list(serverViewer, {})).apiKeys).toHaveLength(1);
  });

  test('is replaced by another token of VITRINE_ADMIN_TOKEN', async () => {
    await apiKeys.installAdminToken(adminToken);
    const other = `vtk_${'a'.repeat(64)}`;

    await apiKeys.installAdminToken(other);

    expect(await apiKeys.principalOf(adminToken)).toBeNull();
    expect(await apiKeys.principalOf(other)).not.toBeNull();
  });

  test.each(['', 'secret', `vtk_${'g'.repeat(64)}`, `vtk_${'a'.repeat(63)}`])(
    'is never %j, which has another form',
    async (token) => {
      await expect(apiKeys.installAdminToken(token)).rejects.toMatchObject({
        code: 'invalid_admin_token',
        message: 'VITRINE_ADMIN_TOKEN must be vtk_ followed by 64 hex digits (0-9, a-f).',
      });
    },
  );

  test('is a key made at the first start, and at no later one', async () => {
    const token = await apiKeys.createFirstAdminKey();

    expect(await apiKeys.principalOf(token ?? '')).toMatchObject({ role: 'admin' });
    expect(await apiKeys.createFirstAdminKey()).toBeNull();
  });
});
