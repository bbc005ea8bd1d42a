import { describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp, testViewers } from '../../../../test/support/servers/http.ts';
import { silentLog } from '../../../../kernel/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import {
  createHealth,
  createReadyCheck,
  createStats,
  type PluginStates,
} from '../../../operations/health/index.ts';
import type { HttpParts } from '../../app.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { operationsRoutes } from './operations.ts';
import type { Problem } from '../../../contract/resources/operations/operations.ts';

const plugins: PluginStates = {
  bootComplete: () => true,
  list: () => [],
  counts: () => ({ total: 3, running: 2, starting: 0, failed: 1 }),
};

const full: Problem = {
  code: 'cannot_write',
  severity: 'critical',
  subject: { type: 'folder', id: 'data folder' },
  message: 'The disk of the data folder is full.',
  action: 'Make room on it.',
  since: '2026-11-21T07:44:53.000Z',
};

async function open(
  found: readonly Problem[] = [],
  parts: Partial<HttpParts> = {},
): Promise<HttpApp> {
  const [refresh, problems] = [() => undefined, () => found];
  const clock = systemClock;
  const health = createHealth({ plugins, refresh, problems, clock, version: '1.2.3' });
  const readiness = parts.readiness ?? (() => 'ready' as const);
  const ready = createReadyCheck({ roles: ['web', 'jobs'], refresh, problems, readiness });
  const metrics = createMetrics({ log: silentLog });
  const stats = createStats({
    users: async () => 4,
    plugins,
    runningJobs: async () => 1,
    transcodeSessions: () => 0,
    liveClients: () => 2,
    scheduler: () => [{ name: 'update-check', interval: 86_400_000, lastRun: null }],
    pluginIsolation: async () => 'namespaces',
    conversion: async () => ({
      ...{ version: '7.1', cage: 'bwrap', encoder: 'software', maxHeight: 1080, missing: null },
    }),
    memoryBytes: () => 12_345_678,
    clock: systemClock,
  });
  const app = await createTestApp(
    [mount(operationsRoutes, { health, ready, problems, stats, metrics })],
    parts,
  );
  onTestFinished(() => app.close());
  return app;
}

describe('GET /api/health', () => {
  test('answers 200 without a credential', async () => {
    const app = await open();

    const reply = await app.inject('/api/health');

    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({
      status: 'ok',
      timestamp: expect.stringMatching(/Z$/),
      version: '1.2.3',
      uptime: expect.any(Number),
      plugins: { bootComplete: true, total: 3, running: 2, starting: 0, failed: 1 },
    });
  });

  test('answers 200 with the status failing when the server cannot write', async () => {
    const app = await open([full]);

    const reply = await app.inject('/api/health');

    expect([reply.statusCode, reply.json()]).toMatchObject([200, { status: 'failing' }]);
  });

  test('answers the problems to admins only', async () => {
    const app = await open([full]);
    const ask = async (...headers: [object?]) =>
      (await app.inject({ url: '/api/health', headers: { ...headers[0] } })).json<{
        readonly problems?: readonly Problem[];
      }>();

    expect((await ask(bearer('admin'))).problems).toEqual([full]);
    expect((await ask(bearer('read-only'))).problems).toEqual([full]);
    for (const name of ['user', 'guest', 'admin-of-films', 'unknown'])
      expect(await ask(bearer(name))).not.toHaveProperty('problems');
    expect(await ask()).not.toHaveProperty('problems');
  });

  test('answers the problems to the browser of an admin, which has a cookie', async () => {
    const token = `vts_${'a'.repeat(43)}`;
    const app = await open([full], {
      authenticate: async ({ authorization }) =>
        authorization === `Bearer ${token}` && testViewers['admin']
          ? { viewer: testViewers['admin'], isLocked: false, routes: null }
          : null,
    });

    const reply = await app.inject({
      url: '/api/health',
      headers: { cookie: `vitrine=${token}` },
    });

    expect(reply.json()).toMatchObject({ problems: [full] });
  });

  test('does not wait for a credential that the database does not answer to', async () => {
    const app = await open([full], { authenticate: () => new Promise(() => undefined) });

    const reply = await app.inject({ url: '/api/health', headers: bearer('admin') });

    expect([reply.statusCode, reply.json()]).toMatchObject([200, { status: 'failing' }]);
    expect(reply.json()).not.toHaveProperty('problems');
  });

  test('answers while the server starts and while it stops', async () => {
    for (const now of ['starting', 'stopping'] as const) {
      const app = await open([], { readiness: () => now });
      expect((await app.inject('/api/health')).statusCode).toBe(200);
    }
  });
});

describe('GET /api/ready', () => {
  test('answers 200, or 503 with the reasons', async () => {
    const [good, bad] = [await open(), await open([full], { readiness: () => 'draining' })];

    const [ready, unready] = [await good.inject('/api/ready'), await bad.inject('/api/ready')];

    expect([ready.statusCode, ready.json()]).toEqual([
      200,
      { ready: true, roles: ['web', 'jobs'], reasons: [] },
    ]);
    expect([unready.statusCode, unready.headers['retry-after']]).toEqual([503, '5']);
    expect(unready.json()).toEqual({
      ready: false,
      roles: ['web', 'jobs'],
      reasons: [
        { code: 'stopping', message: 'The server is stopping.' },
        { code: 'cannot_write', message: 'The disk of the data folder is full.' },
      ],
    });
  });
});

describe('GET /api/stats', () => {
  test('answers every field of the specification', async () => {
    const app = await open();

    const reply = await app.inject({ url: '/api/stats', headers: bearer('admin') });

    expect(reply.json()).toEqual({
      users: 4,
      plugins: { total: 3, running: 2 },
      jobs: { running: 1 },
      streaming: { transcodeSessions: 0, wsClients: 2 },
      scheduler: [{ name: 'update-check', interval: 86_400_000, lastRun: null }],
      uptime: expect.any(Number),
      pluginIsolation: 'namespaces',
      conversion: {
        version: '7.1',
        cage: 'bwrap',
        encoder: 'software',
        maxHeight: 1080,
        missing: null,
      },
      memoryUsage: 12_345_678,
    });
  });
});

describe('GET /metrics', () => {
  test('is for admins, and says so until the server counts', async () => {
    const app = await open();

    expect((await app.inject('/metrics')).statusCode).toBe(401);
    expect((await app.inject({ url: '/metrics', headers: bearer('user') })).statusCode).toBe(403);
    const early = await app.inject({ url: '/metrics', headers: bearer('read-only') });
    expect(early.statusCode).toBe(503);
  });
});
