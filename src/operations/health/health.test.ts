import { beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import type { Plugin } from '../../../kernel/plugins/index.ts';
import { createHealth, type PluginStates } from './index.ts';

let clock: FakeClock;
beforeEach(() => {
  clock = createFakeClock();
});

const plugin = (state: Plugin['state'], type: Plugin['type']): Plugin =>
  ({ state, type }) as Plugin;

const states = (list: readonly Plugin[] = [], isBooted = true): PluginStates => ({
  bootComplete: () => isBooted,
  list: () => list,
  counts: () => ({
    total: list.length,
    running: list.filter(({ state }) => state === 'running').length,
    starting: list.filter(({ state }) => state === 'starting').length,
    failed: list.filter(({ state }) => state === 'failed').length,
  }),
});

const quick = async () => ({ latencyMs: 1 });
const never = () => new Promise<never>(() => undefined);

function health(parts: { plugins?: PluginStates; ping?: () => Promise<{ latencyMs: number }> }) {
  return createHealth({ plugins: states(), ping: quick, clock, version: '1.2.3', ...parts });
}

describe('health', () => {
  test('has every field of the specification', async () => {
    const ask = health({
      plugins: states([plugin('running', 'builtin'), plugin('starting', 'local')]),
    });
    await clock.advance(1_500);

    expect(await ask()).toEqual({
      status: 'ok',
      timestamp: '2026-11-21T07:44:54.500Z',
      version: '1.2.3',
      uptime: 1.5,
      plugins: { bootComplete: true, total: 2, running: 1, starting: 1, failed: 0 },
    });
  });

  test('has the age of the brokers’ feeds, where a user is linked', async () => {
    const parts = { plugins: states(), ping: quick, clock, version: '1.2.3' };
    const linked = createHealth({ ...parts, feedAgeSeconds: () => 42 });
    const nobody = createHealth({ ...parts, feedAgeSeconds: () => null });

    expect(await linked()).toMatchObject({ identity: { feedAgeSeconds: 42 } });
    expect(await nobody()).not.toHaveProperty('identity');
  });

  test('is degraded while indexes of marketplace sources have expired, with their number', async () => {
    const parts = { plugins: states(), ping: quick, clock, version: '1.2.3' };

    expect(await createHealth({ ...parts, expiredSources: () => 2 })()).toMatchObject({
      status: 'degraded',
      marketplace: { expiredSources: 2 },
    });
    expect(await createHealth({ ...parts, expiredSources: () => 0 })()).toMatchObject({
      status: 'ok',
    });
  });

  test('is starting while plugins start', async () => {
    expect(await health({ plugins: states([], false) })()).toMatchObject({ status: 'starting' });
  });

  test('is degraded when a built-in plugin has failed, and not when an installed one has', async () => {
    const ours = states([plugin('failed', 'builtin')]);
    const theirs = states([plugin('failed', 'local')]);

    expect(await health({ plugins: ours })()).toMatchObject({ status: 'degraded' });
    expect(await health({ plugins: theirs })()).toMatchObject({ status: 'ok' });
  });

  test('is degraded when the database is slow', async () => {
    const ask = health({ ping: async () => ({ latencyMs: 501 }) });

    expect(await ask()).toMatchObject({ status: 'degraded' });
  });

  test('is failing when the database cannot be read', async () => {
    const ask = health({ ping: () => Promise.reject(new Error('disk I/O error')) });

    expect(await ask()).toMatchObject({ status: 'failing' });
  });

  test('is failing when the database does not answer in 2 seconds, with one query for all requests', async () => {
    let asked = 0;
    const ask = health({
      ping: () => {
        asked += 1;
        return never();
      },
    });

    const answers = Promise.all([ask(), ask(), ask()]);
    await clock.advance(2_000);

    expect((await answers).map(({ status }) => status)).toEqual(['failing', 'failing', 'failing']);
    expect(asked).toBe(1);
    expect(clock.timers()).toBe(0);
  });
});
