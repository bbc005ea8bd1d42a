import { beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  makeUser,
  openTestAccounts,
  password,
  type TestAccounts,
} from '../../../../test/support/people/accounts.ts';
import { createTestApp } from '../../../../test/support/servers/http.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { authRoutes } from './auth.ts';
import { pairingRoutes } from './pairings.ts';

let parts: TestAccounts;
let app: HttpApp;

beforeEach(async () => {
  parts = await openTestAccounts();
  await makeUser(parts.accounts, 'Anna');
  const { authenticate } = parts.accounts;
  const routes = [mount(authRoutes, parts.accounts), mount(pairingRoutes, parts.accounts)];
  app = await createTestApp(routes, { authenticate });
  onTestFinished(() => app.close());
});

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, payload, headers });

async function signIn(): Promise<Record<string, string>> {
  const reply = await post('/api/auth/login', { name: 'Anna', password });
  return { authorization: `Bearer ${reply.json<{ sessionToken: string }>().sessionToken}` };
}

async function begin(): Promise<{ readonly code: string; readonly secret: string }> {
  const reply = await post('/api/auth/pairings', { deviceName: 'Living room' });
  expect(reply.statusCode).toBe(201);
  return reply.json<{ pairing: { code: string; secret: string } }>().pairing;
}

test('a device asks with its secret, and gets the session of the person who accepts its code', async () => {
  const [anna, { code, secret }] = [await signIn(), await begin()];

  expect((await post('/api/auth/pairings/claim', { secret })).json()).toEqual({
    status: 'waiting',
  });
  expect((await post('/api/auth/pairings/look', { code }, anna)).json()).toMatchObject({
    device: { deviceName: 'Living room', userAgent: 'lightMyRequest', address: '127.0.0.1' },
  });
  expect((await post('/api/auth/pairings/accept', { code }, anna)).statusCode).toBe(204);

  expect((await post('/api/auth/pairings/claim', { secret })).json()).toEqual({
    status: 'accepted',
    sessionToken: expect.stringMatching(/^vts_/),
    expiresAt: expect.any(String),
    user: expect.objectContaining({ name: 'Anna' }),
  });
  expect((await post('/api/auth/pairings/claim', { secret })).statusCode).toBe(404);
});

test('a page of the server gets the session as a cookie that no script can read', async () => {
  const [anna, { code, secret }] = [await signIn(), await begin()];
  await post('/api/auth/pairings/accept', { code }, anna);

  const reply = await post('/api/auth/pairings/claim', { secret }, { 'x-session': 'cookie' });

  expect(reply.headers['set-cookie']).toMatch(/^vitrine=vts_.+; HttpOnly; SameSite=Strict/);
  expect(reply.json()).not.toHaveProperty('sessionToken');
});

test('nobody decides about a code without signing in', async () => {
  const { code } = await begin();

  for (const act of ['look', 'accept', 'refuse'])
    expect((await post(`/api/auth/pairings/${act}`, { code })).statusCode).toBe(401);
});
