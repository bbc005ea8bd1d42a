import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  makeUser,
  openTestAccounts,
  password,
  signIn,
  type TestAccounts,
} from '../../../../test/support/people/accounts.ts';
import { createTestApp } from '../../../../test/support/servers/http.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { setupRoutes } from './setup.ts';
import { userRoutes } from './users.ts';

let parts: TestAccounts;
let app: HttpApp;
let admin: string;

beforeEach(async () => {
  parts = await openTestAccounts();
  await makeUser(parts.accounts, 'Anna', 'admin');
  admin = (await signIn(parts.accounts, 'Anna')).token;
  const routes = [mount(userRoutes, parts.accounts), mount(setupRoutes, parts.accounts)];
  app = await createTestApp(routes, { authenticate: parts.accounts.authenticate });
  onTestFinished(() => app.close());
});

async function ask(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${admin}` };
  const reply = await app.inject({ method, url, headers, ...(payload && { payload }) });
  const body: unknown = reply.body === '' ? null : reply.json();
  return { status: reply.statusCode, body };
}

async function bert(): Promise<string> {
  return (await makeUser(parts.accounts, 'Bert')).id;
}

describe('POST /api/users', () => {
  test('answers 201 {user}, with the role user when no role is named', async () => {
    expect(await ask('POST', '/api/users', { name: 'Bert', password })).toEqual({
      status: 201,
      body: {
        user: {
          id: expect.any(String),
          name: 'Bert',
          role: 'user',
          disabled: false,
          libraryAccess: null,
          groupIds: [],
          hasPassword: true,
          requiresPasskey: false,
          createdAt: '2026-11-21T07:44:53.000Z',
          updatedAt: '2026-11-21T07:44:53.000Z',
          lastSeenAt: null,
        },
      },
    });
  });

  test('takes libraryAccess as in the specification, with or without a rating', async () => {
    const libraryAccess = [{ libraryId: 'films', maxRating: 'PG-13' }, { libraryId: 'music' }];

    expect(
      await ask('POST', '/api/users', { name: 'Bert', password, libraryAccess }),
    ).toMatchObject({
      status: 201,
      body: {
        user: {
          libraryAccess: [
            { libraryId: 'films', maxRating: 'PG-13' },
            { libraryId: 'music', maxRating: null },
          ],
        },
      },
    });
  });

  test.each([
    [{ password }, 400, 'body.name is missing.'],
    [{ name: 'Bert' }, 400, 'body.password is missing.'],
    [{ name: 'Bert', password: 'short' }, 400, 'password must be 10 to 1000 characters.'],
    [{ name: 'ANNA', password }, 409, 'There is a user named "ANNA" already.'],
    [{ name: 'Bert', password, role: 'owner' }, 400, 'body.role must be one of'],
    [{ name: 'Bert', password, isAdmin: true }, 400, 'isAdmin'],
  ])('refuses %j with %i', async (fields, status, error) => {
    expect(await ask('POST', '/api/users', fields)).toEqual({
      status,
      body: { error: expect.stringContaining(error) },
    });
  });
});

describe('GET /api/users', () => {
  test('lists users by name, in pages', async () => {
    const id = await bert();

    const first = await ask('GET', '/api/users?limit=1');
    const { nextCursor } = first.body as { nextCursor: string };

    expect(first.body).toMatchObject({ users: [{ name: 'Anna' }] });
    expect((await ask('GET', `/api/users?limit=1&cursor=${nextCursor}`)).body).toMatchObject({
      users: [{ name: 'Bert' }],
      nextCursor: null,
    });
    expect((await ask('GET', `/api/users/${id}`)).body).toMatchObject({ user: { name: 'Bert' } });
  });
});

describe('PATCH /api/users/:id', () => {
  test('changes what it names and nothing else', async () => {
    const id = await bert();

    await ask('PATCH', `/api/users/${id}`, { role: 'guest' });
    const { body } = await ask('PATCH', `/api/users/${id}`, { disabled: true });

    expect(body).toMatchObject({ user: { name: 'Bert', role: 'guest', disabled: true } });
  });

  test('cannot require a passkey from a user who has none', async () => {
    const url = `/api/users/${await bert()}`;

    expect((await ask('PATCH', url, { requiresPasskey: true })).status).toBe(409);
  });
});

describe('POST /api/users/:id/password', () => {
  test('answers 204, and the new password works', async () => {
    const url = `/api/users/${await bert()}/password`;

    expect(await ask('POST', url, { password: 'another horse' })).toEqual({
      status: 204,
      body: null,
    });

    await expect(signIn(parts.accounts, 'Bert')).rejects.toMatchObject({ code: 'sign_in_failed' });
  });
});

describe('a user who does not exist', () => {
  test.each([
    ['GET', '', undefined],
    ['PATCH', '', { disabled: true }],
    ['DELETE', '', undefined],
    ['POST', '/password', { password }],
  ] as const)('is 404 for %s%s', async (method, below, payload) => {
    expect((await ask(method, `/api/users/nobody${below}`, payload)).status).toBe(404);
  });
});

describe('DELETE /api/users/:id', () => {
  test('answers 204, and the user is gone', async () => {
    const url = `/api/users/${await bert()}`;

    expect((await ask('DELETE', url)).status).toBe(204);
    expect((await ask('GET', url)).status).toBe(404);
  });
});

describe('POST /api/setup', () => {
  test('is refused with 409 when there is a user, with any token', async () => {
    const payload = { token: 'x', name: 'Mallory', password };

    expect(await ask('POST', '/api/setup', payload)).toMatchObject({ status: 409 });
    expect(await ask('GET', '/api/setup')).toEqual({ status: 200, body: { isNeeded: false } });
  });
});
