import { describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp } from '../../../../test/support/servers/http.ts';
import { silentLog } from '../../../../kernel/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { createHealth, createStats, type PluginStates } from '../../../operations/health/index.ts';
import type { HttpParts } from '../../app.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { operationsRoutes } from './operations.ts';

const plugins: PluginStates = {
  bootComplete: () => true,
  list: () => [],
  counts: () => ({ total: 3, running: 2, starting: 0, failed: 1 }),
};

async function open(
  ping: () => Promise<{ latencyMs: number }>,
  parts: Partial<HttpParts> = {},
): Promise<HttpApp> {
  const health = createHealth({ plugins, ping, clock: systemClock, version: '1.2.3' });
  const metrics = createMetrics({ log: silentLog });
  const stats = createStats({
    users: async () => 4,
    plugins,
    runningJobs: async () => 1,
    transcodeSessions: () => 0,
    liveClients: () => 2,
    scheduler: () => [{ name: 'update-check', interval: 86_400_000, lastRun: null }],
    pluginIsolation: async () => 'namespaces',
    memoryBytes: () => 12_345_678,
    clock: systemClock,
  });
  const app = await createTestApp([mount(operationsRoutes, { health, stats, metrics })], parts);
  onTestFinished(() => app.close());
  return app;
}

describe('GET /api/health', () => {
  test('answers 200 without a credential', async () => {
    const app = await open(async () => ({ latencyMs: 1 }));

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

  test('answers 503 with the same fields when the database cannot be read', async () => {
    const app = await open(() => Promise.reject(new Error('gone')));

    const reply = await app.inject('/api/health');

    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe('5');
    expect(reply.json()).toMatchObject({ status: 'failing', version: '1.2.3' });
  });

  test('answers while the server starts and while it stops', async () => {
    for (const now of ['starting', 'stopping'] as const) {
      const app = await open(async () => ({ latencyMs: 1 }), { readiness: () => now });
      expect((await app.inject('/api/health')).statusCode).toBe(200);
    }
  });
});

describe('GET /api/stats', () => {
  test('answers every field of the specification', async () => {
    const app = await open(async () => ({ latencyMs: 1 }));

    const reply = await app.inject({ url: '/api/stats', headers: bearer('admin') });

    expect(reply.json()).toEqual({
      users: 4,
      plugins: { total: 3, running: 2 },
      jobs: { running: 1 },
      streaming: { transcodeSessions: 0, wsClients: 2 },
      scheduler: [{ name: 'update-check', interval: 86_400_000, lastRun: null }],
      uptime: expect.any(Number),
      pluginIsolation: 'namespaces',
      memoryUsage: 12_345_678,
    });
  });
});

describe('GET /metrics', () => {
  test('is for admins, and says so until the server counts', async () => {
    const app = await open(async () => ({ latencyMs: 1 }));

    expect((await app.inject('/metrics')).statusCode).toBe(401);
    expect((await app.inject({ url: '/metrics', headers: bearer('user') })).statusCode).toBe(403);
    const early = await app.inject({ url: '/metrics', headers: bearer('read-only') });
    expect(early.statusCode).toBe(503);
  });
});
