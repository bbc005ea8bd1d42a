import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  makeUser,
  openTestAccounts,
  password,
  signIn,
} from '../../../../test/support/people/accounts.ts';
import { makePasskey, type SoftPasskey } from '../../../../test/support/people/authenticator.ts';
import { createTestApp } from '../../../../test/support/servers/http.ts';
import type {
  CreationOptions,
  RequestOptions,
} from '../../../people/accounts/passkeys/browser-options.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { authRoutes } from './auth.ts';
import { passkeyRoutes } from './passkeys.ts';

let app: HttpApp;
let token: string;

beforeEach(async () => {
  const { accounts } = await openTestAccounts();
  await makeUser(accounts, 'Anna', 'guest');
  ({ token } = await signIn(accounts, 'Anna'));
  app = await createTestApp([mount(authRoutes, accounts), mount(passkeyRoutes, accounts)], {
    authenticate: accounts.authenticate,
  });
  onTestFinished(() => app.close());
});

async function ask<Body>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
): Promise<{ readonly status: number; readonly body: Body }> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, body: (reply.body === '' ? null : reply.json()) as Body };
}

/** As a browser does it: options, a passkey, and the passkey added. */
async function addPasskey(): Promise<SoftPasskey & { readonly passkeyId: string }> {
  const { body } = await ask<{ options: CreationOptions }>('POST', '/api/auth/passkeys/options', {
    password,
  });
  const made = makePasskey(body.options, 'http://localhost:8360');
  const added = await ask<{ passkey: { id: string } }>('POST', '/api/auth/passkeys', {
    name: 'Phone',
    passkey: made.registration,
  });
  expect(added).toEqual({
    status: 201,
    body: {
      passkey: {
        id: expect.any(String),
        name: 'Phone',
        isSynced: false,
        createdAt: '2026-11-21T07:44:53.000Z',
        lastUsedAt: null,
      },
    },
  });
  return { ...made, passkeyId: added.body.passkey.id };
}

const requestOptions = async (): Promise<RequestOptions> =>
  (await ask<{ options: RequestOptions }>('POST', '/api/auth/login/passkey/options')).body.options;

describe('POST /api/auth/login/passkey', () => {
  test('signs in with what the browser made of the options', async () => {
    const made = await addPasskey();
    const passkey = made.sign(await requestOptions());

    const reply = await ask('POST', '/api/auth/login/passkey', { passkey, deviceName: 'Laptop' });

    expect(reply).toEqual({
      status: 200,
      body: {
        sessionToken: expect.stringMatching(/^vts_/),
        expiresAt: '2026-12-21T07:44:53.000Z',
        user: expect.objectContaining({ name: 'Anna' }),
      },
    });
  });

  test('answers 403 passkey_refused to a forged answer, and 400 to what is not an object', async () => {
    const made = await addPasskey();
    const passkey = made.sign(await requestOptions(), { origin: 'https://evil.example' });

    expect(await ask('POST', '/api/auth/login/passkey', { passkey })).toEqual({
      status: 403,
      body: {
        error:
          'The passkey was refused. It was created for another address than that of this server.',
        code: 'passkey_refused',
      },
    });
    expect((await ask('POST', '/api/auth/login/passkey', { passkey: 'x' })).status).toBe(400);
  });
});

describe('PATCH /api/auth/me', () => {
  test('requires a passkey beside the password, which login then takes', async () => {
    const made = await addPasskey();
    const choice = { requiresPasskey: true, password };
    expect((await ask('PATCH', '/api/auth/me', choice)).status).toBe(200);
    const login = (more: object) =>
      ask<object>('POST', '/api/auth/login', { name: 'Anna', password, ...more });

    expect(await login({})).toMatchObject({ status: 403, body: { code: 'passkey_required' } });
    const passkey = made.sign(await requestOptions(), { isUserVerified: false });
    expect((await login({ passkey })).status).toBe(200);
  });
});

describe('passkeys of one’s own', () => {
  test('are listed, renamed and removed', async () => {
    const { passkeyId } = await addPasskey();
    const url = `/api/auth/passkeys/${passkeyId}`;

    expect((await ask('PATCH', url, { name: 'Key ring' })).status).toBe(200);
    expect(await ask('GET', '/api/auth/passkeys')).toMatchObject({
      body: { passkeys: [{ id: passkeyId, name: 'Key ring' }] },
    });
    expect((await ask('DELETE', url)).status).toBe(204);
    expect(await ask('GET', '/api/auth/passkeys')).toEqual({
      status: 200,
      body: { passkeys: [], nextCursor: null },
    });
    expect((await ask('DELETE', url)).status).toBe(404);
  });

  test('are not added without the password', async () => {
    const reply = await ask('POST', '/api/auth/passkeys/options', {});

    expect(reply).toMatchObject({ status: 403, body: { code: 'wrong_password' } });
  });
});
