import { expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { testViewers } from '../../../test/support/servers/http.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { AppError } from '../../platform/errors.ts';
import {
  createScheduler,
  schedulerMigrations,
  type RecurringWork,
  type Scheduler,
} from './index.ts';

const hourMs = 3_600_000;
const viewer = testViewers['admin'] as NonNullable<(typeof testViewers)[string]>;

interface Counted extends RecurringWork {
  readonly starts: number[];
}

function counted(clock: FakeClock, over: Partial<RecurringWork> = {}): Counted {
  const starts: number[] = [];
  const { run = async () => undefined } = over;
  return {
    name: 'sweep',
    purpose: 'Sweeps.',
    intervalMs: hourMs,
    ...over,
    starts,
    run: () => {
      starts.push(clock.now());
      return run();
    },
  };
}

interface Made {
  readonly scheduler: Scheduler;
  readonly told: unknown[];
}

function schedulerOver(database: Database, clock: FakeClock, work: RecurringWork): Made {
  const told: unknown[] = [];
  const scheduler = createScheduler({
    database,
    works: [work],
    audit: async (_trx, entry) => void told.push(entry),
    emit: (type, data) => void told.push({ type, data }),
    clock,
    random: () => 0,
    log: silentLog,
  });
  return { scheduler, told };
}

const openDatabase = async (): Promise<Database> =>
  (await openTestStorage({ migrations: [schedulerMigrations] })).database;

const idle = (scheduler: Scheduler): Promise<void> =>
  eventually('no task runs', () => !scheduler.list().some(({ isRunning }) => isRunning));

test('a task runs soon after the start, and then once in each interval', async () => {
  const clock = createFakeClock();
  const work = counted(clock);
  const { scheduler, told } = schedulerOver(await openDatabase(), clock, work);
  await scheduler.start();
  const startedAt = clock.now();

  expect(told).toEqual([{ type: 'scheduler.started', data: { tasks: ['sweep'] } }]);
  await clock.advance(20_000);
  await idle(scheduler);
  await clock.advance(hourMs - 1);
  expect(work.starts).toEqual([startedAt + 20_000]);
  await clock.advance(1);
  await idle(scheduler);
  expect(work.starts).toEqual([startedAt + 20_000, startedAt + 20_000 + hourMs]);
  await scheduler.stop();
  expect(clock.timers()).toBe(0);
});

test('runs that were missed while the server was off are made up once', async () => {
  const clock = createFakeClock();
  const database = await openDatabase();
  const first = counted(clock);
  const before = schedulerOver(database, clock, first).scheduler;
  await before.start();
  await clock.advance(20_000);
  await before.stop();
  await clock.advance(50 * hourMs);

  const work = counted(clock);
  const { scheduler } = schedulerOver(database, clock, work);
  await scheduler.start();
  await clock.advance(hourMs / 2);
  await idle(scheduler);

  expect(work.starts).toHaveLength(1);
  await scheduler.stop();
});

test('a restart within the interval runs nothing before its time', async () => {
  const clock = createFakeClock();
  const database = await openDatabase();
  const before = schedulerOver(database, clock, counted(clock)).scheduler;
  await before.start();
  await clock.advance(20_000);
  await before.stop();
  await clock.advance(hourMs / 2);

  const work = counted(clock);
  const { scheduler } = schedulerOver(database, clock, work);
  await scheduler.start();
  await clock.advance(hourMs / 2 - 1);
  expect(work.starts).toEqual([]);
  await clock.advance(1);
  expect(work.starts).toHaveLength(1);
  await scheduler.stop();
});

test('a task that waits first does not run at the very first start', async () => {
  const clock = createFakeClock();
  const work = counted(clock, { waitsFirst: true });
  const { scheduler } = schedulerOver(await openDatabase(), clock, work);
  await scheduler.start();

  await clock.advance(hourMs - 1);
  expect(work.starts).toEqual([]);
  await clock.advance(1);
  expect(work.starts).toHaveLength(1);
  await scheduler.stop();
});

test('a run that takes longer than its interval is not overtaken by the next', async () => {
  const clock = createFakeClock();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const work = counted(clock, { run: () => promise });
  const { scheduler } = schedulerOver(await openDatabase(), clock, work);
  await scheduler.start();
  await clock.advance(20_000 + 5 * hourMs);

  expect(work.starts).toHaveLength(1);
  await expect(scheduler.runNow('sweep', viewer)).rejects.toThrow(/running already/);
  resolve(undefined);
  await idle(scheduler);
  await clock.advance(0);
  expect(work.starts).toHaveLength(2);
  await scheduler.stop();
});

test('a task that fails records its error, is not lost, and runs again when it is due', async () => {
  const clock = createFakeClock();
  const failures = [new AppError('conflict', { what: 'The broom is gone.' }), new Error('/secret')];
  const work = counted(clock, {
    run: async () => {
      throw failures[work.starts.length - 1] ?? new Error('There is no third.');
    },
  });
  const { scheduler } = schedulerOver(await openDatabase(), clock, work);
  await scheduler.start();
  await clock.advance(20_000);
  await idle(scheduler);
  expect(scheduler.list()[0]?.lastError).toBe('The broom is gone.');

  await clock.advance(hourMs);
  await idle(scheduler);
  expect(scheduler.list()[0]?.lastError).toBe('It failed; the log of the server has the reason.');
  expect(work.starts).toHaveLength(2);
  await scheduler.stop();
});

test('the last success is that of the last run that succeeded, also after a restart', async () => {
  const clock = createFakeClock();
  const database = await openDatabase();
  const noRoom = Object.assign(new Error("ENOSPC: no space left on device, open 'x'"), {
    syscall: 'open',
  });
  let failure: Error | null = null;
  const work = counted(clock, {
    run: async () => {
      if (failure !== null) throw failure;
    },
  });
  const first = schedulerOver(database, clock, work).scheduler;
  await first.start();
  const succeededAt = new Date(clock.now() + 20_000).toISOString();
  await clock.advance(20_000);
  await idle(first);
  failure = noRoom;
  await clock.advance(hourMs);
  await idle(first);
  expect(first.list()).toMatchObject([
    {
      lastError: "ENOSPC: no space left on device, open 'x'.",
      lastSuccess: succeededAt,
      isOverdue: false,
    },
  ]);
  await first.stop();

  const { scheduler } = schedulerOver(database, clock, work);
  await clock.advance(1.5 * hourMs);
  await scheduler.start();
  expect(scheduler.list()).toMatchObject([{ lastSuccess: succeededAt, isOverdue: false }]);
  await clock.advance(hourMs / 2);
  await idle(scheduler);
  expect(scheduler.list()).toMatchObject([{ lastSuccess: succeededAt, isOverdue: true }]);
  await scheduler.stop();
});

test('an interval of 0 runs only when an admin asks, which is in the audit log', async () => {
  const clock = createFakeClock();
  const work = counted(clock, { intervalMs: 0 });
  const { scheduler, told } = schedulerOver(await openDatabase(), clock, work);
  await scheduler.start();
  await clock.advance(1000 * hourMs);
  expect(work.starts).toEqual([]);

  const task = await scheduler.runNow('sweep', viewer);

  expect(task).toMatchObject({ name: 'sweep', isRunning: true, interval: 0, nextRun: null });
  expect(work.starts).toHaveLength(1);
  expect(told.at(-1)).toMatchObject({ action: 'scheduler.run', target: { id: 'sweep' } });
  await expect(scheduler.runNow('mop', viewer)).rejects.toThrow('The task mop does not exist.');
  await scheduler.stop();
});

test('a task runs although the clock was years ahead at its last run', async () => {
  const clock = createFakeClock();
  const database = await openDatabase();
  const ahead = createFakeClock(clock.now() + 10_000 * hourMs);
  const before = schedulerOver(database, ahead, counted(ahead)).scheduler;
  await before.start();
  await ahead.advance(20_000);
  await before.stop();

  const work = counted(clock);
  const { scheduler } = schedulerOver(database, clock, work);
  await scheduler.start();
  await clock.advance(hourMs);
  expect(work.starts).toHaveLength(1);
  await scheduler.stop();
});
