/**
 * Keeps the pictures that tiles show, so that a server without network shows them. An ingest queues
 * them in the database, in the transaction that stores the match. They are fetched one at a time
 * into the picture cache, behind the requests of people, and none is fetched while the cache is
 * almost full: it would only evict another one. A picture that cannot be fetched is tried again at
 * growing intervals, a limited number of times; then it is fetched when somebody looks at it.
 */
import { createSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import type { Log } from '../../../kernel/index.ts';
import { serverViewer } from '../../people/viewer/index.ts';
import type { BackgroundScheduler } from '../../platform/background-scheduler.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { WantedPictures } from '../../library/catalogue/items/index.ts';
import type { OpenAsset } from './assets.ts';

/** Fetches the pictures in the queue. */
export type KeptPictures = ReturnType<typeof createKeptPictures>;

/** What keeping pictures needs. */
export interface KeptPicturesParts {
  readonly wanted: WantedPictures;
  readonly open: OpenAsset;
  /** Whether the cache has room for more pictures. */
  readonly hasRoom: () => Promise<boolean>;
  readonly background: Pick<BackgroundScheduler, 'waitForSlot'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'debug' | 'warn'>;
}

const minute = 60_000;
const hour = 60 * minute;

/** The pause after each failed try. */
export const keepDelaysMs = [minute, 10 * minute, hour, 6 * hour, 24 * hour, 72 * hour] as const;

const picturesAtOnce = 50;
/** Items come in groups. */
const gatherMs = 500;
const longestSleepMs = 10 * minute;

/** Creates it; it does nothing before `start`. */
export function createKeptPictures(parts: KeptPicturesParts) {
  const { wanted, open, hasRoom, background, clock, log } = parts;
  const rounds = createSerialQueue();
  let alarm: Undo = () => undefined;
  let undo: Undo = () => undefined;
  let isRunning = false;
  /** Whether the next look comes soon, for pictures that were queued just now. */
  let isSoon = false;

  function lookIn(delayMs: number): void {
    alarm();
    alarm = clock.after(delayMs, look);
  }

  function look(): void {
    isSoon = false;
    void rounds.run(async () => {
      try {
        const delay = await fetchDue();
        if (isRunning && !isSoon) lookIn(delay);
      } catch (err) {
        log.warn({ err }, 'Pictures could not be taken from the queue');
        if (isRunning && !isSoon) lookIn(minute);
      }
    });
  }

  /** Milliseconds until the next look; another server may queue pictures, too. */
  async function fetchDue(): Promise<number> {
    while (isRunning) {
      if (!(await hasRoom())) return longestSleepMs;
      const rows = await wanted.due(clock.now(), picturesAtOnce);
      if (rows.length === 0) break;
      for (const row of rows) {
        await background.waitForSlot();
        if (!isRunning) return longestSleepMs;
        await keep(row);
      }
    }
    const next = (await wanted.nextAt()) ?? Infinity;
    return Math.min(Math.max(0, next - clock.now()), longestSleepMs);
  }

  async function keep(row: Awaited<ReturnType<WantedPictures['due']>>[number]): Promise<void> {
    const id = row.asset_id;
    try {
      await open(id, serverViewer, { isHead: true });
      await wanted.drop(id);
    } catch (err) {
      const delay = isGone(err) ? undefined : keepDelaysMs[row.attempts];
      log.debug({ err, assetId: id }, 'A picture could not be kept');
      if (delay === undefined) await wanted.drop(id);
      else {
        const next_at = clock.now() + delay;
        await wanted.postpone({ asset_id: id, attempts: row.attempts + 1, next_at });
      }
    }
  }

  return {
    /** Looks for due pictures now, at each due time, and after items were looked up. */
    start: (events: { readonly listen: (name: string, listener: () => void) => Undo }): void => {
      isRunning = true;
      undo = events.listen('library.item.enriched', () => {
        if (isSoon) return;
        isSoon = true;
        lookIn(gatherMs);
      });
      look();
    },
    /** Resolves when the picture under way is over. */
    stop: async (): Promise<void> => {
      isRunning = false;
      undo();
      alarm();
      await rounds.idle();
    },
  };
}

/** The item was removed, or has another picture now. */
const isGone = (error: unknown): boolean => error instanceof AppError && error.code === 'not_found';
