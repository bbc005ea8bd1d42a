import { beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import type { Plugin } from '../../../kernel/run/index.ts';
import type { ProblemCode, ProblemSeverity } from '../../platform/problems/index.ts';
import {
  allOf,
  createDatabaseWatch,
  createHealth,
  createReadyCheck,
  type HealthParts,
  type PluginStates,
} from './index.ts';
import type { Problem } from '../../contract/resources/operations/operations.ts';

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

const problem = (code: ProblemCode, severity: ProblemSeverity): Problem => ({
  ...{ code, severity, subject: { type: 'server', id: 'x' }, message: 'It fails.' },
  ...{ action: 'Mend it.', since: '2026-11-21T07:44:53.000Z' },
});

const health = (parts: Partial<HealthParts> = {}) =>
  createHealth({
    ...{ plugins: states(), refresh: () => undefined, problems: () => [], clock },
    ...{ version: '1.2.3', ...parts },
  });

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
    const linked = health({ feedAgeSeconds: () => 42 });
    const nobody = health({ feedAgeSeconds: () => null });

    expect(await linked()).toMatchObject({ identity: { feedAgeSeconds: 42 } });
    expect(await nobody()).not.toHaveProperty('identity');
  });

  test('has the number of marketplace sources whose index has expired', async () => {
    const ask = health({ problems: () => [problem('index_expired', 'error')] });

    expect(await ask()).toMatchObject({
      status: 'degraded',
      marketplace: { expiredSources: 1 },
    });
  });

  test.each([
    ['ok', 'plugin_given_up', 'warning'],
    ['degraded', 'backup_failed', 'error'],
    ['failing', 'cannot_write', 'critical'],
  ] as const)(
    'is %s with a problem that is a %s of the severity %s',
    async (status, code, severity) => {
      expect(await health({ problems: () => [problem(code, severity)] })()).toMatchObject({
        status,
      });
    },
  );

  test('is starting while plugins start', async () => {
    expect(await health({ plugins: states([], false) })()).toMatchObject({ status: 'starting' });
  });

  test('waits for its looks at most three seconds', async () => {
    const ask = health({ refresh: allOf(clock, [() => new Promise(() => undefined)]) });

    const answer = ask();
    await clock.advance(3_000);

    expect(await answer).toMatchObject({ status: 'ok' });
    expect(clock.timers()).toBe(0);
  });
});

describe('the server is ready', () => {
  const ready = (readiness: 'starting' | 'ready', problems: readonly Problem[]) =>
    createReadyCheck({
      ...{ refresh: () => undefined, problems: () => problems, readiness: () => readiness },
      roles: ['web'],
    })();

  test('unless it starts, stops, or cannot read or write', async () => {
    expect(await ready('ready', [problem('backup_failed', 'error')])).toEqual({
      ready: true,
      roles: ['web'],
      reasons: [],
    });
    expect(await ready('starting', [problem('cannot_write', 'critical')])).toEqual({
      ready: false,
      roles: ['web'],
      reasons: [
        { code: 'starting', message: 'The server is starting.' },
        { code: 'cannot_write', message: 'It fails.' },
      ],
    });
  });
});

describe('the database', () => {
  const watched = (ping: () => Promise<{ latencyMs: number }>) => {
    const told: string[] = [];
    const look = createDatabaseWatch({
      ...{
        ping,
        clock,
        report: (_codes, found) => void told.push(...found.map(({ code }) => code)),
      },
    });
    return { look, told };
  };

  test.each([
    ['is slow', async () => ({ latencyMs: 501 }), ['database_slow']],
    ['cannot be read', () => Promise.reject(new Error('gone')), ['database_unreachable']],
    ['works', async () => ({ latencyMs: 1 }), []],
  ] as const)('that %s is told', async (_how, ping, codes) => {
    const { look, told } = watched(ping);
    await look();

    expect(told).toEqual(codes);
    expect(clock.timers()).toBe(0);
  });

  test('that does not answer in two seconds is told, with one query for all requests', async () => {
    let asked = 0;
    const { look, told } = watched(() => {
      asked += 1;
      return new Promise(() => undefined);
    });

    const looks = Promise.all([look(), look(), look()]);
    await clock.advance(2_000);
    await looks;

    expect([told, asked]).toEqual([['database_unreachable'], 1]);
  });
});
