/** Conformance with "Stats, health, updates, backups" and "Webhooks": every field, in its type, from a real server. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOverPostgres } from '../support/storage/postgres.ts';
import type { ApiCall } from '../../packages/app/client/index.ts';
import { callsTo } from '../support/servers/api-calls.ts';
import { adminToken, startServer, type TestServer } from '../support/servers/server.ts';

let server: TestServer;
let call: ApiCall;

beforeAll(async () => {
  server = await startServer();
  call = callsTo(server.url, adminToken);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

type Fields = Readonly<Record<string, unknown>>;

/** The named fields, each by its type; a list by the types of its elements. */
function typesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(typesOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, typesOf(field)]));
}

describe('GET /api/stats', () => {
  test('is users, plugins, jobs, streaming, scheduler, uptime and memoryUsage, and beyond the specification pluginIsolation and conversion', async () => {
    const stats = await call('get', '/api/stats');
    const { scheduler, conversion, ...rest } = stats;

    expect(Object.keys(conversion).sort()).toEqual([
      'cage',
      'encoder',
      'maxHeight',
      'missing',
      'version',
    ]);
    expect(typesOf(rest)).toEqual({
      users: 'number',
      plugins: { total: 'number', running: 'number' },
      jobs: { running: 'number' },
      streaming: { transcodeSessions: 'number', wsClients: 'number' },
      uptime: 'number',
      pluginIsolation: 'string',
      memoryUsage: 'number',
    });
    expect(scheduler.length).toBeGreaterThan(3);
    for (const task of scheduler) {
      expect(Object.keys(task).sort()).toEqual(['interval', 'lastRun', 'name']);
      expect(typeof task.name).toBe('string');
      expect(typeof task.interval).toBe('number');
      // A task that never ran has no last run.
      expect(['string', 'object']).toContain(typeof task.lastRun);
    }
  });
});

describe('GET /api/health', () => {
  test('is status, timestamp, version, uptime and plugins, and nothing else, for every caller', async () => {
    const reply = await fetch(`${server.url}/api/health`);
    const health = (await reply.json()) as Fields;

    expect(typesOf(health)).toEqual({
      status: 'string',
      timestamp: 'string',
      version: 'string',
      uptime: 'number',
      plugins: {
        bootComplete: 'boolean',
        total: 'number',
        running: 'number',
        starting: 'number',
        failed: 'number',
      },
    });
    const packageJson = JSON.parse(
      await readFile(path.resolve(import.meta.dirname, '../../package.json'), 'utf8'),
    ) as Fields;
    expect(health).toMatchObject({ version: packageJson['version'] });
  });
});

describe('GET /api/updates', () => {
  test('has every field of the update status', async () => {
    const status: Fields = await call('get', '/api/updates');

    const texts = 'currentVersion channel'.split(' ');
    for (const name of texts) expect(typeof status[name], name).toBe('string');
    expect(status).toMatchObject({
      channel: 'stable',
      isUpdateAvailable: false,
      suppressed: false,
    });
    // Nothing was ever asked for: there is no newer version, no date, no error.
    const unknown =
      'currentReleasedAt latestVersion releasedAt lastCheckedAt lastError downloadUrl'.split(' ');
    for (const name of unknown) {
      expect(status, name).toHaveProperty(name);
      expect(['string', 'object'], name).toContain(typeof status[name]);
    }
  });
});

describe('PUT /api/updates', () => {
  test('refuses an unknown channel and names the allowed ones', async () => {
    const refused = await server.request('PUT', '/api/updates', { channel: 'nightly' });

    expect(refused).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/channel must be one of .*stable.*beta/) as string },
    });
  });
});

describe.skipIf(isOverPostgres)('POST /api/backups (of SQLite: PostgreSQL has pg_dump)', () => {
  test('answers {backup} with filename, path, sizeBytes and createdAt, and nothing else', async () => {
    const { status, body } = await server.request('POST', '/api/backups', { label: 'before' });

    expect(status).toBe(201);
    expect(typesOf(body)).toEqual({
      backup: { filename: 'string', path: 'string', sizeBytes: 'number', createdAt: 'string' },
    });
    const { backup } = body as { backup: { filename: string; sizeBytes: number } };
    const { size } = await stat(path.join(server.data, 'backups', backup.filename));
    expect(backup.sizeBytes).toBe(size);
  });

  test('takes no label as well', async () => {
    const { status } = await server.request('POST', '/api/backups', {});

    expect(status).toBe(201);
  });
});

describe('POST /api/webhooks', () => {
  test('answers the webhook at top level, with its secret this once', async () => {
    const { status, body } = await server.request('POST', '/api/webhooks', {
      name: 'Hook',
      url: 'https://192.0.2.1/vitrine',
    });

    expect(status).toBe(201);
    expect(typesOf(body)).toEqual({
      id: 'string',
      name: 'string',
      url: 'string',
      secret: 'string',
      events: 'string',
      enabled: 'boolean',
      createdAt: 'string',
      updatedAt: 'string',
      // Beyond the specification; a string, since this address is not on the public internet.
      reason: 'string',
    });
    const { id, secret } = body as { id: string; secret: string };
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const shown = await call('get', '/api/webhooks/{id}', { path: { id } });
    expect(JSON.stringify(shown)).not.toContain(secret);
  });

  test.each([
    ['no name', { url: 'https://hooks.example.org/' }],
    ['no url', { name: 'Hook' }],
    ['a url that is none', { name: 'Hook', url: 'hooks' }],
  ])('answers {error} to %s', async (_, payload) => {
    const { status, body } = await server.request('POST', '/api/webhooks', payload);

    expect(status).toBe(400);
    expect(typeof (body as Fields)['error']).toBe('string');
  });
});
