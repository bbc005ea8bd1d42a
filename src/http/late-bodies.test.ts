/** A request whose body comes late, over real sockets: its credential ends between head and body. */
import { connect, type AddressInfo, type Socket } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openTestAccounts, password } from '../../test/support/people/accounts.ts';
import { createTestApp } from '../../test/support/servers/http.ts';
import type { Accounts } from '../people/accounts/index.ts';
import { serverViewer } from '../people/viewer/index.ts';
import { mount, type HttpApp } from './http-app.ts';
import { apiKeyRoutes } from './routes/accounts/api-keys.ts';
import { authRoutes } from './routes/accounts/auth.ts';
import type { User } from '../contract/resources/accounts/accounts.ts';

let accounts: Accounts;
let app: HttpApp;
let user: User;

beforeEach(async () => {
  ({ accounts } = await openTestAccounts());
  await accounts.setup.open(`vtk_${'0123456789abcdef'.repeat(4)}`);
  user = await accounts.users.create({ name: 'ada', password, role: 'user' }, serverViewer);
  app = await createTestApp([mount(apiKeyRoutes, accounts), mount(authRoutes, accounts)], {
    authenticate: accounts.authenticate,
  });
  onTestFinished(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
});

async function signIn(): Promise<string> {
  const payload = { name: 'ada', password };
  const reply = await app.inject({ method: 'POST', url: '/api/auth/login', payload });
  return reply.json<{ sessionToken: string }>().sessionToken;
}

const as = (token: string) => ({ authorization: `Bearer ${token}` });

async function keyOf(token: string): Promise<string> {
  const payload = { name: 'Player', role: 'user', scopes: null };
  const reply = await app.inject({
    ...{ method: 'POST', url: '/api/api-keys', headers: as(token), payload },
  });
  return reply.json<{ token: string }>().token;
}

/** Sends the head of a request that makes an API key, and half of its body. */
async function begun(token: string): Promise<{ readonly finish: () => Promise<string> }> {
  const body = JSON.stringify({ name: 'Late', role: 'user' });
  const admitted = Promise.withResolvers<undefined>();
  const { port } = app.server.address() as AddressInfo;
  const socket: Socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  app.server.once('request', () => admitted.resolve(undefined));
  socket.write(
    `POST /api/api-keys HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
  );
  await admitted.promise;
  // Who asks is known when this later request of the same credential is answered.
  await app.inject({ url: '/api/auth/me', headers: as(token) });
  return {
    finish: async () => {
      const ended = Promise.withResolvers<undefined>();
      socket.on('close', () => ended.resolve(undefined));
      socket.write(body.slice(9));
      await ended.promise;
      return heard.slice('HTTP/1.1 '.length, 12);
    },
  };
}

const keys = async (): Promise<readonly string[]> =>
  (await accounts.apiKeys.list(serverViewer, {})).apiKeys.map(({ name }) => name);

describe('a request that waits with its body', () => {
  test('does what it asks when its credential still holds', async () => {
    const { finish } = await begun(await signIn());

    expect([await finish(), await keys()]).toEqual(['201', expect.arrayContaining(['Late'])]);
  });

  test.each([
    [
      'signed out',
      async (token: string) =>
        void (await app.inject({ method: 'POST', url: '/api/auth/logout', headers: as(token) })),
      '401',
    ],
    [
      'ended by a new password',
      () => accounts.users.setPassword(user.id, { password: `${password}!` }, serverViewer),
      '401',
    ],
    [
      'of a user who was switched off',
      () => accounts.users.update(user.id, { disabled: true }, serverViewer),
      '401',
    ],
    [
      'of a user who was made a guest',
      () => accounts.users.update(user.id, { role: 'guest' }, serverViewer),
      '403',
    ],
    ['of a user who was removed', () => accounts.users.remove(user.id, serverViewer), '401'],
  ])('is refused when its session was %s meanwhile', async (_name, end, status) => {
    const token = await signIn();
    const { finish } = await begun(token);

    await end(token);

    expect([await finish(), await keys()]).toEqual([status, ['VITRINE_ADMIN_TOKEN']]);
  });

  test('is refused when its API key ended with the password that made it', async () => {
    const { finish } = await begun(await keyOf(await signIn()));

    const change = { password: `${password}!`, endApiKeys: true };
    await accounts.users.setPassword(user.id, change, serverViewer);

    expect([await finish(), await keys()]).toEqual(['401', ['VITRINE_ADMIN_TOKEN']]);
  });
});
