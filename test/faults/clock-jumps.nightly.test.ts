/**
 * The clock of a whole server is set a year ahead and back again, and a day behind, while it works: what
 * waits goes on in its time, and who was signed in is again. What each part does of this in detail
 * stands beside it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../kernel/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createVitrine, type Vitrine } from '../../src/compose/index.ts';
import { readConfig } from '../../src/platform/config.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import type { TemporaryDatabase } from '../support/storage/postgres.ts';
import { adminToken, until } from '../support/servers/server.ts';
import { newDatabase } from '../support/storage/storage.ts';
import packageJson from '../../package.json' with { type: 'json' };

const dayMs = 86_400_000;
const built = {
  folder: path.resolve(import.meta.dirname, '../../dist'),
  version: packageJson.version,
};
const password = 'correct horse battery';
let setByMs = 0;
let tree: MediaTree;
let data: string;
let database: TemporaryDatabase;
let vitrine: Vitrine;
let url: string;
let films = 0;

async function ask(method: string, route: string, body?: unknown, token = adminToken) {
  const reply = await fetch(url + route, {
    method,
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return {
    status: reply.status,
    body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
}

async function addFilms(count: number): Promise<void> {
  for (const last = films + count; films < last; films++)
    await tree.write(`Film ${films} (2001)/Film ${films}.mkv`);
}

/** A scan from its beginning to its end, in the middle of which the clock is set. */
async function scanWhile(jump: () => void): Promise<{ readonly items: number }> {
  await addFilms(60);
  const { body } = await ask('GET', '/api/libraries');
  const [library] = body['libraries'] as readonly { readonly id: string }[];
  await ask('POST', '/api/jobs', { type: 'scan', libraryId: library?.id });
  jump();
  await until('the jobs are over', async () => {
    const { counts } = (await ask('GET', '/api/jobs')).body as { counts: Record<string, number> };
    return counts['pending'] === 0 && counts['running'] === 0 && counts['failed'] === 0;
  });
  const page = (await ask('GET', '/api/items?limit=500')).body as { items: readonly object[] };
  return { items: page.items.length };
}

const signIn = async (): Promise<string> =>
  String(
    (await ask('POST', '/api/auth/login', { name: 'Ada', password }, '')).body['sessionToken'],
  );
const statusFor = async (token: string): Promise<number> =>
  (await ask('GET', '/api/auth/me', undefined, token)).status;

beforeAll(async () => {
  tree = await createMediaTree();
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  database = await newDatabase(data);
  const config = readConfig({
    flags: {
      ...{ port: '0', data, database: database.url, watch: 'off' },
      library: [`movies:Films:${tree.path}`],
    },
    env: { VITRINE_ADMIN_TOKEN: adminToken },
    cwd: data,
  });
  const clock = { ...systemClock, now: () => Date.now() + setByMs };
  vitrine = await createVitrine(config, built, silentLog, clock);
  ({ url } = await vitrine.start());
  await ask('POST', '/api/users', { name: 'Ada', password, role: 'admin' });
});

afterAll(async () => {
  await vitrine.stop('test');
  await database.remove();
  await tree.remove();
  await rm(data, { recursive: true, force: true });
});

describe('a server whose clock is set', () => {
  test('a year ahead and back again ends its scans with the right items, and knows who was signed in', async () => {
    const before = await signIn();

    const ahead = await scanWhile(() => (setByMs += 365 * dayMs));
    const [whileAhead, during] = [await statusFor(before), await signIn()];
    const back = await scanWhile(() => (setByMs -= 365 * dayMs));

    expect([ahead.items, back.items]).toEqual([60, 120]);
    expect([whileAhead, await statusFor(before), await statusFor(during)]).toEqual([401, 200, 200]);
  });

  test('a day behind goes on with scans, sign-ins and its count of the time that it runs', async () => {
    const before = await signIn();

    const behind = await scanWhile(() => (setByMs -= dayMs));

    expect(behind.items).toBe(180);
    expect([await statusFor(before), await statusFor(await signIn())]).toEqual([200, 200]);
    const { body } = await ask('GET', '/api/health');
    expect(body['uptime']).toBeGreaterThan(0);
    expect(body['uptime']).toBeLessThan(600);
  });
});
