import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  createTestIssuer,
  startTestAuthority,
  type TestIssuer,
} from '../../../test/support/plugins/license.ts';
import { temporaryFolder } from '../../../test/support/storage/storage.ts';

const dayMs = 24 * 3600_000;
const start = Date.UTC(2026, 10, 21);
let now: number;
let issuer: TestIssuer;
let data: string;
beforeEach(() => {
  now = start;
  issuer = createTestIssuer(start);
  data = temporaryFolder();
});

async function open(rate?: number) {
  const service = await startTestAuthority(issuer.issuer, {
    now: () => now,
    data,
    ...(rate !== undefined && { rate }),
  });
  const post = async (verb: string, body: unknown, contentType = 'application/json') => {
    const reply = await fetch(`${service.url}/api/licenses/${verb}`, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: reply.status, body: await reply.json(), headers: reply.headers };
  };
  const activate = (licenseKey: string, serverId: string) =>
    post('activate', { licenseKey, serverId });
  const deactivate = (licenseKey: string, serverId: string) =>
    post('deactivate', { licenseKey, serverId });
  return { ...service, post, activate, deactivate };
}

describe('POST {authority}/api/licenses/activate {licenseKey, serverId}', () => {
  test('counts servers up to the seats of the license, and each server once', async () => {
    const { activate } = await open();
    const key = issuer.issue({ seats: 2 });

    expect(await activate(key, 'one')).toMatchObject({ status: 200, body: { current: 1, max: 2 } });
    expect(await activate(key, 'one')).toMatchObject({ status: 200, body: { current: 1, max: 2 } });
    expect(await activate(key, 'two')).toMatchObject({ status: 200, body: { current: 2, max: 2 } });
    expect(await activate(key, 'three')).toMatchObject({
      status: 409,
      body: { current: 2, max: 2 },
    });
    expect(await activate(key, 'two')).toMatchObject({ status: 200 });
  });

  test('counts by the id of the license, for all of its keys', async () => {
    const { activate } = await open();
    await activate(issuer.issue({ tier: 'old' }), 'one');

    expect(await activate(issuer.issue({ tier: 'new' }), 'two')).toMatchObject({ status: 409 });
    expect(await activate(issuer.issue({ id: 'other' }), 'two')).toMatchObject({ status: 200 });
  });

  test('keeps the count over a restart', async () => {
    const first = await open();
    await first.activate(issuer.issue(), 'one');
    await first.stop();

    const { activate } = await open();

    expect(await activate(issuer.issue(), 'two')).toMatchObject({ status: 409 });
  });

  test('frees the seat of a server that returned it, or was silent for 30 days', async () => {
    const { activate, deactivate } = await open();
    const key = issuer.issue();
    await activate(key, 'one');
    expect(await deactivate(key, 'one')).toMatchObject({ status: 200, body: { released: true } });
    expect(await deactivate(key, 'one')).toMatchObject({ status: 200, body: { released: false } });
    await activate(key, 'two');

    now += 30 * dayMs;
    expect(await activate(key, 'three')).toMatchObject({ status: 409 });
    now += 1;
    expect(await activate(key, 'three')).toMatchObject({ status: 200 });
  });

  test.each([
    ['MALFORMED', () => 'hello'],
    ['BAD_SIGNATURE', () => createTestIssuer(start).issue()],
    ['EXPIRED', () => issuer.issue({ iat: 1, exp: start / 1000 })],
  ])('refuses a key that is %s, and counts nothing', async (code, keyOf) => {
    const { activate } = await open();

    expect(await activate(keyOf(), 'one')).toMatchObject({
      status: 400,
      body: { ok: false, code, message: expect.any(String) },
    });
  });

  test.each([
    ['no server', { licenseKey: 'a' }, 400],
    ['an empty server', { licenseKey: 'a', serverId: '' }, 400],
    ['a server with a line end', { licenseKey: 'a', serverId: 'a\nb' }, 400],
    ['a number for the key', { licenseKey: 5, serverId: 'a' }, 400],
    ['an extra key', { licenseKey: 'a', serverId: 'a', role: 'admin' }, 400],
    ['null', 'null', 400],
    ['half of JSON', '{"licenseKey":', 400],
    ['a prototype', '{"__proto__":{},"licenseKey":"a","serverId":"a"}', 400],
    ['a body that is too large', `{"licenseKey":"${'x'.repeat(20_000)}"}`, 413],
  ])('refuses a body with %s', async (_, body, status) => {
    const { post } = await open();

    expect(await post('activate', body)).toMatchObject({ status, body: { ok: false } });
  });

  test('accepts only JSON, so that no form of a web page works', async () => {
    const { post } = await open();

    expect(await post('activate', '{}', 'text/plain')).toMatchObject({ status: 415 });
  });
});

test('an address with too many requests must wait, and gets the seconds', async () => {
  const { activate } = await open(3);
  for (const id of ['a', 'b', 'c']) expect((await activate('x', id)).status).toBe(400);

  const refused = await activate('x', 'd');

  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  expect(refused.headers.get('retry-after')).toBe('20');
  now += 20_000;
  expect((await activate('x', 'd')).status).toBe(400);
});

test('the service stores no license key', async () => {
  const { activate, stop } = await open();
  const key = issuer.issue();
  await activate(key, 'one');
  await stop();

  for (const name of readdirSync(data)) {
    const file = readFileSync(path.join(data, name), 'latin1');
    expect(key.split('.').filter((part) => part.length > 4 && file.includes(part))).toEqual([]);
  }
});
