import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TemporaryDatabase } from '../../../test/support/storage/postgres.ts';
import { newDatabase, openStorageAt } from '../../../test/support/storage/storage.ts';
import { silentLog } from '../../../kernel/index.ts';
import type { Storage } from '../../../kernel/store/index.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { libraryMigrations } from '../catalogue/index.ts';
import {
  createRetryQueue,
  matchingMigrations,
  retryDelaysMs,
  type LookupEnding,
  type RetryQueue,
} from './index.ts';

let folder: string;
let database: TemporaryDatabase;
let storage: Storage;
let clock: FakeClock;
let later: RetryQueue;
/** Items by the job that was made for them. */
let jobs: (readonly string[])[];
/** Their sources. */
let asked: string[];
let ended: Set<string>;
let isLibraryThere: boolean;
/** The server ends before the job is stored. */
let isKilled: boolean;
/** The plugins that run, and those that are installed. */
let sources: string[];
let installed: Set<string>;
/** How long the hosts of a source ask to wait. */
let pauses: Record<string, number>;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-later-'));
  const migrations = [libraryMigrations, matchingMigrations];
  database = await newDatabase(folder, { migrations });
  storage = await openStorageAt(database.url, { migrations });
  clock = createFakeClock();
  jobs = [];
  asked = [];
  sources = ['catalogue'];
  installed = new Set(['catalogue', 'other']);
  pauses = {};
  ended = new Set();
  isLibraryThere = true;
  isKilled = false;
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
    sources: () => sources,
    isInstalled: (pluginId) => installed.has(pluginId),
    pauseOf: (pluginId) => pauses[pluginId] ?? 0,
    refresh: async (libraryId, itemIds, source, alongside) => {
      if (!isLibraryThere) return null;
      await storage.database.write(async (trx) => {
        await alongside(trx);
        if (isKilled) throw new Error('killed before the job was stored');
      });
      jobs.push(itemIds);
      asked.push(source);
      return { id: `job of ${libraryId} ${jobs.length}` };
    },
    isOver: async (jobId) => ended.has(jobId),
    clock,
    log: silentLog,
  });
  opened.start();
  return opened;
}

const note = (ending: LookupEnding, ...itemIds: readonly string[]) =>
  noteOf('catalogue', ending, ...itemIds);

const noteOf = (pluginId: string, ending: LookupEnding, ...itemIds: readonly string[]) =>
  later.note(
    'films',
    itemIds.map((itemId) => ({ itemId, pluginId, ending })),
  );

/** The job is over, and its items are as an ingest left them. */
async function finish(number: number, ending: LookupEnding): Promise<void> {
  ended.add(`job of films ${number}`);
  await noteOf(asked[number - 1] ?? '', ending, ...(jobs[number - 1] ?? []));
}

/** Notes while it does not look, so that no alarm of before is taken for the one that follows. */
async function atRest(act: () => Promise<void>): Promise<void> {
  await later.stop();
  await act();
  later.start();
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
  test('is tried two seconds later when it was not asked about yet', async () => {
    const since = clock.now();
    // It starts with the items, so that no earlier look of it is under way when time passes.
    await later.stop();
    await note('waits', 'a', 'b');
    later.start();

    await hopUntil(1);
    expect(clock.now() - since).toBe(2000);
    expect(jobs).toEqual([['a', 'b']]);
  });

  test('is tried at once when its source gets what it lacked, also while that is paused', async () => {
    await later.stop();
    await note('away', 'a');
    later.start();
    for (let number = 1; number <= 3; number += 1) {
      await hopUntil(number);
      await finish(number, 'away');
    }
    await eventually('it sleeps', () => clock.timers() > 0);
    const since = clock.now();

    await later.retryNow('catalogue');

    await eventually('it is tried', () => jobs.length === 4);
    expect(clock.now()).toBe(since);
    await finish(4, 'away');
    await hopUntil(5);
    expect(clock.now() - since).toBe(retryDelaysMs[0]);
  });

  test('is tried again at growing intervals, a limited number of times', async () => {
    // No look of the start is under way when time passes.
    await later.stop();
    await note('away', 'a');
    later.start();
    const waits: number[] = [];
    for (let number = 1; number <= retryDelaysMs.length; number += 1) {
      const since = clock.now();
      await hopUntil(number);
      waits.push(clock.now() - since);
      await finish(number, 'away');
    }
    await later.stop();

    expect(waits).toEqual([...retryDelaysMs]);
    later = open();
    await later.stop();
    expect(clock.timers()).toBe(0);
  });

  test('is handed out together with its job: a kill between the two leaves it due', async () => {
    await later.stop();
    await note('waits', 'a');
    isKilled = true;
    later.start();
    await hop();
    await eventually('it could not hand out', () => clock.timers() > 0);
    await later.stop();
    isKilled = false;
    const since = clock.now();
    later = open();
    await eventually('it made a job', () => jobs.length > 0);

    expect([jobs, clock.now() - since]).toEqual([[['a']], 0]);
  });

  test('is removed once it was looked up', async () => {
    await note('waits', 'a');
    await hopUntil(1);
    await finish(1, 'asked');
    await later.stop();

    later = open();
    await later.stop();

    expect(jobs).toHaveLength(1);
    expect(clock.timers()).toBe(0);
  });

  test('is processed by one job at a time for each source, so that the network does not occupy all workers', async () => {
    await note('waits', 'a');
    await hopUntil(1);
    await note('waits', 'b');
    for (let second = 0; second < 5; second += 1) await hop();
    expect(jobs).toHaveLength(1);

    await finish(1, 'asked');

    await hopUntil(2);
    expect(jobs[1]).toEqual(['b']);
  });

  test('survives a restart of the server', async () => {
    await note('away', 'a');
    await later.stop();
    later = open();

    await hopUntil(1);

    expect(jobs).toEqual([['a']]);
  });

  test('is removed with its library', async () => {
    isLibraryThere = false;
    await note('waits', 'a');
    await hop();
    await later.stop();
    isLibraryThere = true;

    later = open();
    await later.stop();

    expect(jobs).toEqual([]);
    expect(clock.timers()).toBe(0);
  });

  test('waits for the source that is away, and for no other', async () => {
    sources = ['catalogue', 'other'];
    // It starts with the items, so that no earlier look of it is under way when time passes.
    await later.stop();
    await note('away', 'a');
    await noteOf('other', 'waits', 'a');
    const since = clock.now();
    later.start();

    await hopUntil(1);
    const first = { asked: [...asked], after: clock.now() - since };
    await finish(1, 'asked');
    await hopUntil(2);

    // The source that is away is asked after ten seconds.
    expect(first.asked).toEqual(['other']);
    expect(first.after).toBeLessThan(9000);
    expect(asked).toEqual(['other', 'catalogue']);
    expect(jobs).toEqual([['a'], ['a']]);
  });

  test('does not wait for the job of another source', async () => {
    sources = ['catalogue', 'other'];
    await note('waits', 'a');
    await noteOf('other', 'waits', 'a', 'b');

    await hopUntil(2);

    expect(new Set(asked)).toEqual(new Set(sources));
    expect(ended.size).toBe(0);
  });

  test('waits for no more than the present jobs of other sources, however many items those have', async () => {
    sources = ['a', 'b', 'c', 'd'];
    const items = Array.from({ length: 600 }, (_, at) => `item ${at}`);
    await later.stop();
    for (const source of sources) await noteOf(source, 'waits', ...items);
    later.start();
    await hopUntil(3);
    ended.add('job of films 1');
    await hopUntil(4);

    expect(asked).toEqual(['a', 'b', 'c', 'd']);
  });

  test('is not asked of a source that is away, nor of one whose host asks to wait', async () => {
    pauses = { catalogue: 5 * 60_000 };
    await later.stop();
    await note('waits', 'b');
    await note('away', 'a');
    later.start();
    const since = clock.now();

    await hopUntil(1);

    expect(clock.now() - since).toBe(5 * 60_000);
    expect(jobs).toEqual([['b', 'a']]);
  });

  test.each([
    [1, 10_000],
    [2, 60_000],
    [3, 60_000],
    [4, 60_000],
    [5, 60_000],
  ])(
    'waits a minute at most when its source failed about another one %i times: %i ms',
    async (failures, longestMs) => {
      await later.stop();
      await note('away', 'hostile');
      later.start();
      for (let no = 1; no < failures; no += 1) {
        await hopUntil(no);
        await atRest(() => finish(no, 'away'));
      }
      const since = clock.now();
      await atRest(() => note('waits', 'honest'));

      await hopUntil(failures);
      while (!jobs.flat().includes('honest')) {
        ended.add(`job of films ${jobs.length}`);
        await hopUntil(jobs.length + 1);
      }

      expect(clock.now() - since).toBeLessThanOrEqual(longestMs);
      const count = jobs.length;
      const answeredAt = clock.now();
      await atRest(async () => {
        await later.note('films', [
          { itemId: 'honest', pluginId: 'catalogue', ending: 'asked' },
          { itemId: 'hostile', pluginId: 'catalogue', ending: 'away' },
        ]);
        ended.add(`job of films ${count}`);
        await note('waits', 'another');
      });
      await hopUntil(count + 1);
      expect(clock.now() - answeredAt).toBeLessThanOrEqual(10_000);
      expect(jobs.at(-1)).toContain('another');
    },
  );

  test('waits for a plugin that does not run, and is forgotten with one that was removed', async () => {
    await noteOf('other', 'waits', 'a');
    await later.stop();
    const rows = () => storage.database.read('items_to_ask').pluck('plugin_id');
    later = open();
    await hop();
    const kept = await rows();
    await later.stop();
    installed.delete('other');
    later = open();
    await eventually('it is forgotten', async () => (await rows()).length === 0);

    expect(kept).toEqual(['other']);
    expect(jobs).toEqual([]);
  });
});
