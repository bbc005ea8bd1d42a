/** Which pages of other origins may read the server's answers. */
import { Type } from '@sinclair/typebox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp } from '../../test/support/servers/http.ts';
import type { AppOrigins } from './cross-origin.ts';

const origin = 'https://app.example.org';
const schema = { summary: 'x', tags: ['x'], response: { 200: Type.Object({}) } };

async function open(apps: AppOrigins, corsOrigins: readonly string[] = []) {
  const app = await createTestApp(
    [
      async (one) => {
        one.get('/api/things', { config: { access: 'guest' }, schema }, async () => ({}));
        one.get('/api/open', { config: { access: 'nobody' }, schema }, async () => ({}));
        const config = { access: 'nobody', isForApps: true } as const;
        one.post('/api/enter', { config, schema }, async () => ({}));
      },
    ],
    {
      security: {
        trustedProxies: [],
        corsOrigins,
        appOrigins: () => apps,
        connectionsPerAddress: 0,
        csrfKey: Buffer.alloc(32),
        readLink: () => null,
        publicUrl: null,
      },
    },
  );
  onTestFinished(() => app.close());
  return async (url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
    const reply = await app.inject({
      method: method as 'GET',
      url,
      headers: { origin, ...headers },
    });
    return { status: reply.statusCode, headers: reply.headers };
  };
}

const allowed = ({ headers }: Awaited<ReturnType<Awaited<ReturnType<typeof open>>>>): unknown =>
  headers['access-control-allow-origin'];

describe('an app with a token of its own', () => {
  test('reads the answer at any origin, also a refusal, and never with credentials', async () => {
    const ask = await open('*');

    const good = await ask('/api/things', bearer('guest'));
    const bad = await ask('/api/things', bearer('nobody-known'));

    expect([good.status, bad.status]).toEqual([200, 401]);
    for (const told of [good, bad]) {
      expect(allowed(told)).toBe('*');
      expect(told.headers['access-control-allow-credentials']).toBeUndefined();
      expect(told.headers['cross-origin-resource-policy']).toBe('cross-origin');
    }
  });

  test('sends a preflight with the headers that apps send', async () => {
    const ask = await open('*');

    const told = await ask('/api/things', { 'access-control-request-method': 'GET' }, 'OPTIONS');

    expect(told.status).toBe(204);
    expect(allowed(told)).toBe('*');
    const headers = String(told.headers['access-control-allow-headers']).split(', ');
    for (const name of ['authorization', 'content-type', 'x-profile-id', 'range', 'if-none-match'])
      expect(headers).toContain(name);
  });

  test('reads it only at the origins that the operator named', async () => {
    const [named, other] = [await open(new Set([origin])), await open(new Set(['https://b.org']))];

    expect(allowed(await named('/api/things', bearer('guest')))).toBe(origin);
    expect((await named('/api/things', bearer('guest'))).headers['vary']).toBe('Origin');
    expect(allowed(await other('/api/things', bearer('guest')))).toBeUndefined();
  });

  test('reads nothing if the operator allows no apps, or no identity is linked', async () => {
    const ask = await open(new Set());

    expect(allowed(await ask('/api/things', bearer('guest')))).toBeUndefined();
    const told = await ask('/api/things', { 'access-control-request-method': 'GET' }, 'OPTIONS');
    expect(told.status).toBe(404);
    expect(allowed(told)).toBeUndefined();
  });
});

describe('a page of another origin', () => {
  test('cannot read answers to a cookie, or without a token', async () => {
    const ask = await open('*');
    const cookie = 'vitrine=vts_x';

    expect(allowed(await ask('/api/things', { cookie }))).toBeUndefined();
    expect(allowed(await ask('/api/things', { ...bearer('guest'), cookie }))).toBeUndefined();
    expect(allowed(await ask('/api/open'))).toBeUndefined();
  });

  test('may call the routes at which apps sign in, with any setting', async () => {
    const ask = await open(new Set());

    const told = await ask('/api/enter?x=1', {}, 'POST');
    const before = await ask('/api/enter', { 'access-control-request-method': 'POST' }, 'OPTIONS');

    expect([allowed(told), allowed(before), before.status]).toEqual(['*', '*', 204]);
  });

  test('that the operator named may call every route', async () => {
    const ask = await open(new Set(), [origin]);

    expect(allowed(await ask('/api/open'))).toBe(origin);
  });
});
