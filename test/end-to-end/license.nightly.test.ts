/** The specification's License section over HTTP: real servers, a real authority, all of their traces. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  startLicenseAuthority,
  type LicenseAuthority,
} from '../../packages/app/license-authority/index.ts';
import { silentLog } from '../../kernel/index.ts';
import { createTestIssuer } from '../support/plugins/license.ts';
import { adminToken, startServer, until, type TestServer } from '../support/servers/server.ts';

const { issuer, issue } = createTestIssuer();
const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-license-'));
const heard: string[] = [];
let authority: LicenseAuthority;
let one: TestServer;
let other: TestServer;

const startOne = (data: string) =>
  startServer({
    data: path.join(folder, data),
    args: ['--license-issuer', issuer, '--license-authority', authority.url],
    env: { VITRINE_LOG_LEVEL: 'debug' },
  });

beforeAll(async () => {
  mkdirSync(path.join(folder, 'authority'));
  authority = await startLicenseAuthority({
    host: '127.0.0.1',
    port: 0,
    data: path.join(folder, 'authority'),
    issuer,
    rate: 10_000,
    now: Date.now,
    log: silentLog,
  });
  [one, other] = await Promise.all([startOne('one'), startOne('other')]);
});

afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
  await authority.stop();
  rmSync(folder, { recursive: true });
});

const activate = (server: TestServer, licenseKey: unknown) =>
  server.request('POST', '/api/license/activate', { licenseKey });

const libraryOf = (name: string) => {
  const root = path.join(folder, `films-${name}`);
  mkdirSync(root, { recursive: true });
  return { name, type: 'movies', roots: [root] };
};

describe('License', () => {
  test('"status (string, includes `unlicensed`)": so is a new server, and nothing is limited', async () => {
    expect(await one.get('/api/license')).toMatchObject({
      license: { status: 'unlicensed', limits: {}, maskedKey: null },
    });
    const added = await one.request('POST', '/api/libraries', libraryOf('zero'));
    expect(added.status).toBe(201);
  });

  test.each([
    ['no key', undefined],
    ['a number', 5],
    ['an empty key', ''],
    ['a word', 'hello'],
    ['a megabyte', 'x'.repeat(900_000)],
  ])('"Failure response: {ok: false, code, message}" for %s', async (_, licenseKey) => {
    expect(await activate(one, licenseKey)).toEqual({
      status: 400,
      body: { ok: false, code: 'MALFORMED', message: expect.any(String) },
    });
  });

  test('"Failure response" for a key that somebody else signed', async () => {
    expect(await activate(one, createTestIssuer().issue())).toMatchObject({
      status: 400,
      body: { ok: false, code: 'BAD_SIGNATURE' },
    });
  });

  test('"Success response: {ok: true, license: License}", and "the key is returned only masked"', async () => {
    const licenseKey = issue({ limits: { libraries: 2, users: 2, profiles: 3 } });

    const { status, body } = await activate(one, licenseKey);

    const license = {
      status: 'active',
      tier: 'home',
      limits: { libraries: 2, users: 2, profiles: 3 },
      expiresAt: expect.stringMatching(/Z$/),
      lastValidatedAt: expect.stringMatching(/Z$/),
      maskedKey: `****${licenseKey.slice(-4)}`,
    };
    expect({ status, body }).toEqual({ status: 200, body: { ok: true, license } });
    expect(await one.get('/api/license')).toEqual({ license });
  });

  test('"Conflict response: {ok: false, conflict: true, current, max, message}" on a second server', async () => {
    expect(await activate(other, issue())).toEqual({
      status: 409,
      body: { ok: false, conflict: true, current: 1, max: 1, message: expect.any(String) },
    });
    expect(await other.get('/api/license')).toMatchObject({ license: { status: 'unlicensed' } });
  });

  test('limits bind at once: of ten who want the last place, one gets it', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        one.request('POST', '/api/libraries', libraryOf(`film ${index}`)),
      ),
    );

    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { body } of replies.filter(({ status }) => status !== 201)) {
      expect(body).toEqual({
        error: 'The limit of the license for libraries is 2, and there are 2.',
        code: 'LICENSE_LIMIT',
        current: 2,
        max: 2,
      });
    }
  });

  test('users and profiles are limited alike', async () => {
    const userOf = (name: string) => ({ name, role: 'user', password: 'correct horse battery' });
    const profile = (name: string) => one.request('POST', '/api/profiles', { name });

    expect((await one.request('POST', '/api/users', userOf('anna'))).status).toBe(201);
    expect(await one.request('POST', '/api/users', userOf('bert'))).toMatchObject({
      status: 409,
      body: { code: 'LICENSE_LIMIT', current: 2, max: 2 },
    });
    expect((await profile('Kids')).status).toBe(201);
    expect(await profile('Guests')).toMatchObject({
      status: 409,
      body: { code: 'LICENSE_LIMIT', current: 3, max: 3 },
    });
  });

  test('what is beyond the limit of another license stays', async () => {
    expect((await activate(one, issue({ limits: { libraries: 1 } }))).status).toBe(200);

    const { libraries } = await one.get<{ libraries: unknown[] }>('/api/libraries');

    expect(libraries).toHaveLength(2);
    expect((await one.request('POST', '/api/libraries', libraryOf('more'))).body).toMatchObject({
      current: 2,
      max: 1,
    });
  });

  test('"includeHidden: only with an active license", from the very next request on', async () => {
    await one.request('POST', '/api/collections', {
      name: 'Secret',
      distributedId: 'secret',
      hidden: true,
    });
    const shown = async () => {
      const route = '/api/collections?includeHidden=true';
      const { collections } = await one.get<{ collections: { name: string }[] }>(route);
      return collections.some(({ name }) => name === 'Secret');
    };
    expect(await shown()).toBe(true);

    expect((await one.request('DELETE', '/api/license')).status).toBe(204);

    expect(await shown()).toBe(false);
  });

  test('a license that left one server is good on another', async () => {
    expect((await activate(other, issue())).status).toBe(200);
    expect((await other.request('DELETE', '/api/license')).status).toBe(204);
    expect((await activate(one, issue())).status).toBe(200);
  });

  test('the key is in no reply, event, log line, plugin log and file of a server', async () => {
    const licenseKey = issue({ id: 'traced' });
    const parts = licenseKey.split('.').slice(1);
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const stream = await fetch(`${one.url}/api/events`, {
      headers: { authorization: `Bearer ${adminToken}` },
      signal: controller.signal,
    });
    void listen(stream).catch(() => undefined);
    await activate(one, licenseKey);
    await activate(one, `${licenseKey}A`);
    const replies: unknown[] = [];
    for (const route of ['license', 'audit', 'plugins', 'plugins/license/logs', 'stats', 'health'])
      replies.push((await one.request('GET', `/api/${route}`)).body);
    await one.request('DELETE', '/api/license');
    await activate(one, licenseKey);
    const library = await one.request('PATCH', `/api/libraries/${await anyLibrary()}`, {
      name: 'Z',
    });
    expect(library.status).toBe(200);
    await until('an event came', () => heard.join('').includes('library.updated'));

    const traces = { replies: JSON.stringify(replies), events: heard.join(''), log: one.output() };
    for (const [where, text] of Object.entries(traces))
      expect({ where, found: parts.filter((part) => text.includes(part)) }).toEqual({
        where,
        found: [],
      });
    for (const name of readdirSync(path.join(folder, 'one'), {
      recursive: true,
      encoding: 'utf8',
    })) {
      const file = path.join(folder, 'one', name);
      const text = readFileIfAny(file);
      expect({ file, found: parts.filter((part) => text.includes(part)) }).toEqual({
        file,
        found: [],
      });
    }
  });

  test('a restarted server still has its license', async () => {
    await one.stop();
    one = await startOne('one');

    expect(await one.get('/api/license')).toMatchObject({ license: { status: 'active' } });
  });
});

async function anyLibrary(): Promise<string> {
  const { libraries } = await one.get<{ libraries: { id: string }[] }>('/api/libraries');
  return libraries[0]?.id ?? '';
}

async function listen(stream: Response): Promise<void> {
  const decoder = new TextDecoder();
  const body: AsyncIterable<Uint8Array> | null = stream.body;
  for await (const part of body ?? []) heard.push(decoder.decode(part));
}

function readFileIfAny(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
