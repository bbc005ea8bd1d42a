import { beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  makeUser,
  openTestAccounts,
  signIn,
  type TestAccounts,
} from '../../../../test/support/people/accounts.ts';
import { createTestApp } from '../../../../test/support/servers/http.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { authRoutes } from './auth.ts';
import { userSessionRoutes } from './user-sessions.ts';

let parts: TestAccounts;
let app: HttpApp;
let tokens: { readonly anna: string; readonly bert: string };
let bert: string;

beforeEach(async () => {
  parts = await openTestAccounts();
  await makeUser(parts.accounts, 'Anna', 'admin');
  bert = (await makeUser(parts.accounts, 'Bert')).id;
  tokens = {
    anna: (await signIn(parts.accounts, 'Anna')).token,
    bert: (await signIn(parts.accounts, 'Bert')).token,
  };
  const routes = [mount(userSessionRoutes, parts.accounts), mount(authRoutes, parts.accounts)];
  app = await createTestApp(routes, { authenticate: parts.accounts.authenticate });
  onTestFinished(() => app.close());
});

async function ask(token: string, method: 'GET' | 'DELETE', url: string) {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await app.inject({ method, url, headers });
  const body = reply.body === '' ? null : reply.json<{ sessions?: { id: string }[] }>();
  return { status: reply.statusCode, body };
}

test('an admin sees where another user is signed in, and ends that', async () => {
  const { body } = await ask(tokens.anna, 'GET', `/api/users/${bert}/sessions`);
  expect(body?.sessions).toMatchObject([{ isCurrent: false }]);
  const id = body?.sessions?.[0]?.id ?? '';

  expect(await ask(tokens.anna, 'DELETE', `/api/users/${bert}/sessions/${id}`)).toMatchObject({
    status: 204,
  });
  expect((await ask(tokens.bert, 'GET', '/api/auth/sessions')).status).toBe(401);
  expect((await ask(tokens.anna, 'DELETE', `/api/users/${bert}/sessions/${id}`)).status).toBe(404);
});

test('nobody else does, and a session is only found under its own user', async () => {
  const own = await ask(tokens.anna, 'GET', '/api/auth/sessions');
  const id = own.body?.sessions?.[0]?.id ?? '';

  expect((await ask(tokens.bert, 'GET', `/api/users/${bert}/sessions`)).status).toBe(403);
  expect((await ask(tokens.anna, 'DELETE', `/api/users/${bert}/sessions/${id}`)).status).toBe(404);
  expect((await ask(tokens.anna, 'GET', '/api/users/nobody/sessions')).status).toBe(404);
});
