import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import { callService } from '../../../test/support/plugins/call-service.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { createPluginWakes, schedulerMigrations, type PluginWakes } from './index.ts';
import { testByNight } from '../../../test/support/run/test-by-night.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

interface World {
  readonly clock: FakeClock;
  readonly wakes: PluginWakes;
  /** A call of `host.schedule` by a plugin. */
  readonly host: (method: string, input: object, pluginId?: string) => Promise<unknown>;
  /** Plugin, name, and the second of each call. */
  readonly called: string[];
  /** The behaviour of the calls. */
  readonly answers: { next: () => Promise<unknown> };
  readonly running: Set<string>;
  /** Moves on, and waits until no call is under way. */
  readonly wait: (ms: number) => Promise<void>;
}

const openDatabase = async (): Promise<Database> =>
  (await openTestStorage({ migrations: [schedulerMigrations] })).database;

function createWorld(database: Database, clock = createFakeClock()): World {
  const startedAt = clock.now();
  const called: string[] = [];
  const answers = { next: async (): Promise<unknown> => null };
  const running = new Set(['p', 'q']);
  const wakes = createPluginWakes({
    database,
    call: async (pluginId, _method, input) => {
      const name = 'name' in input ? input.name : '';
      called.push(`${pluginId} ${name} ${Math.round((clock.now() - startedAt) / 1000)}`);
      return answers.next();
    },
    isRunning: (id) => running.has(id),
    isKnown: (id) => id === 'p' || id === 'q',
    clock,
    log: silentLog,
  });
  onTestFinished(() => wakes.stop());
  const host: World['host'] = (method, input, pluginId = 'p') =>
    callService(wakes.service, { schedule: true }, pluginId)(method, input);
  /** A look has been taken when its timer is set again, or nothing is due. */
  const settled = async (): Promise<void> => {
    for (let turns = 0; turns < 3; turns += 1) {
      await database.write(async () => undefined);
      await database.read.raw('select 1');
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const wait: World['wait'] = async (ms) => {
    await settled();
    await clock.advance(ms);
    await settled();
  };
  return { clock, wakes, host, called, answers, running, wait };
}

/** Advances the clock: timers for a past time fire with the next tick. */
const comesTrue = (
  clock: FakeClock,
  what: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> =>
  eventually(what, async () => {
    await clock.advance(0);
    return holds();
  });

const started = async (world: World): Promise<World> => {
  await world.wakes.start();
  return world;
};

test('a plugin is called once at the time that it set, and not before', async () => {
  const { host, wait, called, clock } = await started(createWorld(await openDatabase()));
  await host('set', { name: 'tidy', at: clock.now() + 90_000 });

  await wait(89_999);
  expect(called).toEqual([]);
  await wait(1);
  await comesTrue(clock, 'it was called', () => called.length === 1);
  await wait(10 * minuteMs);

  expect(called).toEqual(['p tidy 90']);
  expect(await host('list', {})).toEqual({ wakes: [] });
});

test('a recurring time recurs, and a name has one time', async () => {
  const { host, wait, called, clock } = await started(createWorld(await openDatabase()));
  const at = clock.now() + minuteMs;
  await host('set', { name: 'tidy', at: at + dayMs });
  await host('set', { name: 'tidy', at, everyMs: 2 * minuteMs });
  expect(await host('list', {})).toEqual({
    wakes: [{ name: 'tidy', at, everyMs: 2 * minuteMs }],
  });

  for (const at of [60, 180, 300]) {
    await wait(at === 60 ? minuteMs : 2 * minuteMs);
    await comesTrue(clock, 'it was called', () => called.at(-1) === `p tidy ${at}`);
  }
  expect(called).toHaveLength(3);
});

test('a recurring time is not late by a day when the clock was set back by one', async () => {
  const { host, wait, called, clock } = await started(createWorld(await openDatabase()));
  await host('set', { name: 'tidy', at: clock.now() + minuteMs, everyMs: 60 * minuteMs });
  await host('set', { name: 'once', at: clock.now() + 90 * minuteMs });
  await wait(minuteMs);
  await comesTrue(clock, 'it was called', () => called.length === 1);

  clock.set(-dayMs);
  for (let quarter = 0; quarter < 8; quarter += 1) await wait(15 * minuteMs);
  await comesTrue(clock, 'it came again', () => called.length > 1);

  const set = await host('list', {});
  expect(called.every((call) => call.startsWith('p tidy'))).toBe(true);
  expect(set).toMatchObject({ wakes: [{ name: 'tidy' }, { name: 'once' }] });
});

test('times that were missed while the server was off are called once, at the start', async () => {
  const database = await openDatabase();
  const before = createWorld(database);
  const at = before.clock.now() + minuteMs;
  await before.host('set', { name: 'hourly', at, everyMs: 60 * minuteMs });
  await before.host('set', { name: 'once', at });
  const clock = createFakeClock(at + 10 * dayMs);

  const { called, wait, host } = await started(createWorld(database, clock));
  await comesTrue(clock, 'both were called', () => called.length === 2);
  await wait(minuteMs);

  expect(called).toEqual(['p hourly 0', 'p once 0']);
  const next = { name: 'hourly', at: at + 10 * dayMs + 60 * minuteMs, everyMs: 60 * minuteMs };
  await comesTrue(clock, 'the next time is noted', async () => {
    const { wakes } = (await host('list', {})) as { readonly wakes: readonly object[] };
    return JSON.stringify(wakes) === JSON.stringify([next]);
  });
});

test('a stopped plugin is called when it runs again', async () => {
  const world = await started(createWorld(await openDatabase()));
  const { host, wait, called, clock, running, wakes } = world;
  running.delete('p');
  await host('set', { name: 'tidy', at: clock.now() + 1000 });
  await wait(minuteMs);
  expect(called).toEqual([]);

  running.add('p');
  wakes.look();
  await comesTrue(clock, 'it was called', () => called.length === 1);
});

test('a failed call is repeated after growing pauses until it succeeds', async () => {
  const world = await started(createWorld(await openDatabase()));
  const { host, wait, called, clock, answers } = world;
  answers.next = async () => {
    throw new Error('No.');
  };
  await host('set', { name: 'send', at: clock.now() + 1000 });
  await wait(1000);
  await comesTrue(clock, 'it was called', () => called.length === 1);
  await wait(30_000);
  await comesTrue(clock, 'it was called again', () => called.length === 2);
  answers.next = async () => null;
  await wait(60_000);
  await comesTrue(clock, 'it was called a third time', () => called.length === 3);
  await wait(dayMs);

  expect(called).toEqual(['p send 1', 'p send 31', 'p send 91']);
});

test('calls of one name never overlap, and plugins do not wait for each other', async () => {
  const world = await started(createWorld(await openDatabase()));
  const { host, wait, called, clock, answers } = world;
  const { promise, resolve } = Promise.withResolvers<null>();
  answers.next = () => promise;
  const otherAt = clock.now() + minuteMs;
  await host('set', { name: 'slow', at: clock.now() + 1000, everyMs: minuteMs });
  await host('set', { name: 'other', at: otherAt }, 'q');
  await wait(1000);
  await comesTrue(clock, 'it was called', () => called.length === 1);
  await comesTrue(clock, 'the time of the other is waited for', () => clock.nextAt() === otherAt);
  await wait(5 * minuteMs);
  await comesTrue(clock, 'the other was called', () => called.length === 2);

  expect(called).toEqual(['p slow 1', expect.stringMatching(/^q other \d+$/)]);
  resolve(null);
});

test('a time that is set again during its call is kept', async () => {
  const world = await started(createWorld(await openDatabase()));
  const { host, wait, called, clock, answers } = world;
  const at = clock.now() + 5 * minuteMs;
  answers.next = () => host('set', { name: 'next', at });
  await host('set', { name: 'next', at: clock.now() + 1000 });
  await wait(1000);
  await comesTrue(clock, 'it was called', () => called.length === 1);

  await comesTrue(clock, 'its new time stands', async () => {
    const listed = await host('list', {});
    return (
      JSON.stringify(listed) === JSON.stringify({ wakes: [{ name: 'next', at, everyMs: null }] })
    );
  });
});

test('a plugin that sets its time in each call is called once a second', async () => {
  const world = await started(createWorld(await openDatabase()));
  const { host, wait, called, clock, answers } = world;
  answers.next = () => host('set', { name: 'spin', at: 0 });
  await host('set', { name: 'spin', at: 0 });

  await wait(999);
  expect(called).toEqual([]);
  await wait(1);
  await comesTrue(clock, 'it was called', () => called.length === 1);
  await wait(0);
  expect(called).toEqual(['p spin 1']);
});

test('a plugin lists and removes only its own times', async () => {
  const { host, clock } = await started(createWorld(await openDatabase()));
  const at = clock.now() + minuteMs;
  await host('set', { name: 'mine', at });
  await host('clear', { name: 'mine' }, 'q');
  expect(await host('list', {}, 'q')).toEqual({ wakes: [] });
  expect(await host('list', {})).toEqual({ wakes: [{ name: 'mine', at, everyMs: null }] });
  await host('clear', { name: 'mine' });
  expect(await host('list', {})).toEqual({ wakes: [] });
});

testByNight('a hundred names and a year are the limits', async () => {
  const { host, clock } = await started(createWorld(await openDatabase()));
  const at = clock.now() + minuteMs;
  for (let no = 0; no < 100; no += 1) await host('set', { name: `n${no}`, at });

  await expect(host('set', { name: 'one more', at })).rejects.toMatchObject({
    code: 'quota_exceeded',
  });
  await host('set', { name: 'n5', at: at + 1 });
  await expect(host('set', { name: 'n5', at: at + 500 * dayMs })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  await expect(host('set', { name: 'n5', at, everyMs: 1000 })).rejects.toThrow(/schema/);
});

test('times of removed plugins are deleted at a start', async () => {
  const database = await openDatabase();
  const before = createWorld(database);
  await before.host('set', { name: 'x', at: before.clock.now() + dayMs }, 'uninstalled');

  const { host } = await started(createWorld(database));

  expect(await host('list', {}, 'uninstalled')).toEqual({ wakes: [] });
});
