import { Type } from '@sinclair/typebox';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createTestApp, testViewers } from '../../test/support/servers/http.ts';
import type { HttpApp, Mount } from './http-app.ts';
import { NoContent } from '../contract/resources/schema-parts.ts';

const token = `vts_${'a'.repeat(43)}`;
const session = { sessionToken: token, expiresAt: '2026-12-21T07:44:53.000Z' };
const Reply = Type.Object({
  sessionToken: Type.Optional(Type.String()),
  csrfToken: Type.Optional(Type.String()),
  expiresAt: Type.String(),
});

const routes: Mount = (app) => {
  const response = { 200: Reply };
  app.post(
    '/api/in',
    { config: { access: 'nobody', session: 'opens' }, schema: { summary: 'In', response } },
    async () => session,
  );
  app.get(
    '/api/me',
    { config: { access: 'guest', session: 'tells' }, schema: { summary: 'Me', response } },
    async () => ({ expiresAt: session.expiresAt }),
  );
  app.post(
    '/api/out',
    {
      config: { access: 'guest', session: 'ends' },
      schema: { summary: 'Out', response: { 204: NoContent } },
    },
    async (_request, reply) => reply.code(204).send(),
  );
  app.get(
    '/api/picture',
    { config: { access: 'guest' }, schema: { summary: 'Picture', response } },
    async (_request, reply) => {
      void reply.header('cache-control', 'private, max-age=3600, immutable');
      return { expiresAt: session.expiresAt };
    },
  );
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    app.route({
      method,
      url: '/api/change',
      config: { access: 'guest' },
      schema: { summary: 'Change', response: { 204: NoContent } },
      handler: async (_request, reply) => reply.code(204).send(),
    });
  }
};

let app: HttpApp;
beforeEach(async () => {
  app = await createTestApp([routes], {
    authenticate: async ({ authorization }) =>
      authorization === `Bearer ${token}` && testViewers['user']
        ? { viewer: testViewers['user'], isLocked: false, routes: null }
        : null,
    security: {
      trustedProxies: ['192.0.2.1'],
      corsOrigins: [],
      connectionsPerAddress: 0,
      csrfKey: Buffer.alloc(32, 1),
      readLink: () => null,
      publicUrl: 'https://films.example.org/vitrine',
    },
  });
  onTestFinished(() => app.close());
});

const cookie = `theme=dark; vitrine=${token}`;
const behindTls = { remoteAddress: '192.0.2.1', headers: { 'x-forwarded-proto': 'https' } };

async function csrfToken(): Promise<string> {
  const reply = await app.inject({ url: '/api/me', headers: { cookie } });
  return reply.json<{ csrfToken: string }>().csrfToken;
}

const change = (headers: Readonly<Record<string, string>>, method: 'POST' | 'DELETE' = 'POST') =>
  app.inject({ method, url: '/api/change', headers });

test('what a browser keeps of one session is not for another one', async () => {
  const kept = await app.inject({ url: '/api/picture', headers: { cookie } });
  const asked = await app.inject({ url: '/api/me', headers: { cookie } });

  expect([kept.headers['vary'], asked.headers['cache-control']]).toEqual([
    'Cookie, Authorization',
    'no-store',
  ]);
});

describe('a sign-in', () => {
  test('gives its token in the body, and no cookie, to a client that asks for none', async () => {
    const reply = await app.inject({ method: 'POST', url: '/api/in' });

    expect(reply.json()).toEqual(session);
    expect(reply.headers['set-cookie']).toBeUndefined();
  });

  test('that asks for a cookie gets one that scripts cannot read, and no token in the body', async () => {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/in',
      headers: { 'x-session': 'cookie' },
    });

    expect(reply.headers['set-cookie']).toBe(
      `vitrine=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000`,
    );
    expect(reply.json()).toEqual({
      expiresAt: session.expiresAt,
      csrfToken: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('over https gets a cookie for this host only', async () => {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/in',
      remoteAddress: '192.0.2.1',
      headers: { 'x-session': 'cookie', 'x-forwarded-proto': 'https' },
    });

    expect(reply.headers['set-cookie']).toBe(
      `__Host-vitrine=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000; Secure`,
    );
  });

  test('by a page of another site is refused', async () => {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/in',
      headers: { 'x-session': 'cookie', origin: 'https://evil.example', host: 'localhost' },
    });

    expect(reply.statusCode).toBe(403);
    expect(reply.json()).toMatchObject({ code: 'csrf' });
  });
});

describe('a cookie', () => {
  test('authenticates its session', async () => {
    const reply = await app.inject({ url: '/api/me', headers: { cookie } });

    expect(reply.statusCode).toBe(200);
    expect(reply.headers['set-cookie']).toContain(`vitrine=${token};`);
    expect(await csrfToken()).toMatch(/^[\w-]{43}$/);
  });

  test.each([
    ['another name', `session=${token}`],
    ['the name of the other scheme', `__Host-vitrine=${token}`],
    ['an API key', `vitrine=vtk_${'0'.repeat(64)}`],
    ['no token', 'vitrine='],
    ['a name that ends alike', `not-vitrine=${token}`],
  ])('with %s is ignored', async (_what, text) => {
    const reply = await app.inject({ url: '/api/me', headers: { cookie: text } });

    expect(reply.statusCode).toBe(401);
  });

  test('that could have been set over plain http is ignored over https', async () => {
    const reply = await app.inject({
      url: '/api/me',
      remoteAddress: behindTls.remoteAddress,
      headers: { ...behindTls.headers, cookie },
    });

    expect(reply.statusCode).toBe(401);
  });

  test('is removed when the session ends', async () => {
    const headers = { cookie, 'x-csrf-token': await csrfToken() };
    const reply = await app.inject({ method: 'POST', url: '/api/out', headers });

    expect(reply.headers['set-cookie']).toBe(
      'vitrine=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    );
  });
});

describe('a change by cookie', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'with %s needs the token that a page of the server reads',
    async (method) => {
      const url = '/api/change';
      const bare = await app.inject({ method, url, headers: { cookie } });
      expect(bare.statusCode).toBe(403);
      expect(bare.json()).toMatchObject({ code: 'csrf' });

      const headers = { cookie, 'x-csrf-token': await csrfToken() };
      expect((await app.inject({ method, url, headers })).statusCode).toBe(204);
    },
  );

  test('with the token of another session is refused', async () => {
    expect((await change({ cookie, 'x-csrf-token': 'a'.repeat(43) })).statusCode).toBe(403);
    expect((await change({ cookie, 'x-csrf-token': '' })).statusCode).toBe(403);
  });

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['another port', { origin: 'http://localhost:8361' }],
    ['another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour of the host', { 'sec-fetch-site': 'same-site' }],
  ])('by %s is refused even with the token', async (_what, headers: Record<string, string>) => {
    const host = 'localhost:8360';
    const reply = await change({ cookie, host, 'x-csrf-token': await csrfToken(), ...headers });

    expect(reply.statusCode).toBe(403);
    expect(reply.json()).toMatchObject({ code: 'csrf' });
  });

  test.each([
    [{ origin: 'http://localhost:8360', 'sec-fetch-site': 'same-origin' }],
    [{ origin: 'https://films.example.org' }],
  ])('by a page of the server is done: %j', async (headers: Record<string, string>) => {
    const host = 'localhost:8360';
    const reply = await change({ cookie, host, 'x-csrf-token': await csrfToken(), ...headers });

    expect(reply.statusCode).toBe(204);
  });

  test('needs no token when the request has an Authorization header as well', async () => {
    const reply = await change({
      cookie,
      authorization: `Bearer ${token}`,
      origin: 'https://app.example.org',
    });

    expect(reply.statusCode).toBe(204);
  });
});
