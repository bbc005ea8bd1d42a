import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TemporaryDatabase } from '../../../test/support/storage/postgres.ts';
import { newDatabase } from '../../../test/support/storage/storage.ts';
import { silentLog } from '../../../kernel/index.ts';
import { openStorage, type Storage } from '../../../kernel/storage/index.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { libraryMigrations } from '../catalogue/index.ts';
import { createRetryQueue, matchingMigrations, retryDelaysMs, type RetryQueue } from './index.ts';

let folder: string;
let database: TemporaryDatabase;
let storage: Storage;
let clock: FakeClock;
let later: RetryQueue;
/** Items by the job that was made for them. */
let jobs: (readonly string[])[];
let ended: Set<string>;
let isLibraryThere: boolean;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-later-'));
  database = await newDatabase(folder);
  storage = await openStorage({
    url: database.url,
    migrations: [libraryMigrations, matchingMigrations],
    log: silentLog,
  });
  clock = createFakeClock();
  jobs = [];
  ended = new Set();
  isLibraryThere = true;
  later = open();
});

afterEach(async () => {
  await later.stop();
  await storage.close();
  await database.remove();
  await rm(folder, { recursive: true });
});

function open(): RetryQueue {
  const opened = createRetryQueue({
    database: storage.database,
    refresh: async (libraryId, itemIds) => {
      if (!isLibraryThere) return null;
      jobs.push(itemIds);
      return { id: `job of ${libraryId} ${jobs.length}` };
    },
    isOver: async (jobId) => ended.has(jobId),
    clock,
    log: silentLog,
  });
  opened.start();
  return opened;
}

const note = (retry: 'deferred' | 'unavailable' | null, ...itemIds: readonly string[]) =>
  later.note(
    'films',
    itemIds.map((itemId) => ({ itemId, retry })),
  );

/** The job is over, and its items are as an ingest left them. */
async function finish(number: number, retry: 'deferred' | 'unavailable' | null): Promise<void> {
  ended.add(`job of films ${number}`);
  await note(retry, ...(jobs[number - 1] ?? []));
}

/** On to the next moment at which it looks, once it sleeps. */
async function hop(): Promise<void> {
  await eventually('it sleeps', () => clock.timers() > 0);
  await clock.advance((clock.nextAt() ?? 0) - clock.now());
}

async function hopUntil(count: number): Promise<void> {
  await hop();
  while (jobs.length < count) {
    await eventually('it sleeps or made a job', () => clock.timers() > 0 || jobs.length >= count);
    if (jobs.length < count) await hop();
  }
}

describe('an item in the retry queue', () => {
  test('is tried two seconds later when it was only deferred', async () => {
    const since = clock.now();
    // It starts with the items, so that no earlier look of it is under way when time passes.
    await later.stop();
    await note('deferred', 'a', 'b');
    later.start();

    await hopUntil(1);
    expect(clock.now() - since).toBe(2000);
    expect(jobs).toEqual([['a', 'b']]);
  });

  test('is tried again at growing intervals, a limited number of times', async () => {
    // No look of the start is under way when time passes.
    await later.stop();
    await note('unavailable', 'a');
    later.start();
    const waits: number[] = [];
    for (let number = 1; number <= retryDelaysMs.length; number += 1) {
      const since = clock.now();
      await hopUntil(number);
      waits.push(clock.now() - since);
      await finish(number, 'unavailable');
    }
    await later.stop();

    expect(waits).toEqual([...retryDelaysMs]);
    later = open();
    await later.stop();
    expect(clock.timers()).toBe(0);
  });

  test('is removed once it was looked up', async () => {
    await note('deferred', 'a');
    await hopUntil(1);
    await finish(1, null);
    await later.stop();

    later = open();
    await later.stop();

    expect(jobs).toHaveLength(1);
    expect(clock.timers()).toBe(0);
  });

  test('is processed by one job at a time, so that the network does not occupy all workers', async () => {
    await note('deferred', 'a');
    await hopUntil(1);
    await note('deferred', 'b');
    for (let second = 0; second < 5; second += 1) await hop();
    expect(jobs).toHaveLength(1);

    await finish(1, null);

    await hopUntil(2);
    expect(jobs[1]).toEqual(['b']);
  });

  test('survives a restart of the server', async () => {
    await note('unavailable', 'a');
    await later.stop();
    later = open();

    await hopUntil(1);

    expect(jobs).toEqual([['a']]);
  });

  test('is removed with its library', async () => {
    isLibraryThere = false;
    await note('deferred', 'a');
    await hop();
    await later.stop();
    isLibraryThere = true;

    later = open();
    await later.stop();

    expect(jobs).toEqual([]);
    expect(clock.timers()).toBe(0);
  });
});
