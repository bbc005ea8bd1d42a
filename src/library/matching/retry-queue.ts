/**
 * The retry queue: which sources are to be asked about which items, because a source was unavailable
 * or throttled, or because a new item does not wait for the network. There is one row for each item
 * and source in the database, retried at growing intervals, a limited number of times; meanwhile an
 * item keeps its values. Each source has a job of its own, so that none waits for another. A source
 * pauses as a whole when its plugin fails, or for as long as its hosts are paused; what it leaves for
 * later holds up no other item. Meanwhile one item about which it never failed is tried each minute,
 * since its plugin may have failed because of the others.
 */
import { createSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import type { Log } from '../../../kernel/index.ts';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import {
  deleteQueue,
  deleteRetries,
  hastenRetries,
  nextDue,
  readDue,
  readRetries,
  readSourcesThatWait,
  saveRetries,
  type RetriesOf,
  type RetryRow,
} from './retry-store.ts';

/**
 * How the look-up of an item at a source ended. `asked`: it answered; `nothing`: there is nothing to
 * ask it; `later`: it left the item for later; `away`: its plugin failed; `waits`: it was not asked
 * yet; `busy`: the item was changed by others meanwhile.
 */
export type LookupEnding = 'asked' | 'nothing' | 'later' | 'away' | 'waits' | 'busy';

/** The end of a look-up. */
export interface LookupResult {
  readonly itemId: string;
  readonly pluginId: string;
  readonly ending: LookupEnding;
}

export interface RetryQueueParts {
  readonly database: Database;
  /** The indexers that run now. */
  readonly sources: () => readonly string[];
  /** Whether there is such a plugin, running or not. */
  readonly isInstalled: (pluginId: string) => boolean;
  /** Milliseconds for which the hosts of a source take no request; 0 = they do. */
  readonly pauseOf: (pluginId: string) => number;
  /**
   * Asks a source about items of a library by a job; null when the library does not exist. What is
   * given is written in the transaction that stores the job: a crash leaves both or neither.
   */
  readonly refresh: (
    libraryId: string,
    itemIds: readonly string[],
    pluginId: string,
    alongside: (trx: Transaction) => Promise<void>,
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

/** How long an unavailable source is not asked about other items either, at each failure in a row. */
const pausesMs = retryDelaysMs.slice(0, 4);
/** Long enough for a new item to be stored first. */
const deferredMs = 2000;
const busyMs = minute;
/** How long an item about which an unavailable source never failed waits for its trial. */
const trialMs = minute;
/** What a try counts, in tenths. */
const weights = { later: 1, away: 10 } as const;
const itemsAtOnce = 500;
/** Jobs that may run at a time: others of the server's workers stay free. */
const mostJobs = 3;
/** Long enough that the items of a job are not taken again while it runs or waits. */
const handedOutMs = hour;
const shortestSleepMs = 1000;
/** The longest sleep, so that a clock change has no lasting effect. */
const longestSleepMs = 10 * minute;
/** How often the queues of plugins that were removed are removed. */
const tidyEveryMs = hour;

/** An unavailable source. */
interface Pause {
  readonly until: number;
  /** From when on one item about which it never failed is tried. */
  readonly trialAt: number;
  /** Failures in a row. */
  readonly failures: number;
}

/** Retries items, source by source. */
export class RetryQueue {
  readonly #parts: RetryQueueParts;
  #alarm: Undo = () => undefined;
  readonly #rounds = createSerialQueue();
  #isRunning = false;
  /** The present job of each source. */
  readonly #jobs = new Map<string, string>();
  /** The sources that had a job, the last one at the end. */
  readonly #served = new Set<string>();
  readonly #pauses = new Map<string, Pause>();
  #tidyAt = 0;
  /** Whether the table may have rows. While it is empty, an ingest needs no query. */
  #mayHaveRows = true;

  constructor(parts: RetryQueueParts) {
    this.#parts = parts;
  }

  /** Runs in the background, one at a time. */
  readonly #look = (): void => {
    this.#alarm();
    void this.#rounds.run(async () => {
      if (!this.#isRunning) return;
      try {
        await this.#tidy();
        await this.#handOut();
        await this.#sleep();
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'Items could not be taken from the retry queue');
        this.#alarm = this.#parts.clock.after(minute, this.#look);
      }
    });
  };

  async #tidy(): Promise<void> {
    const { clock, database } = this.#parts;
    if (clock.now() < this.#tidyAt) return;
    this.#tidyAt = clock.now() + tidyEveryMs;
    const gone = (await readSourcesThatWait(database.read)).filter(
      (id) => !this.#parts.isInstalled(id),
    );
    for (const pluginId of gone) await database.write((trx) => deleteQueue(trx, pluginId));
  }

  async #handOut(): Promise<void> {
    for (const [pluginId, jobId] of this.#jobs)
      if (await this.#parts.isOver(jobId)) this.#jobs.delete(pluginId);
    for (const pluginId of this.#inTurn()) {
      if (this.#jobs.size >= mostJobs) return;
      if (this.#jobs.has(pluginId)) continue;
      const pause = this.#pauseOf(pluginId);
      if (pause === undefined) await this.#handOutOf({ pluginId }, itemsAtOnce);
      else if (pause.trialAt <= this.#parts.clock.now())
        await this.#handOutOf(untriedOf(pluginId), 1);
    }
  }

  /** Those that had no job for longest come first, so that none is left out where there are many. */
  #inTurn(): readonly string[] {
    const running = this.#parts.sources();
    const before = [...this.#served].filter((pluginId) => running.includes(pluginId));
    return [...running.filter((pluginId) => !this.#served.has(pluginId)), ...before];
  }

  /** One job at a time for each source. */
  async #handOutOf(of: RetriesOf, limit: number): Promise<void> {
    const { clock, database } = this.#parts;
    const { pluginId } = of;
    const now = clock.now();
    const [first, ...others] = await readDue(database.read, of, { now, limit });
    if (first === undefined) return;
    const libraryId = first.library_id;
    const rows = [first, ...others.filter((row) => row.library_id === libraryId)];
    const itemIds = rows.map((row) => row.item_id);
    const handedOut = rows.map((row) => ({ ...row, next_at: now + handedOutMs }));
    const job = await this.#parts.refresh(libraryId, itemIds, pluginId, (trx) =>
      saveRetries(database.insertRows, trx, handedOut),
    );
    this.#served.delete(pluginId);
    this.#served.add(pluginId);
    if (job) this.#jobs.set(pluginId, job.id);
    else await database.write((trx) => deleteRetries(trx, pluginId, itemIds));
  }

  /** `undefined`: the source is asked about all. */
  #pauseOf(pluginId: string): Pause | undefined {
    const pause = this.#pauses.get(pluginId);
    return pause !== undefined && pause.until > this.#parts.clock.now() ? pause : undefined;
  }

  /** When a source may be asked next: at the end of its pause, or about an item for a trial. */
  readonly #wakesFor = async (pluginId: string): Promise<readonly number[]> => {
    const pause = this.#pauseOf(pluginId);
    const next = await nextDue(this.#parts.database.read, { pluginId });
    if (next === undefined) return [];
    if (pause === undefined) return [next];
    const untried = await nextDue(this.#parts.database.read, untriedOf(pluginId));
    const trials = untried === undefined ? [] : [Math.max(untried, pause.trialAt)];
    return [Math.max(next, pause.until), ...trials];
  };

  async #sleep(): Promise<void> {
    const { database, clock } = this.#parts;
    const waiting = await Promise.all(this.#parts.sources().map(this.#wakesFor));
    const times = waiting.flat();
    this.#alarm();
    if (!this.#isRunning) return;
    if (times.length === 0) {
      // What waits for a plugin that does not run is asked when the plugin is back.
      this.#mayHaveRows = (await readSourcesThatWait(database.read)).length > 0;
      if (this.#mayHaveRows) this.#alarm = clock.after(longestSleepMs, this.#look);
      return;
    }
    const delay = Math.min(Math.min(...times) - clock.now(), longestSleepMs);
    this.#alarm = clock.after(Math.max(shortestSleepMs, delay), this.#look);
  }

  readonly #save = (rows: readonly RetryRow[]): Promise<void> =>
    this.#parts.database.write((trx) => saveRetries(this.#parts.database.insertRows, trx, rows));

  /**
   * An unavailable source pauses; the failures of one pause count once, and are failed trials. Gives
   * whether a source is back.
   */
  #pauseSources(results: readonly LookupResult[]): boolean {
    const away = new Set(results.flatMap((one) => (one.ending === 'away' ? one.pluginId : [])));
    const back = results.filter(
      ({ pluginId, ending }) => ending === 'asked' && this.#pauses.delete(pluginId),
    );
    for (const pluginId of away) {
      const now = this.#parts.clock.now();
      const hostsMs = this.#parts.pauseOf(pluginId);
      const trialAt = now + Math.max(trialMs, hostsMs);
      const present = this.#pauseOf(pluginId);
      const failures = present?.failures ?? (this.#pauses.get(pluginId)?.failures ?? 0) + 1;
      const pause = pausesMs[Math.min(failures, pausesMs.length) - 1] ?? hour;
      const until = present?.until ?? now + Math.max(pause, hostsMs);
      this.#pauses.set(pluginId, { until, trialAt, failures });
    }
    return back.length > 0;
  }

  /** Records what waits before the items are stored, and removes the rest afterwards. */
  readonly note = async (libraryId: string, results: readonly LookupResult[]): Promise<void> => {
    const { database, clock } = this.#parts;
    const isBack = this.#pauseSources(results);
    if (isBack && this.#isRunning) this.#look();
    const waits = results.filter(({ ending }) => ending !== 'asked' && ending !== 'nothing');
    if (waits.length === 0 && !this.#mayHaveRows) return;
    this.#mayHaveRows = true;
    const ids = [...new Set(results.map(({ itemId }) => itemId))];
    const known = new Map(
      (await readRetries(database.read, ids)).map((row) => [
        keyOf({ itemId: row.item_id, pluginId: row.plugin_id }),
        row,
      ]),
    );
    const rows: RetryRow[] = [];
    const gone: LookupResult[] = [];
    for (const one of results) {
      const before = known.get(keyOf(one));
      const least =
        one.ending === 'away' || one.ending === 'later' ? this.#parts.pauseOf(one.pluginId) : 0;
      const row = rowAfter(before, { ...one, libraryId }, { now: clock.now(), least });
      if (row === undefined && before !== undefined) gone.push(one);
      if (row !== undefined && row !== before) rows.push(row);
    }
    if (rows.length > 0) await this.#save(rows);
    if (gone.length > 0)
      await database.write(async (trx) => {
        for (const [pluginId, of] of Map.groupBy(gone, (one) => one.pluginId))
          await deleteRetries(
            trx,
            pluginId,
            of.map(({ itemId }) => itemId),
          );
      });
    if (rows.length > 0) this.#look();
  };

  /** Other code added rows. */
  readonly wake = (): void => {
    this.#mayHaveRows = true;
    if (this.#isRunning) this.#look();
  };

  /** What waits for a source is due now: what it lacked is there. */
  readonly retryNow = async (pluginId: string): Promise<void> => {
    await this.#parts.database.write((trx) =>
      hastenRetries(trx, pluginId, this.#parts.clock.now()),
    );
    this.#pauses.delete(pluginId);
    if (this.#isRunning) this.#look();
  };

  /** Looks for due items now, and then at each due time. */
  readonly start = (): void => {
    this.#isRunning = true;
    this.#look();
  };

  readonly stop = async (): Promise<void> => {
    this.#isRunning = false;
    this.#alarm();
    await this.#rounds.idle();
  };
}

/** Creates it; it does nothing before `start`. */
export const createRetryQueue = (parts: RetryQueueParts): RetryQueue => new RetryQueue(parts);

/** The items about which a source never failed. */
const untriedOf = (pluginId: string): RetriesOf => ({ pluginId, below: weights.away });

const keyOf = ({ itemId, pluginId }: Pick<LookupResult, 'itemId' | 'pluginId'>): string =>
  `${pluginId}\n${itemId}`;

/** The next row of an item and a source; undefined when nothing is to be asked any longer. */
function rowAfter(
  before: RetryRow | undefined,
  result: LookupResult & { readonly libraryId: string },
  { now, least }: { readonly now: number; readonly least: number },
): RetryRow | undefined {
  const { itemId, pluginId, libraryId, ending } = result;
  const row = { item_id: itemId, plugin_id: pluginId, library_id: libraryId };
  const after = (attempts: number, delay: number): RetryRow => ({
    ...row,
    attempts,
    next_at: now + Math.max(delay, least),
  });
  switch (ending) {
    case 'asked':
    case 'nothing':
      return undefined;
    case 'waits':
      return before ?? after(0, deferredMs);
    case 'busy':
      return after(before?.attempts ?? 0, busyMs);
    case 'later':
    case 'away': {
      const attempts = (before?.attempts ?? 0) + weights[ending];
      const delay = retryDelaysMs[Math.ceil(attempts / 10) - 1];
      return delay === undefined ? undefined : after(attempts, delay);
    }
  }
}
