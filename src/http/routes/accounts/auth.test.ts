import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  makeUser,
  openTestAccounts,
  password,
  type TestAccounts,
} from '../../../../test/support/people/accounts.ts';
import { createTestApp } from '../../../../test/support/servers/http.ts';
import { serverViewer } from '../../../people/viewer/index.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { authRoutes } from './auth.ts';

let parts: TestAccounts;
let app: HttpApp;

beforeEach(async () => {
  parts = await openTestAccounts();
  await makeUser(parts.accounts, 'Anna', 'admin');
  const { authenticate } = parts.accounts;
  app = await createTestApp([mount(authRoutes, parts.accounts)], { authenticate });
  onTestFinished(() => app.close());
});

interface Session {
  readonly id: string;
  readonly isCurrent: boolean;
}

const post = (url: string, payload: object, token?: string) =>
  app.inject({ method: 'POST', url, payload, headers: token === undefined ? {} : as(token) });

const as = (token: string) => ({ authorization: `Bearer ${token}` });

const signIn = async (fields: object = {}): Promise<string> => {
  const reply = await post('/api/auth/login', { name: 'anna', password, ...fields });
  return reply.json<{ sessionToken: string }>().sessionToken;
};

const sessionsOf = async (token: string): Promise<readonly Session[]> => {
  const reply = await app.inject({ url: '/api/auth/sessions', headers: as(token) });
  return reply.json<{ sessions: Session[] }>().sessions;
};

const statusAs = async (token: string): Promise<number> =>
  (await app.inject({ url: '/api/auth/me', headers: as(token) })).statusCode;

describe('POST /api/auth/login', () => {
  test('answers {sessionToken, expiresAt, user}; the session holds for 30 days', async () => {
    const reply = await post('/api/auth/login', { name: 'Anna', password });

    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({
      sessionToken: expect.stringMatching(/^vts_[\w-]{43}$/),
      expiresAt: '2026-12-21T07:44:53.000Z',
      user: expect.objectContaining({ name: 'Anna', role: 'admin', hasPassword: true }),
    });
    expect(reply.body).not.toContain('argon2');
  });

  test.each([
    ['a wrong password', { name: 'Anna', password: 'wrong horse battery' }],
    ['an unknown name', { name: 'Nobody', password }],
    ['an empty password', { name: 'Anna', password: '' }],
  ])('answers the same 401 to %s', async (_, attempt) => {
    const reply = await post('/api/auth/login', attempt);

    expect(reply.statusCode).toBe(401);
    expect(reply.headers['www-authenticate']).toBe('Bearer');
    expect(reply.json()).toEqual({
      error: 'The name or the password is wrong.',
      code: 'sign_in_failed',
    });
  });

  test('answers 429 with Retry-After after too many failures', async () => {
    const wrong = { name: 'Anna', password: 'wrong horse battery' };
    for (let count = 0; count < 6; count += 1) await post('/api/auth/login', wrong);

    const reply = await post('/api/auth/login', { name: 'Anna', password });

    expect(reply.statusCode).toBe(429);
    expect(reply.headers['retry-after']).toBe('1');
    expect(reply.json()).toEqual({
      error: 'Too many attempts failed. Wait 1 s, then try again.',
      code: 'too_many_attempts',
    });
  });

  test('tells a disabled user so, once the password is right', async () => {
    const bert = await makeUser(parts.accounts, 'Bert');
    const { users } = parts.accounts;
    await users.update(bert.id, { disabled: true }, serverViewer);

    const right = await post('/api/auth/login', { name: 'Bert', password });
    const wrong = await post('/api/auth/login', { name: 'Bert', password: 'wrong horse' });

    expect(right.json()).toMatchObject({ code: 'account_disabled' });
    expect(wrong.json()).toMatchObject({ code: 'sign_in_failed' });
  });
});

describe('GET /api/auth/me', () => {
  test('describes the viewer of the credential', async () => {
    const token = await signIn();

    const reply = await app.inject({ url: '/api/auth/me', headers: as(token) });

    expect(reply.json()).toEqual({
      credentialId: (await sessionsOf(token))[0]?.id,
      credentialKind: 'session',
      role: 'admin',
      libraryIds: null,
      readOnly: false,
      profileId: expect.any(String),
      user: expect.objectContaining({ name: 'Anna' }),
    });
  });

  test('refuses a request without a credential with 401 and says how to send one', async () => {
    const reply = await app.inject({ url: '/api/auth/me' });

    expect(reply.statusCode).toBe(401);
    expect(reply.headers['www-authenticate']).toBe('Bearer');
    expect(reply.json()).toEqual({
      error: 'This route needs a credential: send the header Authorization: Bearer <token>.',
      code: 'token_missing',
    });
  });
});

describe('sessions', () => {
  test('are listed with their device, and the current one is marked', async () => {
    const phone = await signIn({ deviceName: 'Phone' });
    await parts.clock.advance(1000);
    await signIn();

    expect(await sessionsOf(phone)).toEqual([
      expect.objectContaining({ deviceName: null, isCurrent: false }),
      expect.objectContaining({
        deviceName: 'Phone',
        userAgent: 'lightMyRequest',
        address: '127.0.0.1',
        isCurrent: true,
      }),
    ]);
  });

  test('end by POST /api/auth/logout', async () => {
    const token = await signIn();

    expect((await post('/api/auth/logout', {}, token)).statusCode).toBe(204);

    expect(await statusAs(token)).toBe(401);
  });

  test('end one by one, but only one’s own', async () => {
    const [phone, laptop] = [await signIn(), await signIn()];
    await makeUser(parts.accounts, 'Bert');
    const ofBert = await signIn({ name: 'Bert' });
    const id = (await sessionsOf(phone)).find(({ isCurrent }) => isCurrent)?.id ?? '';
    const remove = (token: string) =>
      app.inject({ method: 'DELETE', url: `/api/auth/sessions/${id}`, headers: as(token) });

    expect((await remove(ofBert)).statusCode).toBe(404);
    expect((await remove(laptop)).statusCode).toBe(204);

    expect(await statusAs(phone)).toBe(401);
    expect(await statusAs(laptop)).toBe(200);
  });

  test('end, except the current one, by DELETE /api/auth/sessions', async () => {
    const [phone, laptop] = [await signIn(), await signIn()];

    const url = '/api/auth/sessions';
    const reply = await app.inject({ method: 'DELETE', url, headers: as(laptop) });

    expect(reply.statusCode).toBe(204);
    expect(await statusAs(phone)).toBe(401);
    expect(await statusAs(laptop)).toBe(200);
  });
});

describe('POST /api/auth/password', () => {
  const change = (token: string, currentPassword: string) =>
    post('/api/auth/password', { currentPassword, newPassword: 'another horse' }, token);

  test('replaces the password, and ends the other sessions', async () => {
    const [phone, laptop] = [await signIn(), await signIn()];

    expect((await change(laptop, password)).statusCode).toBe(204);

    expect(await statusAs(phone)).toBe(401);
    expect(await statusAs(laptop)).toBe(200);
    expect(await signIn()).toBeUndefined();
    expect(await signIn({ password: 'another horse' })).toMatch(/^vts_/);
  });

  test('answers 403 wrong_password without it, and 429 after repeated guesses', async () => {
    const token = await signIn();

    const replies = [];
    for (let count = 0; count < 7; count += 1) replies.push(await change(token, 'a wrong guess'));

    expect(replies[0]?.json()).toEqual({
      error: 'The password is wrong.',
      code: 'wrong_password',
    });
    expect(replies.at(-1)?.statusCode).toBe(429);
    expect(await statusAs(token)).toBe(200);
  });
});
