import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../kernel/index.ts';
import { openStorage } from '../../../../kernel/store/index.ts';
import {
  openBrokerScene,
  type BrokerScene,
} from '../../../../test/support/identity/broker-scene.ts';

let scene: BrokerScene;
beforeAll(async () => {
  scene = await openBrokerScene();
});
afterAll(() => scene.stop());

/** Requests the exact path, which `fetch` would normalize. */
const raw = (address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(scene.broker.identityUrl);
    const asked = request({ hostname, port, path: address }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end();
  });

test('every reply, with refusals, forbids caching, framing and interpretation as a page', async () => {
  for (const address of [
    '/api/health',
    '/nothing',
    '/web/session',
    '/api/identity/revocations?since=x',
  ]) {
    const { headers } = await fetch(scene.broker.identityUrl + address);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  }
});

test('an unknown route replies in the common form of errors', async () => {
  const reply = await fetch(`${scene.broker.identityUrl}/nothing`);

  expect([reply.status, await reply.json()]).toEqual([
    404,
    { error: 'not_found', message: 'Not found.' },
  ]);
});

test('only the routes for apps allow other origins, and never with credentials', async () => {
  const origin = { headers: { origin: 'https://app.example' } };
  const allowed = async (address: string) =>
    (await fetch(scene.broker.identityUrl + address, origin)).headers.get(
      'access-control-allow-origin',
    );

  expect(await allowed('/api/identity/revocations')).toBe('*');
  expect(await allowed('/api/identity/clients/pair/x')).toBe('*');
  for (const address of ['/web/session', '/web/vault', '/web/clients', '/', '/api/health'])
    expect(await allowed(address)).toBeNull();
});

test('an internal failure reveals no details', async () => {
  const { database, close } = await openStorage({
    url: scene.broker.database,
    migrations: [],
    isMigrating: false,
    log: silentLog,
  });
  const rename = (from: string, to: string) =>
    database.write(async (trx) => trx.schema.renameTable(from, to));
  await rename('links', 'lost');
  const reply = await fetch(`${scene.broker.identityUrl}/api/identity/servers/link/x`);
  await rename('lost', 'links');
  await close();

  expect([reply.status, await reply.json()]).toEqual([
    500,
    { error: 'internal', message: 'The broker failed; the reason is in its log.' },
  ]);
});

test('a change whose body comes after the sign-out is refused', async () => {
  const { port, host } = new URL(scene.broker.identityUrl);
  const eve = await scene.register('eve');
  const { name, value } = eve.cookie();
  const admitted = Promise.withResolvers<undefined>();
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let heard = '';
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString();
    if (heard.includes(' 100 ')) admitted.resolve(undefined);
  });
  const ended = new Promise((resolve) => socket.on('close', resolve));
  socket.write(
    `POST /web/passkeys/options HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n` +
      `Expect: 100-continue\r\nOrigin: ${scene.broker.identityUrl}\r\nCookie: ${name}=${value}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
  );
  await admitted.promise;
  await eve.web('session');

  await eve.web('logout', { body: {} });
  socket.write('}');
  await ended;

  expect(heard).toMatch(/HTTP\/1\.1 401 [^]*"signed_out"/);
});

describe('the pages', () => {
  test('are one shell at each of their addresses, with a strict policy', async () => {
    for (const address of ['/', '/pair', '/pair/abc', '/link/abc', '/recover', '/developer']) {
      const reply = await fetch(scene.broker.identityUrl + address);
      expect([address, reply.status]).toEqual([address, 200]);
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'cross-origin-opener-policy': 'same-origin',
      });
      const policy = reply.headers.get('content-security-policy') ?? '';
      for (const rule of [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ])
        expect(policy.split('; ')).toContain(rule);
      expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:/);
    }
  });

  test('are not sent again to a browser that has them cached', async () => {
    const url = `${scene.broker.identityUrl}/pages/main.js`;
    const { headers } = await fetch(url);

    const again = await fetch(url, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('give access to no other file', async () => {
    for (const name of ['..%2fserver.mjs', '%2e%2e/server.mjs', 'bundle.json', '.', '..%5cstamp'])
      expect([name, await raw(`/pages/${name}`)]).toEqual([name, 404]);
  });
});
