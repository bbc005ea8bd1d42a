/**
 * Deletes what has been missing for too long: rows of files, and of items without media. Until then
 * a file that comes back, here or at another place, finds its item with its id, its edits and the
 * date when it was added. The event that removed the item from lists was emitted when it went
 * missing; deletion emits none.
 */
import { createSerialQueue } from '../../../../packages/lib/concurrency/index.ts';
import type { Log } from '../../../../kernel/index.ts';
import type { Database } from '../../../../kernel/store/index.ts';
import type { Clock, Undo } from '../../../platform/clock.ts';
import type { BackgroundScheduler } from '../../../platform/background-scheduler.ts';
import { createSettledTime } from '../../../platform/settled-time.ts';
import {
  correctMissedAt,
  deleteEmptyItems,
  forgetMissing,
  purgeTombstones,
  readEmptyItems,
  readForgotten,
} from '../tables/missing-store.ts';

/** What a sweep deleted. */
export interface MissingSwept {
  readonly files: number;
  readonly items: number;
  readonly tombstones: number;
}

export type MissingUpkeep = ReturnType<typeof createMissingUpkeep>;

export interface MissingUpkeepParts {
  readonly database: Database;
  readonly background: Pick<BackgroundScheduler, 'waitForSlot'>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a missing file is kept; 0 = until the end of the next whole scan. */
  readonly missingDays: number;
}

const dayMs = 86_400_000;
const firstMs = 600_000;
/** How long an index may be away and still learn of removals from the feed. */
const tombstoneDays = 90;
const portion = 500;

export function createMissingUpkeep(parts: MissingUpkeepParts) {
  const { database, background, clock, log, missingDays } = parts;
  let timer: Undo | null = null;
  const sweeps = createSerialQueue();
  let isWanted = false;
  let isStopped = false;
  const settledNow = createSettledTime(clock);

  async function run(): Promise<MissingSwept> {
    isWanted = false;
    const now = settledNow();
    await database.write((trx) => correctMissedAt(trx, now));
    const before = now - missingDays * dayMs;
    let files = 0;
    let items = 0;
    for (;;) {
      await background.waitForSlot();
      if (isStopped) break;
      const swept = await database.write(async (trx) => {
        const found = await readForgotten(trx, { missedBefore: before, limit: portion });
        return { files: found.length, items: (await forgetMissing(trx, found)).length };
      });
      files += swept.files;
      items += swept.items;
      if (swept.files < portion) break;
    }
    items += await sweepItems(before);
    const removedBefore = now - tombstoneDays * dayMs;
    const tombstones = await database.write((trx) => purgeTombstones(trx, { now, removedBefore }));
    const swept = { files, items, tombstones };
    if (files + items + tombstones > 0)
      log.info(swept, 'Rows of files that were missing for too long were deleted');
    return swept;
  }

  async function sweepItems(changedBefore: number): Promise<number> {
    let items = 0;
    for (;;) {
      await background.waitForSlot();
      if (isStopped) return items;
      const empty = await database.write(async (trx) => {
        const found = await readEmptyItems(trx, { changedBefore, limit: portion });
        await deleteEmptyItems(trx, found);
        return found.length;
      });
      items += empty;
      if (empty < portion) return items;
    }
  }

  /** Deletes everything that is due. */
  const sweep = (): Promise<MissingSwept> => sweeps.run(run);

  function sweepLogged(): void {
    sweep().catch((error: unknown) => {
      log.error(
        { err: error },
        'Rows of files that were missing for too long could not be deleted',
      );
    });
  }

  function later(delayMs: number): void {
    timer = clock.after(delayMs, () => {
      sweepLogged();
      later(dayMs);
    });
  }

  return {
    /** Starts the daily sweeps. */
    start: (): void => later(firstMs),
    /** A scan has ended: a sweep follows. Returns at once. */
    wake: (): void => {
      if (isWanted || isStopped) return;
      isWanted = true;
      sweepLogged();
    },
    sweep,
    /** Stops sweeps; resolves when none is under way. */
    stop: async (): Promise<void> => {
      isStopped = true;
      timer?.();
      await sweeps.idle();
    },
  };
}
