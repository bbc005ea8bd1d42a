/** The way of a household: the first start, who comes in, and who does so no more. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileCache } from '../support/run/built-program.ts';
import { databaseFlags, startServer, until, type TestServer } from '../support/servers/server.ts';

const root = path.resolve(import.meta.dirname, '../..');
const password = 'correct horse battery';
const setupLink = /Set up this server at (\S+)\/setup#token=(\S+)\n/;

let data: string;
let server: TestServer;
let admin: string;

const start = () => startServer({ data, env: { VITRINE_ADMIN_TOKEN: '' } });

/** A request to the running server; gives its status and its body. */
async function ask(method: string, route: string, body?: object, token = '') {
  const reply = await fetch(server.url + route, {
    method,
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  const parsed: unknown = text === '' ? null : JSON.parse(text);
  return { status: reply.status, body: parsed as Record<string, unknown> };
}

const tokenOf = ({ body }: { readonly body: Record<string, unknown> }): string =>
  String(body['sessionToken']);

const signIn = async (name: string, given = password): Promise<string> =>
  tokenOf(await ask('POST', '/api/auth/login', { name, password: given }));

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-accounts-'));
  server = await start();
});

afterAll(async () => {
  await server.stop();
  await rm(data, { recursive: true, force: true });
});

describe('the first start', () => {
  test('prints a setup link, another one at each start, as long as there is no user', async () => {
    const [, url, token] = setupLink.exec(server.output()) ?? [];
    expect(url).toBe(server.url);
    expect(await ask('GET', '/api/setup')).toEqual({ status: 200, body: { isNeeded: true } });
    expect((await fetch(`${server.url}/setup`)).status).toBe(200);
    expect(await server.stop()).toBe(0);

    server = await start();

    expect(setupLink.exec(server.output())?.[2]).not.toBe(token);
    const late = { token, name: 'Anna', password };
    expect(await ask('POST', '/api/setup', late)).toMatchObject({
      status: 403,
      body: { code: 'wrong_setup_token' },
    });
  });

  test('makes the admin, with a default profile, who is then signed in', async () => {
    const token = setupLink.exec(server.output())?.[2];

    const done = await ask('POST', '/api/setup', { token, name: 'Anna', password });

    expect(done).toEqual({
      status: 201,
      body: {
        sessionToken: expect.stringMatching(/^vts_/),
        expiresAt: expect.any(String),
        user: expect.objectContaining({ name: 'Anna', role: 'admin' }),
      },
    });
    admin = tokenOf(done);
    expect(await ask('GET', '/api/profiles', undefined, admin)).toMatchObject({
      body: { profiles: [{ name: 'Anna', isDefault: true }] },
    });
    expect(await ask('GET', '/api/stats', undefined, admin)).toMatchObject({ body: { users: 1 } });
  });

  test('is over: the next start prints no link, and who was signed in still is', async () => {
    await server.stop();
    server = await start();

    expect(server.output()).not.toContain('Set up');
    expect((await ask('GET', '/api/auth/me', undefined, admin)).status).toBe(200);
    expect(server.output()).not.toContain(admin);
  });
});

describe('a user who is switched off', () => {
  test('is out with the next request, and their event stream ends', async () => {
    const bert = await ask('POST', '/api/users', { name: 'Bert', password }, admin);
    const { id } = bert.body['user'] as { id: string };
    const token = await signIn('Bert');
    const events = await fetch(`${server.url}/api/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const ended = events.text();

    await ask('PATCH', `/api/users/${id}`, { disabled: true }, admin);

    expect((await ask('GET', '/api/auth/me', undefined, token)).status).toBe(401);
    expect(await ended).toContain('retry:');
    expect(await ask('POST', '/api/auth/login', { name: 'Bert', password })).toMatchObject({
      status: 403,
      body: { code: 'account_disabled' },
    });
  });

  test('never is the last admin', async () => {
    const { body } = await ask('GET', '/api/auth/me', undefined, admin);
    const { id } = body['user'] as { id: string };

    for (const [method, change] of [
      ['DELETE', undefined],
      ['PATCH', { disabled: true }],
      ['PATCH', { role: 'user' }],
    ] as const) {
      expect(await ask(method, `/api/users/${id}`, change, admin)).toMatchObject({
        status: 409,
        body: { code: 'last_admin' },
      });
    }
  });
});

test('vitrine users reset lets somebody in again while the server runs', async () => {
  const database = await databaseFlags(data);
  const reset = () =>
    spawnSync(
      process.execPath,
      [path.join(root, 'dist/server.mjs'), 'users', 'reset', 'anna', '--data', data, ...database],
      { encoding: 'utf8', env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache } },
    );

  const { status, stdout } = reset();

  const [, made = ''] = /^The new password of Anna: (\S+)$/m.exec(stdout) ?? [];
  expect({ status, made }).toEqual({ status: 0, made: expect.stringMatching(/./) });
  await until('the session of before has ended', async () => {
    return (await ask('GET', '/api/auth/me', undefined, admin)).status === 401;
  });
  admin = await signIn('Anna', made);
  expect((await ask('GET', '/api/users', undefined, admin)).status).toBe(200);
});
