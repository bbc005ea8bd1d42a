import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createTestApp } from '../../../test/support/http.ts';
import { openTestStorage } from '../../../test/support/storage.ts';
import { silentLog } from '../../../kernel/index.ts';
import {
  accountMigrations,
  createApiKeys,
  createAuthenticate,
  fullSight,
  type ActingRequest,
} from '../../accounts/index.ts';
import { systemClock } from '../../clock.ts';
import { createUuidV7 } from '../../uuid-v7.ts';
import { mount, type HttpApp } from '../http-app.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { authRoutes } from './auth.ts';

const adminToken = `vtk_${'0123456789abcdef'.repeat(4)}`;
const seesAll = {
  actAs: async ({ userId }: ActingRequest) => ({
    profileId: userId,
    sight: fullSight,
    isLocked: false,
  }),
};
let app: HttpApp;

beforeEach(async () => {
  const { database } = await openTestStorage({ migrations: [accountMigrations] });
  const newId = createUuidV7({ now: Date.now });
  const apiKeys = createApiKeys({ database, clock: systemClock, newId, log: silentLog });
  await apiKeys.installAdminToken(adminToken);
  app = await createTestApp([mount(apiKeyRoutes, { apiKeys }), mount(authRoutes, {})], {
    authenticate: createAuthenticate({ credentials: { vtk_: apiKeys }, acting: seesAll }),
  });
  onTestFinished(async () => {
    await app.close();
    await apiKeys.close();
  });
});

const as = (token: string) => ({ authorization: `Bearer ${token}` });

async function create(payload: object) {
  return app.inject({ method: 'POST', url: '/api/api-keys', headers: as(adminToken), payload });
}

describe('POST /api/api-keys', () => {
  test('answers 201 with the key and its token, which works at once', async () => {
    const reply = await create({ name: 'Player', role: 'user', scopes: ['library:films'] });

    expect(reply.statusCode).toBe(201);
    const { apiKey, token } = reply.json<{ apiKey: { id: string }; token: string }>();
    expect(apiKey).toMatchObject({ name: 'Player', role: 'user', scopes: ['library:films'] });
    const me = await app.inject({ url: '/api/auth/me', headers: as(token) });
    expect(me.json()).toEqual({
      credentialId: apiKey.id,
      role: 'user',
      libraryIds: ['films'],
      readOnly: false,
    });
  });

  test.each([
    [{ role: 'user' }, 'body.name is missing.'],
    [{ name: 'x', role: 'root' }, 'body.role must be one of "admin", "user", "guest".'],
    [
      { name: 'x', role: 'user', expiresAt: 'soon' },
      'body.expiresAt must match format "date-time".',
    ],
    [
      { name: 'x', role: 'user', scopes: ['all'] },
      'scopes: "all" is neither read-only nor library:<id>.',
    ],
  ])('answers 400 to %j', async (payload, error) => {
    const reply = await create(payload);

    expect({ status: reply.statusCode, body: reply.json<unknown>() }).toEqual({
      status: 400,
      body: { error },
    });
  });
});

describe('GET /api/api-keys', () => {
  test('lists the keys, newest first and in pages, and no token', async () => {
    const { token } = (await create({ name: 'One', role: 'guest' })).json<{ token: string }>();
    await create({ name: 'Two', role: 'guest' });

    const first = await app.inject({ url: '/api/api-keys?limit=2', headers: as(adminToken) });
    const { apiKeys, nextCursor } = first.json<{
      apiKeys: { name: string }[];
      nextCursor: string;
    }>();
    const second = await app.inject({
      url: `/api/api-keys?limit=2&cursor=${nextCursor}`,
      headers: as(adminToken),
    });

    expect(apiKeys.map(({ name }) => name)).toEqual(['Two', 'One']);
    expect(second.json()).toMatchObject({
      apiKeys: [{ name: 'VITRINE_ADMIN_TOKEN' }],
      nextCursor: null,
    });
    expect(first.body).not.toContain(token.slice(4, 20));
  });
});

describe('DELETE /api/api-keys/:id', () => {
  test('answers 204, and the key is no good any more', async () => {
    const created = await create({ name: 'Lost phone', role: 'user' });
    const { apiKey, token } = created.json<{ apiKey: { id: string }; token: string }>();
    expect((await app.inject({ url: '/api/auth/me', headers: as(token) })).statusCode).toBe(200);

    const reply = await app.inject({
      method: 'DELETE',
      url: `/api/api-keys/${apiKey.id}`,
      headers: as(adminToken),
    });

    expect(reply.statusCode).toBe(204);
    expect(reply.body).toBe('');
    expect((await app.inject({ url: '/api/auth/me', headers: as(token) })).statusCode).toBe(401);
  });

  test('answers 404 for a key that does not exist', async () => {
    const reply = await app.inject({
      method: 'DELETE',
      url: '/api/api-keys/nothing',
      headers: as(adminToken),
    });

    expect(reply.statusCode).toBe(404);
  });
});

describe('a read-only key', () => {
  test('may read and is refused with 403 read_only_key where it would write', async () => {
    const created = await create({ name: 'Graphs', role: 'admin', scopes: ['read-only'] });
    const { token } = created.json<{ token: string }>();

    const read = await app.inject({ url: '/api/api-keys', headers: as(token) });
    const write = await app.inject({
      method: 'POST',
      url: '/api/api-keys',
      headers: as(token),
      payload: { name: 'Mine', role: 'admin' },
    });

    expect(read.statusCode).toBe(200);
    expect({ status: write.statusCode, body: write.json<unknown>() }).toEqual({
      status: 403,
      body: {
        error: 'This API key is read-only, so POST is not allowed with it.',
        code: 'read_only_key',
      },
    });
  });
});
