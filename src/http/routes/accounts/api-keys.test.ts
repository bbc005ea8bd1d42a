import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openTestAccounts } from '../../../../test/support/people/accounts.ts';
import { createTestApp } from '../../../../test/support/servers/http.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { authRoutes } from './auth.ts';

const adminToken = `vtk_${'0123456789abcdef'.repeat(4)}`;
let app: HttpApp;

beforeEach(async () => {
  const { accounts } = await openTestAccounts();
  await accounts.setup.open(adminToken);
  app = await createTestApp([mount(apiKeyRoutes, accounts), mount(authRoutes, accounts)], {
    authenticate: accounts.authenticate,
  });
  onTestFinished(() => app.close());
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
    expect(me.json()).toMatchObject({
      credentialId: apiKey.id,
      credentialKind: 'api-key',
      role: 'user',
      libraryIds: ['films'],
      readOnly: false,
      user: { name: 'admin', role: 'admin' },
    });
  });

  test.each([
    [{ role: 'user' }, 'body.name is missing.'],
    [{ name: 'x', role: 'root' }, 'body.role must be one of "admin", "user", "guest".'],
    [
      { name: 'x', role: 'user', expiresAt: 'soon' },
      'body.expiresAt must be a time with its zone, such as 2026-01-31T18:00:00Z.',
    ],
    [
      { name: 'x', role: 'user', scopes: ['all'] },
      'scopes: "all" is not one of read-only, library:<id> and route:<METHOD path>, such as route:GET /api/items/:id.',
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
  test('answers 204, and the key no longer works', async () => {
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
  test('may read and is refused with 403 read_only_key when it writes', async () => {
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

describe('a key for some routes', () => {
  const keyFor = async (...scopes: readonly string[]) => {
    const created = await create({ name: 'Narrow', scopes });
    return as(created.json<{ token: string }>().token);
  };

  test('opens those and is refused with 403 route_refused at every other', async () => {
    const headers = await keyFor('route:GET /api/auth/me');

    const open = await app.inject({ url: '/api/auth/me', headers });
    const shut = await app.inject({ url: '/api/api-keys', headers });

    expect(open.statusCode).toBe(200);
    expect({ status: shut.statusCode, body: shut.json<unknown>() }).toEqual({
      status: 403,
      body: {
        error: 'This API key does not grant access to GET /api/api-keys.',
        code: 'route_refused',
      },
    });
  });

  test('is matched by the route, not by the text of the path', async () => {
    const headers = await keyFor('route:DELETE /api/api-keys/:id', 'route:* /api/auth/*');

    const byParameter = await app.inject({ method: 'DELETE', url: '/api/api-keys/x', headers });
    const below = await app.inject({ url: '/api/auth/sessions', headers });
    const beside = await app.inject({ url: '/api/auth/../api-keys', headers });

    expect(byParameter.statusCode).toBe(404);
    expect(below.statusCode).toBe(200);
    expect(beside.statusCode).not.toBe(200);
  });
});
