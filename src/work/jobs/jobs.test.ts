import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { KernelError, silentLog } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import { serverViewer, visibilityOfLibraries, type Viewer } from '../../people/viewer/index.ts';
import { steadyOf } from '../../platform/clock.ts';
import { createUuidV7, type NewId } from '../../platform/uuid-v7.ts';
import {
  createEveryLibraryRunner,
  jobMigrations,
  type JobRunner,
  Jobs,
  type JobsParts,
} from './index.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';

let database: Database;
let clock: FakeClock;
let newId: NewId;
let emitted: { readonly type: string; readonly data: object }[];

beforeEach(async () => {
  ({ database } = await openTestStorage({ migrations: [jobMigrations] }));
  clock = createFakeClock();
  newId = createUuidV7({ now: clock.now });
  emitted = [];
});

function createQueue(parts: Partial<JobsParts> = {}): Jobs {
  const jobs = new Jobs({
    database,
    emit: (type, data) => emitted.push({ type, data }),
    background: { waitForSlot: async () => undefined },
    clock,
    newId,
    log: silentLog,
    libraryExists: async () => true,
    isOnlyProcess: true,
    ...parts,
  });
  onTestFinished(() => jobs.stop());
  return jobs;
}

/** A process that crashes: its steps never end, and it is not stopped. */
function createDoomedQueue(parts: Partial<JobsParts> = {}): Jobs {
  return new Jobs({
    database,
    emit: () => undefined,
    background: { waitForSlot: async () => undefined },
    clock: createFakeClock(clock.now()),
    newId,
    log: silentLog,
    libraryExists: async () => true,
    isOnlyProcess: true,
    ...parts,
  });
}

const get = (jobs: Jobs, id: string): Promise<Job> => jobs.get(id, serverViewer);
const statusOf = async (jobs: Jobs, id: string) => (await get(jobs, id)).status;
const hasStatus = (jobs: Jobs, id: string, status: string) => async (): Promise<boolean> =>
  (await get(jobs, id)).status === status;

const doneAtOnce: JobRunner = { step: async () => ({ done: true }) };
const dayMs = 86_400_000;
const never = new Promise<never>(() => undefined);

/** Counts to a number, one step each, and records the checkpoints that it received. */
function counting(to: number): JobRunner & { readonly checkpoints: unknown[] } {
  const checkpoints: unknown[] = [];
  return {
    checkpoints,
    step: async (_job, checkpoint) => {
      checkpoints.push(checkpoint);
      const next = Number(checkpoint ?? 0) + 1;
      if (next === to) return { done: true, result: { counted: to } };
      return { done: false, checkpoint: next, progress: next / to };
    },
  };
}

describe('a job', () => {
  testByNight('is refused while too many are pending', async () => {
    const jobs = createQueue({ mostPending: 2 });
    await jobs.enqueue({ type: 'tidy' });
    await jobs.enqueue({ type: 'tidy' });

    await expect(jobs.enqueue({ type: 'tidy' })).rejects.toMatchObject({ code: 'overloaded' });
  });

  test('is pending, runs step by step from checkpoint to checkpoint, and completes', async () => {
    const jobs = createQueue();
    const runner = counting(3);
    jobs.register('scan', runner);
    const { id, status } = await jobs.enqueue({ type: 'scan', libraryId: 'films' });
    expect(status).toBe('pending');

    await jobs.start();
    await jobs.idle();

    expect(runner.checkpoints).toEqual([null, 1, 2]);
    expect(await get(jobs, id)).toEqual({
      id,
      type: 'scan',
      libraryId: 'films',
      pluginId: null,
      status: 'completed',
      priority: 50,
      payload: {},
      result: { counted: 3 },
      progress: 1,
      errorMessage: null,
      createdAt: '2026-11-21T07:44:53.000Z',
      startedAt: '2026-11-21T07:44:53.000Z',
      completedAt: '2026-11-21T07:44:53.000Z',
    });
  });

  test('emits job.* and admin.pipeline.job* events for each change', async () => {
    const jobs = createQueue();
    jobs.register('scan', counting(2));
    const { id } = await jobs.enqueue({ type: 'scan', libraryId: 'films' });

    await jobs.start();
    await jobs.idle();

    expect(emitted.map(({ type }) => type)).toEqual([
      'admin.pipeline.jobCreated',
      'job.started',
      'admin.pipeline.jobUpdated',
      'job.progress',
      'admin.pipeline.jobUpdated',
      'job.completed',
      'admin.pipeline.jobCompleted',
    ]);
    expect(emitted.at(-1)?.data).toEqual({
      jobId: id,
      type: 'scan',
      libraryId: 'films',
      status: 'completed',
      progress: 1,
      errorMessage: null,
    });
  });

  test('has its checkpoint stored before the next step begins', async () => {
    const jobs = createQueue();
    const stored: unknown[] = [];
    jobs.register('count', {
      step: async (job, checkpoint) => {
        stored.push((await get(jobs, job.id)).payload['checkpoint']);
        return checkpoint === 'b'
          ? { done: true }
          : { done: false, checkpoint: checkpoint === 'a' ? 'b' : 'a', progress: 0.5 };
      },
    });
    await jobs.enqueue({ type: 'count' });

    await jobs.start();
    await jobs.idle();

    expect(stored).toEqual([undefined, 'a', 'b']);
  });

  test('emits its progress at most 4 times a second, for any number of steps', async () => {
    const jobs = createQueue();
    jobs.register('count', {
      step: async (_job, checkpoint) => {
        const next = Number(checkpoint ?? 0) + 1;
        await clock.advance(10);
        return next === 100
          ? { done: true }
          : { done: false, checkpoint: next, progress: next / 100 };
      },
    });
    await jobs.enqueue({ type: 'count' });

    await jobs.start();
    await jobs.idle();

    const told = emitted.filter(({ type }) => type === 'job.progress').length;
    expect(told).toBeGreaterThanOrEqual(3);
    expect(told).toBeLessThanOrEqual(4);
  });

  test('waits behind interactive requests before each step', async () => {
    let turns = 0;
    const jobs = createQueue({ background: { waitForSlot: async () => void (turns += 1) } });
    jobs.register('count', counting(5));
    await jobs.enqueue({ type: 'count' });

    await jobs.start();
    await jobs.idle();

    expect(turns).toBe(5);
  });
});

describe('the queue', () => {
  test('starts jobs of higher priority first, and older ones first among equals', async () => {
    const jobs = createQueue({ concurrency: 1 });
    const order: unknown[] = [];
    jobs.register('note', {
      step: async ({ payload }) => {
        order.push(payload['name']);
        return { done: true };
      },
    });
    await jobs.enqueue({ type: 'note', payload: { name: 'first' } });
    await jobs.enqueue({ type: 'note', payload: { name: 'second' } });
    await jobs.enqueue({ type: 'note', payload: { name: 'urgent' }, priority: 90 });
    await jobs.enqueue({ type: 'note', payload: { name: 'idle' }, priority: 10 });

    await jobs.start();
    await jobs.idle();

    expect(order).toEqual(['urgent', 'first', 'second', 'idle']);
  });

  test('runs a limited number of jobs at a time', async () => {
    const jobs = createQueue({ concurrency: 2 });
    let running = 0;
    let most = 0;
    const gate = Promise.withResolvers<undefined>();
    jobs.register('wait', {
      step: async () => {
        running += 1;
        most = Math.max(most, running);
        await gate.promise;
        running -= 1;
        return { done: true };
      },
    });
    for (let count = 0; count < 5; count += 1) await jobs.enqueue({ type: 'wait' });

    await jobs.start();
    await eventually('two jobs run', () => running === 2);
    await clock.advance(1000);
    gate.resolve(undefined);
    await jobs.idle();

    expect(most).toBe(2);
  });

  test('refuses a second scan of a busy library and names the active job', async () => {
    const jobs = createQueue();
    const { id } = await jobs.enqueue({ type: 'scan', libraryId: 'films' });

    const second = jobs.enqueue({ type: 'scan', libraryId: 'films' });

    await expect(second).rejects.toMatchObject({
      code: 'job_running',
      message: `Job ${id} (scan of library films) is pending already.`,
    });
  });

  test('gives an anticipated scan to the client that requests it, and starts it at once', async () => {
    const jobs = createQueue();
    jobs.register('scan', doneAtOnce);
    const made = await jobs.anticipate({ type: 'scan', libraryId: 'films' });
    const untouched = await jobs.anticipate({ type: 'scan', libraryId: 'series' });

    const asked = await jobs.enqueue({ type: 'scan', libraryId: 'films' });

    expect(asked.id).toBe(made.id);
    await jobs.start();
    await eventually('it is done', async () => (await statusOf(jobs, made.id)) === 'completed');
    expect(await statusOf(jobs, untouched.id)).toBe('pending');
    await clock.advance(1000);
    await jobs.idle();
    expect(await statusOf(jobs, untouched.id)).toBe('completed');
  });

  test('lets a scan of all libraries wait behind the scan of one', async () => {
    const jobs = createQueue();
    const order: (string | null)[] = [];
    const begun = Promise.withResolvers<undefined>();
    const passed = Promise.withResolvers<undefined>();
    const runner: JobRunner = {
      step: async ({ libraryId }) => {
        order.push(libraryId);
        if (order.length === 1) {
          begun.resolve(undefined);
          await passed.promise;
        }
        return { done: true };
      },
    };
    const libraryIds = async () => ['films', 'series'];
    jobs.register('scan', createEveryLibraryRunner({ runner, jobs, libraryIds }));
    await jobs.start();
    await jobs.enqueue({ type: 'scan', libraryId: 'films' });
    await begun.promise;

    const { id } = await jobs.request({ type: 'scan' }, serverViewer);
    await eventually('all are asked for', hasStatus(jobs, id, 'completed'));
    passed.resolve(undefined);
    await jobs.idle();

    expect(order.toSorted()).toEqual(['films', 'films', 'series']);
    expect((await get(jobs, id)).result).toMatchObject({ busyLibraryIds: [] });
  });

  test('lets the scan of a person wait behind one that has begun, and joins the one that waits', async () => {
    const jobs = createQueue();
    const gate = Promise.withResolvers<undefined>();
    const order: string[] = [];
    jobs.register('scan', {
      step: async ({ id }) => {
        order.push(id);
        if (order.length === 1) await gate.promise;
        return { done: true };
      },
    });
    const scan = { type: 'scan', libraryId: 'films' };
    const first = await jobs.anticipate(scan);
    expect((await jobs.request(scan, serverViewer)).id).toBe(first.id);
    await jobs.start();
    await eventually('it runs', hasStatus(jobs, first.id, 'running'));

    const behind = await jobs.request(scan, serverViewer);
    const joined = await jobs.request(scan, serverViewer);
    const folders = { ...scan, payload: { folders: ['file:///films/new'] } };

    expect(behind).toMatchObject({ status: 'pending' });
    expect(behind.id).not.toBe(first.id);
    expect(joined.id).toBe(behind.id);
    await expect(jobs.request(folders, serverViewer)).rejects.toMatchObject({
      code: 'job_running',
      message: `Job ${behind.id} (scan of library films) is pending already.`,
    });
    await expect(jobs.enqueue(scan)).rejects.toMatchObject({ code: 'job_running' });
    await clock.advance(1000);
    expect(order).toEqual([first.id]);
    gate.resolve(undefined);
    await jobs.idle();
    expect(order).toEqual([first.id, behind.id]);
  });

  test('joins no scan that waits to resume, since it may have passed the wanted part', async () => {
    const doomed = createDoomedQueue();
    doomed.register('scan', {
      step: async (_job, checkpoint) =>
        checkpoint === null ? { done: false, checkpoint: 1, progress: 0.5 } : never,
    });
    const scan = { type: 'scan', libraryId: 'films' };
    const { id } = await doomed.request(scan, serverViewer);
    await doomed.start();
    await eventually('it has begun', async () => (await get(doomed, id)).progress === 0.5);
    const jobs = createQueue();
    const runner = counting(2);
    jobs.register('scan', runner);

    const behind = await jobs.request(scan, serverViewer);
    await jobs.start();
    await jobs.idle();

    expect(behind.id).not.toBe(id);
    expect(runner.checkpoints).toEqual([1, null, 1]);
  });

  test('scans different libraries at the same time, and the same one again when the scan is over', async () => {
    const jobs = createQueue();
    jobs.register('scan', doneAtOnce);
    await jobs.enqueue({ type: 'scan', libraryId: 'films' });
    await jobs.enqueue({ type: 'scan', libraryId: 'series' });
    await jobs.start();
    await jobs.idle();

    const again = await jobs.enqueue({ type: 'scan', libraryId: 'films' });

    expect(again.status).toBe('pending');
  });

  test('refuses a library that does not exist', async () => {
    const jobs = createQueue({ libraryExists: async () => false });

    const job = jobs.enqueue({ type: 'scan', libraryId: 'nowhere' });

    await expect(job).rejects.toMatchObject({
      code: 'not_found',
      message: 'Library nowhere does not exist.',
    });
  });

  test.each([
    [{ type: '' }, 'type must be lowercase letters'],
    [{ type: 'Scan Films' }, 'type must be lowercase letters'],
    [{ type: 'scan', priority: 101 }, 'priority must be a whole number from 0 to 100.'],
    [{ type: 'scan', libraryId: '' }, 'libraryId must not be empty.'],
    [{ type: 'scan', payload: { checkpoint: 1 } }, 'payload.checkpoint'],
  ])('refuses %j and names the field', async (newJob, message) => {
    const jobs = createQueue();

    await expect(jobs.enqueue(newJob)).rejects.toThrow(message);
  });

  test('sleeps on one timer while it is idle, and on none after it has stopped', async () => {
    const jobs = createQueue();
    jobs.register('count', counting(2));
    await jobs.enqueue({ type: 'count' });
    await jobs.start();
    await jobs.idle();
    await eventually('the queue rests', () => clock.timers() === 1);

    await jobs.stop();

    expect(clock.timers()).toBe(0);
  });
});

describe('a step that throws', () => {
  test('is tried three times in all, after 2 and 10 seconds, then the job has failed', async () => {
    const jobs = createQueue();
    const triedAt: number[] = [];
    const startedAt = clock.now();
    jobs.register('flaky', {
      step: async () => {
        triedAt.push(clock.now() - startedAt);
        throw new KernelError('unreadable', 'The folder');
      },
    });
    const { id } = await jobs.enqueue({ type: 'flaky' });
    await jobs.start();

    for (const pauseMs of [2_000, 10_000]) {
      const nextAt = clock.now() + pauseMs;
      await eventually('the next try is planned', () => clock.nextAt() === nextAt);
      await clock.advance(pauseMs);
    }
    await jobs.idle();

    expect(triedAt).toEqual([0, 2_000, 12_000]);
    expect(emitted.filter(({ type }) => type === 'job.started').map(({ data }) => data)).toEqual([
      expect.objectContaining({ jobId: id, attempt: 1 }),
      expect.objectContaining({ jobId: id, attempt: 2 }),
      expect.objectContaining({ jobId: id, attempt: 3 }),
    ]);
    expect(await get(jobs, id)).toMatchObject({
      status: 'failed',
      errorMessage: 'The folder could not be read.',
    });
    expect(emitted.filter(({ type }) => type === 'job.failed')).toHaveLength(1);
  });

  test('is retried in time when the clock is set back by a day meanwhile', async () => {
    const jobs = createQueue();
    let tries = 0;
    jobs.register('flaky', {
      step: async () => {
        tries += 1;
        if (tries === 1) throw new KernelError('unreadable', 'The folder');
        return { done: true };
      },
    });
    const { id } = await jobs.enqueue({ type: 'flaky' });
    await jobs.start();
    await eventually('the next try is planned', () => clock.nextAt() === clock.now() + 2000);

    const steady = steadyOf(clock);
    const failedAt = steady.now();
    clock.set(-dayMs);
    await clock.advance(2000);

    await eventually('it is done', async () => {
      await clock.advance(1);
      return (await statusOf(jobs, id)) === 'completed';
    });
    expect(steady.now() - failedAt).toBeLessThan(30_000);
  });

  test('waits for an unavailable database as long as needed, and loses no attempt', async () => {
    let isDown = false;
    let isRefused = false;
    let writes = 0;
    const failing: Database = {
      ...database,
      write: async (work, committed) => {
        isRefused ||= isDown;
        if (isDown) throw new KernelError('storage_full', 'The disk is full.');
        writes += 1;
        return database.write(work, committed).finally(() => {
          writes -= 1;
        });
      },
    };
    const jobs = createQueue({ database: failing });
    let tries = 0;
    jobs.register('scan', {
      step: async () => {
        tries += 1;
        isRefused = false;
        isDown = tries < 6;
        if (!isDown) return { done: true };
        throw new KernelError('plugin_failed', 'scanner job.run: The disk is full.', {
          cause: { code: 'storage_full', message: 'The disk is full.' },
        });
      },
    });
    const { id } = await jobs.enqueue({ type: 'scan' });
    // The clock stands while the database works: a lease must not end by it.
    const pass = async (): Promise<void> => {
      await get(jobs, id);
      if (writes === 0) await clock.advance(5000);
    };
    await jobs.start();
    for (let down = 1; down < 6; down += 1) {
      await eventually('the database refused what came of the step', async () => {
        await pass();
        return tries === down && isRefused;
      });
      isDown = false;
    }
    await eventually('it is done', async () => {
      await pass();
      return (await get(jobs, id)).status === 'completed';
    });

    expect(tries).toBe(6);
  });

  test('fails the job at once when a retry cannot help', async () => {
    const jobs = createQueue();
    let tries = 0;
    jobs.register('gone', {
      step: async () => {
        tries += 1;
        throw new KernelError('not_found', 'Library films');
      },
    });
    const { id } = await jobs.enqueue({ type: 'gone' });

    await jobs.start();
    await jobs.idle();

    expect(tries).toBe(1);
    expect(await get(jobs, id)).toMatchObject({
      status: 'failed',
      errorMessage: 'Library films does not exist.',
    });
  });

  test('does not show the message of a bug, which may contain a path', async () => {
    const jobs = createQueue();
    jobs.register('buggy', {
      step: async () => {
        throw new Error('ENOENT: /srv/somebody/secret');
      },
    });
    const { id } = await jobs.enqueue({ type: 'buggy' });
    await jobs.start();
    await eventually('it is tried', async () => (await get(jobs, id)).errorMessage !== null);

    expect((await get(jobs, id)).errorMessage).toBe('internal error');
  });

  test('does not count failures before the last checkpoint', async () => {
    const jobs = createQueue();
    const failsAt = new Set([1, 2, 3, 4, 5]);
    jobs.register('bumpy', {
      step: async (_job, checkpoint) => {
        const place = Number(checkpoint ?? 0);
        if (failsAt.delete(place)) throw new KernelError('overloaded', 'Busy.');
        return place === 6 ? { done: true } : { done: false, checkpoint: place + 1, progress: 0 };
      },
    });
    const { id } = await jobs.enqueue({ type: 'bumpy' });
    await jobs.start();

    await eventually('it completes', async () => {
      await clock.advance(2_000);
      return hasStatus(jobs, id, 'completed')();
    });

    expect(failsAt.size).toBe(0);
  });

  test('fails when its type has no runner', async () => {
    const jobs = createQueue();
    const { id } = await jobs.enqueue({ type: 'unheard-of' });

    await jobs.start();
    await jobs.idle();

    expect(await get(jobs, id)).toMatchObject({
      status: 'failed',
      errorMessage: 'A plugin that runs jobs of type unheard-of does not exist.',
    });
  });
});

describe('a crash', () => {
  test('leaves the job to the next start, which resumes it at once from its checkpoint', async () => {
    const doomed = createDoomedQueue();
    doomed.register('scan', {
      step: (_job, checkpoint) =>
        checkpoint === null
          ? Promise.resolve({ done: false, checkpoint: 2, progress: 0.5 })
          : never,
    });
    const { id } = await doomed.enqueue({ type: 'scan', libraryId: 'films' });
    await doomed.start();
    await eventually(
      'it reached its checkpoint',
      async () =>
        (await get(doomed, id)).progress === 0.5 ||
        (await get(doomed, id)).payload['checkpoint'] === 2,
    );

    const jobs = createQueue();
    const runner = counting(4);
    jobs.register('scan', runner);
    await jobs.start();
    await jobs.idle();

    expect(runner.checkpoints).toEqual([2, 3]);
    expect(await get(jobs, id)).toMatchObject({ status: 'completed', result: { counted: 4 } });
  });

  test('does not count as an attempt: 20 crashes before the first checkpoint do not fail the job', async () => {
    const first = createDoomedQueue();
    first.register('scan', { step: () => never });
    const { id } = await first.enqueue({ type: 'scan', libraryId: 'films' });
    await first.start();
    for (let crash = 0; crash < 20; crash += 1) {
      await eventually('it runs', hasStatus(first, id, 'running'));
      const next = createDoomedQueue();
      next.register('scan', { step: () => never });
      await next.start();
    }
    await eventually('it runs', hasStatus(first, id, 'running'));
    const jobs = createQueue();
    jobs.register('scan', doneAtOnce);

    await jobs.start();
    await jobs.idle();

    expect(await get(jobs, id)).toMatchObject({ status: 'completed', errorMessage: null });
  });

  test('gives up a job without progress in 26 runs of the server', async () => {
    const first = createDoomedQueue();
    first.register('poison', { step: () => never });
    const { id } = await first.enqueue({ type: 'poison' });
    await first.start();
    for (let crash = 0; crash < 26; crash += 1) {
      await eventually('it runs', hasStatus(first, id, 'running'));
      const next = createDoomedQueue();
      next.register('poison', { step: () => never });
      await next.start();
    }

    expect(await get(first, id)).toMatchObject({
      status: 'failed',
      errorMessage: 'The server ended 26 times during this job, which made no progress.',
    });
  });

  test('cancels a job whose cancellation was requested', async () => {
    const doomed = createDoomedQueue();
    doomed.register('scan', { step: () => never });
    const { id } = await doomed.enqueue({ type: 'scan', libraryId: 'films' });
    await doomed.start();
    await eventually('it runs', hasStatus(doomed, id, 'running'));
    await doomed.cancel(id, serverViewer);

    const jobs = createQueue();
    await jobs.start();

    expect(await get(jobs, id)).toMatchObject({ status: 'cancelled' });
  });
});

describe('a lease', () => {
  test('that ends gives the job to another process, and the late worker can no longer write', async () => {
    const slowClock = createFakeClock();
    const slow = createDoomedQueue({ clock: slowClock, isOnlyProcess: false });
    const lateStep = Promise.withResolvers<undefined>();
    let slowSteps = 0;
    slow.register('scan', {
      step: async () => {
        slowSteps += 1;
        await lateStep.promise;
        return { done: false, checkpoint: 'late', progress: 0.9 };
      },
    });
    const { id } = await slow.enqueue({ type: 'scan', libraryId: 'films' });
    await slow.start();
    await eventually('the slow one runs it', () => slowSteps === 1);
    const jobs = createQueue({ isOnlyProcess: false });
    jobs.register('scan', counting(2));
    await jobs.start();
    await clock.advance(59_000);
    expect(await get(jobs, id)).toMatchObject({ status: 'running' });

    await eventually('the other one has done it', async () => {
      await clock.advance(30_000);
      return hasStatus(jobs, id, 'completed')();
    });
    lateStep.resolve(undefined);
    await slow.stop();

    expect(slowSteps).toBe(1);
    expect(await get(jobs, id)).toMatchObject({
      status: 'completed',
      payload: {},
      result: { counted: 2 },
    });
  });

  test('is renewed during a long step, so no other worker takes the job', async () => {
    const holder = createQueue({ isOnlyProcess: false });
    const gate = Promise.withResolvers<undefined>();
    holder.register('scan', { step: () => gate.promise.then(() => ({ done: true })) });
    const { id } = await holder.enqueue({ type: 'scan', libraryId: 'films' });
    await holder.start();
    await eventually('it runs', hasStatus(holder, id, 'running'));
    const other = createQueue({ isOnlyProcess: false });
    other.register('scan', {
      step: async () => {
        throw new Error('taken');
      },
    });
    await other.start();

    for (let beat = 0; beat < 15; beat += 1) {
      await clock.advance(20_000);
      const before = clock.now();
      await eventually(
        'the lease is renewed',
        async () => (await leaseUntil(id)) >= before + 40_000,
      );
    }
    gate.resolve(undefined);
    await holder.idle();

    expect(await get(holder, id)).toMatchObject({ status: 'completed', errorMessage: null });
  });

  const leaseUntil = async (id: string): Promise<number> => {
    const row: { lease_until: number } = await database.read('jobs').where({ id }).first();
    return row.lease_until;
  };
});

describe('cancelling', () => {
  test('ends a pending job, which then never runs', async () => {
    const jobs = createQueue();
    jobs.register('scan', doneAtOnce);
    const { id } = await jobs.enqueue({ type: 'scan', libraryId: 'films' });

    const cancelled = await jobs.cancel(id, serverViewer);
    await jobs.start();
    await jobs.idle();

    expect(cancelled.status).toBe('cancelled');
    expect(await get(jobs, id)).toMatchObject({ status: 'cancelled', startedAt: null });
  });

  test('ends a running job between two steps, aborts the step, and calls the runner afterwards', async () => {
    const jobs = createQueue();
    const ended: Job[] = [];
    let wasToldToEnd = false;
    jobs.register('scan', {
      step: (_job, _checkpoint, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            wasToldToEnd = true;
            resolve({ done: false, checkpoint: 7, progress: 0.7 });
          });
        }),
      ended: async (job) => void ended.push(job),
    });
    const { id } = await jobs.enqueue({ type: 'scan', libraryId: 'films' });
    await jobs.start();
    await eventually('it runs', hasStatus(jobs, id, 'running'));

    await jobs.cancel(id, serverViewer);
    await jobs.idle();

    expect(wasToldToEnd).toBe(true);
    expect(ended).toEqual([await get(jobs, id)]);
    expect(await get(jobs, id)).toMatchObject({ status: 'cancelled' });
    expect(await database.read('jobs').where({ id }).first('checkpoint')).toEqual({
      checkpoint: '7',
    });
  });

  test.each(['completed', 'cancelled'])('refuses a job that is %s', async (status) => {
    const jobs = createQueue();
    jobs.register('scan', doneAtOnce);
    const { id } = await jobs.enqueue({ type: 'scan', libraryId: 'films' });
    if (status === 'cancelled') await jobs.cancel(id, serverViewer);
    await jobs.start();
    await jobs.idle();

    await expect(jobs.cancel(id, serverViewer)).rejects.toMatchObject({
      code: 'conflict',
      message: `Job ${id} is ${status}; only one that is pending or running can be cancelled.`,
    });
  });
});

describe('retrying', () => {
  test('starts a failed job over', async () => {
    const jobs = createQueue();
    const undo = jobs.register('scan', {
      step: async (_job, checkpoint) => {
        if (checkpoint === 1) throw new KernelError('not_found', 'The folder');
        return { done: false, checkpoint: 1, progress: 0.5 };
      },
    });
    const { id } = await jobs.enqueue({ type: 'scan', libraryId: 'films' });
    await jobs.start();
    await jobs.idle();
    expect(await get(jobs, id)).toMatchObject({ status: 'failed' });
    undo();
    const runner = counting(2);
    jobs.register('scan', runner);

    const retried = await jobs.retry(id, serverViewer);
    await jobs.idle();

    expect(retried).toMatchObject({
      status: 'pending',
      progress: 0,
      errorMessage: null,
      payload: {},
    });
    expect(runner.checkpoints).toEqual([null, 1]);
    expect(await get(jobs, id)).toMatchObject({ status: 'completed' });
  });

  test('refuses a job that did not fail', async () => {
    const jobs = createQueue();
    const { id } = await jobs.enqueue({ type: 'scan', libraryId: 'films' });

    await expect(jobs.retry(id, serverViewer)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('refuses a failed scan while another scan of its library waits', async () => {
    const jobs = createQueue();
    const { id } = await jobs.enqueue({ type: 'scan', libraryId: 'films' });
    await jobs.start();
    await jobs.idle();
    await jobs.stop();
    const other = await createQueue().enqueue({ type: 'scan', libraryId: 'films' });

    await expect(jobs.retry(id, serverViewer)).rejects.toMatchObject({
      code: 'job_running',
      fields: { jobId: other.id },
    });
  });
});

describe('stopping', () => {
  test('returns a running job to the queue at its last checkpoint, and a start resumes it', async () => {
    const jobs = createQueue();
    jobs.register('scan', {
      step: (_job, checkpoint, signal) =>
        checkpoint === null
          ? Promise.resolve({ done: false, checkpoint: 1, progress: 0.25 })
          : new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(new Error('told to end')));
            }),
    });
    const { id } = await jobs.enqueue({ type: 'scan', libraryId: 'films' });
    await jobs.start();
    await eventually(
      'it is in its second step',
      async () => (await get(jobs, id)).progress === 0.25,
    );

    await jobs.stop();

    expect(await get(jobs, id)).toMatchObject({
      status: 'pending',
      payload: { checkpoint: 1 },
      errorMessage: null,
    });
    const again = createQueue();
    const runner = counting(3);
    again.register('scan', runner);
    await again.start();
    await again.idle();
    expect(runner.checkpoints).toEqual([1, 2]);
  });

  test('waits 8 seconds for a step that does not end, and ignores its later result', async () => {
    const jobs = createQueue();
    const step = Promise.withResolvers<undefined>();
    jobs.register('scan', {
      step: () => step.promise.then(() => ({ done: true, result: { late: true } })),
    });
    const { id } = await jobs.enqueue({ type: 'scan', libraryId: 'films' });
    await jobs.start();
    await eventually('it runs', hasStatus(jobs, id, 'running'));

    let hasStopped = false;
    const stopped = jobs.stop().then(() => (hasStopped = true));
    await clock.advance(7_999);
    expect(hasStopped).toBe(false);
    await clock.advance(1);
    await stopped;
    step.resolve(undefined);
    await clock.advance(1_000);

    expect(await get(jobs, id)).toMatchObject({ status: 'pending', result: {} });
  });
});

describe('the list of jobs', () => {
  const films: Viewer = { ...serverViewer, visibility: visibilityOfLibraries(['films']) };

  test('is newest first, in pages, with the counts of all', async () => {
    const jobs = createQueue();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1)
      ids.unshift((await jobs.enqueue({ type: 'note' })).id);

    const first = await jobs.list(serverViewer, { limit: 3 });
    const second = await jobs.list(serverViewer, { limit: 3, cursor: first.nextCursor ?? '' });

    expect([...first.jobs, ...second.jobs].map(({ id }) => id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
    expect(first.counts).toEqual({ pending: 5, running: 0, completed: 0, failed: 0, cancelled: 0 });
  });

  test('is filtered by library and by status', async () => {
    const jobs = createQueue();
    jobs.register('scan', doneAtOnce);
    const scan = await jobs.enqueue({ type: 'scan', libraryId: 'films' });
    await jobs.enqueue({ type: 'scan', libraryId: 'series' });
    await jobs.start();
    await jobs.idle();
    await jobs.stop();
    const waiting = await createQueue().enqueue({ type: 'scan', libraryId: 'films' });

    const all = await jobs.list(serverViewer, { libraryId: 'films' });
    const over = await jobs.list(serverViewer, {
      libraryId: 'films',
      status: ['completed', 'failed'],
    });

    expect(all.jobs.map(({ id }) => id)).toEqual([waiting.id, scan.id]);
    expect(over.jobs.map(({ id }) => id)).toEqual([scan.id]);
    expect(over.counts).toMatchObject({ pending: 1, completed: 1 });
  });

  test('has the jobs and the counts of one moment while jobs are added', async () => {
    const jobs = createQueue();
    let isAdding = true;
    const adding = (async () => {
      for (let count = 0; count < 60; count += 1) await jobs.enqueue({ type: 'note' });
      isAdding = false;
    })();

    const seen: { readonly listed: number; readonly counted: number }[] = [];
    while (isAdding) {
      const page = await jobs.list(serverViewer, { limit: 500 });
      seen.push({ listed: page.jobs.length, counted: page.counts.pending });
    }
    await adding;

    expect(seen.length).toBeGreaterThan(5);
    expect(seen.filter(({ listed, counted }) => listed !== counted)).toEqual([]);
  });

  test('is empty, with the counts of all, past the last job', async () => {
    const jobs = createQueue();
    await jobs.enqueue({ type: 'note' });

    expect(await jobs.list(serverViewer, { status: ['failed'] })).toEqual({
      jobs: [],
      counts: { pending: 1, running: 0, completed: 0, failed: 0, cancelled: 0 },
      completedLastMinute: 0,
      nextCursor: null,
    });
  });

  test('counts what completed in the last 60 seconds', async () => {
    const jobs = createQueue();
    jobs.register('note', doneAtOnce);
    await jobs.start();
    await jobs.enqueue({ type: 'note' });
    await jobs.idle();
    await clock.advance(59_999);
    await jobs.enqueue({ type: 'note' });
    await jobs.idle();

    expect((await jobs.list(serverViewer, {})).completedLastMinute).toBe(2);
    await clock.advance(1);
    expect((await jobs.list(serverViewer, {})).completedLastMinute).toBe(1);
  });

  test('is limited for a credential with some libraries to jobs of these', async () => {
    const jobs = createQueue();
    const own = await jobs.enqueue({ type: 'scan', libraryId: 'films' });
    const foreign = await jobs.enqueue({ type: 'scan', libraryId: 'series' });
    const ofAll = await jobs.enqueue({ type: 'scan' });

    expect(await jobs.list(films, {})).toMatchObject({
      jobs: [{ id: own.id }],
      counts: { pending: 1 },
    });
    await expect(jobs.get(foreign.id, films)).rejects.toMatchObject({ code: 'not_found' });
    await expect(jobs.cancel(ofAll.id, films)).rejects.toMatchObject({ code: 'not_found' });
    await expect(jobs.enqueue({ type: 'scan' }, films)).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(jobs.enqueue({ type: 'probe', libraryId: 'series' }, films)).rejects.toMatchObject(
      { code: 'not_found' },
    );
  });

  test('loses the jobs that are removed by status, but no active job', async () => {
    const jobs = createQueue();
    jobs.register('note', doneAtOnce);
    await jobs.enqueue({ type: 'note' });
    await jobs.start();
    await jobs.idle();
    await jobs.stop();
    await createQueue().enqueue({ type: 'note' });

    await jobs.remove(['completed', 'failed'], serverViewer);

    expect((await jobs.list(serverViewer, {})).counts).toMatchObject({ pending: 1, completed: 0 });
    await expect(jobs.remove(['running'], serverViewer)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('for the whole server is refused with a library, and a second one while one is active', async () => {
    const jobs = createQueue();
    jobs.register('backup', { ...doneAtOnce, isForServer: true });

    await expect(jobs.enqueue({ type: 'backup', libraryId: 'films' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'libraryId: a job of the type backup is for the whole server; leave libraryId out.',
    });
    await jobs.enqueue({ type: 'backup' });
    await expect(jobs.enqueue({ type: 'backup' })).rejects.toMatchObject({ code: 'job_running' });
  });

  test('loses jobs that ended too long ago, but no active job', async () => {
    const jobs = createQueue({ keepDays: 30 });
    jobs.register('note', doneAtOnce);
    const old = await jobs.enqueue({ type: 'note' });
    await jobs.start();
    await jobs.idle();
    await clock.advance(20 * dayMs);
    const young = await jobs.enqueue({ type: 'note' });
    await jobs.idle();
    await jobs.stop();
    const waiting = await createQueue().enqueue({ type: 'note' });
    await clock.advance(11 * dayMs);

    await createQueue().tidy();
    await jobs.tidy();

    const { jobs: left } = await jobs.list(serverViewer, {});
    expect(left.map(({ id }) => id)).toEqual([waiting.id, young.id]);
    expect(left.map(({ id }) => id)).not.toContain(old.id);
  });

  test('shows no checkpoint when it is over', async () => {
    const jobs = createQueue();
    jobs.register('count', counting(3));
    const { id } = await jobs.enqueue({ type: 'count', payload: { from: 0 } });

    await jobs.start();
    await jobs.idle();

    expect(await get(jobs, id)).toMatchObject({ status: 'completed', payload: { from: 0 } });
    expect((await get(jobs, id)).payload).not.toHaveProperty('checkpoint');
  });

  test('refuses a cursor of another list', async () => {
    const jobs = createQueue();

    await expect(jobs.list(serverViewer, { cursor: 'nonsense' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});
