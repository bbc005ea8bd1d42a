/**
 * The retry queue of items that an indexer could not look up: because its source was unavailable or
 * throttled, or because a new item does not wait for the network. They are stored in the database
 * and retried at growing intervals, a limited number of times; meanwhile an item keeps its values.
 */
import { createSerialQueue } from '../../../packages/concurrency/index.ts';
import type { Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/storage/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import {
  deleteRetries,
  nextDue,
  readDue,
  readRetries,
  saveRetries,
  type RetryRow,
} from './retry-store.ts';

/**
 * The result of an ingest for an item. `deferred`: it was deferred; `unavailable`: the source is unavailable.
 */
export interface LookupResult {
  readonly itemId: string;
  readonly retry: 'deferred' | 'unavailable' | null;
}

/** Retries items. */
export interface RetryQueue {
  /** Records retries before the items are stored, and removes them afterwards. */
  readonly note: (libraryId: string, items: readonly LookupResult[]) => Promise<void>;
  /** Other code added rows. */
  readonly wake: () => void;
  /** Looks for due items now, and then at each due time. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/** What the queue needs. */
export interface RetryQueueParts {
  readonly database: Database;
  /** Ingests items of a library again; null when the library does not exist. */
  readonly refresh: (
    libraryId: string,
    itemIds: readonly string[],
  ) => Promise<{ readonly id: string } | null>;
  /** Whether the job has ended, in any status. */
  readonly isOver: (jobId: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
}

const minute = 60_000;
const hour = 60 * minute;

/** The pause after each failed try; after the last one only a refresh retries. */
export const retryDelaysMs = [
  10_000,
  minute,
  10 * minute,
  hour,
  6 * hour,
  24 * hour,
  24 * hour,
  24 * hour,
] as const;

/** Long enough for a new item to be stored first. */
const deferredMs = 2000;
/** What a try counts, in tenths. */
const weights = { deferred: 1, unavailable: 10 } as const;
const itemsAtOnce = 500;
/** Long enough that the items of a job are not taken again while it runs or waits. */
const handedOutMs = hour;
const shortestSleepMs = 1000;
/** The longest sleep, so that a clock change has no lasting effect. */
const longestSleepMs = 10 * minute;

/** Creates it; it does nothing before `start`. */
export function createRetryQueue(parts: RetryQueueParts): RetryQueue {
  const { database, clock, log } = parts;
  let alarm: Undo = () => undefined;
  const rounds = createSerialQueue();
  let isRunning = false;
  /** The job of the current items. */
  let jobId: string | null = null;
  /** Whether the table may have rows. While it is empty, an ingest needs no query. */
  let mayHaveRows = true;

  /** Runs in the background, one at a time. */
  function look(): void {
    alarm();
    void rounds.run(async () => {
      if (!isRunning) return;
      try {
        await handOut();
        await sleep();
      } catch (error) {
        log.warn({ err: error }, 'Items could not be taken from the retry queue');
        alarm = clock.after(minute, look);
      }
    });
  }

  /** One job at a time: jobs that wait for the network must not occupy all workers. */
  async function handOut(): Promise<void> {
    if (jobId !== null && !(await parts.isOver(jobId))) return;
    jobId = null;
    const now = clock.now();
    const [first, ...others] = await readDue(database.read, now, itemsAtOnce);
    if (first === undefined) return;
    const libraryId = first.library_id;
    const rows = [first, ...others.filter((row) => row.library_id === libraryId)];
    const itemIds = rows.map((row) => row.item_id);
    await save(rows.map((row) => ({ ...row, next_at: now + handedOutMs })));
    const job = await parts.refresh(libraryId, itemIds);
    if (job) jobId = job.id;
    else await database.write((trx) => deleteRetries(trx, itemIds));
  }

  async function sleep(): Promise<void> {
    const next = await nextDue(database.read);
    mayHaveRows = next !== undefined;
    alarm();
    if (next === undefined || !isRunning) return;
    const delay = Math.max(shortestSleepMs, Math.min(next - clock.now(), longestSleepMs));
    alarm = clock.after(delay, look);
  }

  const save = (rows: readonly RetryRow[]): Promise<void> =>
    database.write((trx) => saveRetries(database.insertRows, trx, rows));

  return {
    note: async (libraryId, items) => {
      const waiting = items.filter(({ retry }) => retry !== null);
      if (waiting.length === 0 && !mayHaveRows) return;
      mayHaveRows = true;
      const ids = items.map(({ itemId }) => itemId);
      const known = new Map(
        (await readRetries(database.read, ids)).map((row) => [row.item_id, row]),
      );
      const rows = waiting.flatMap(({ itemId, retry }) => {
        const row = rowAfter(
          known.get(itemId),
          { itemId, libraryId, retry: retry ?? 'unavailable' },
          clock.now(),
        );
        return row ? [row] : [];
      });
      const kept = new Set(rows.map((row) => row.item_id));
      const gone = [...known.keys()].filter((id) => !kept.has(id));
      if (rows.length > 0) await save(rows);
      if (gone.length > 0) await database.write((trx) => deleteRetries(trx, gone));
      if (rows.length > 0) look();
    },
    wake: () => {
      mayHaveRows = true;
      if (isRunning) look();
    },
    start: () => {
      isRunning = true;
      look();
    },
    stop: async () => {
      isRunning = false;
      alarm();
      await rounds.idle();
    },
  };
}

/** The next row of an item; undefined when it was retried often enough. */
function rowAfter(
  before: RetryRow | undefined,
  item: {
    readonly itemId: string;
    readonly libraryId: string;
    readonly retry: 'deferred' | 'unavailable';
  },
  now: number,
): RetryRow | undefined {
  const attempts =
    before === undefined && item.retry === 'deferred'
      ? 0
      : (before?.attempts ?? 0) + weights[item.retry];
  const delay =
    attempts === 0 ? deferredMs : retryDelaysMs[Math.max(0, Math.ceil(attempts / 10) - 1)];
  if (delay === undefined) return undefined;
  return { item_id: item.itemId, library_id: item.libraryId, attempts, next_at: now + delay };
}
