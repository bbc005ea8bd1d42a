/**
 * Forgets what has been missing for too long: rows of files, and of items that have no media left.
 * Until then a file that comes back, here or at another place, finds its item with its id, what people
 * changed of it, and when it was added. The world heard that the item left lists when it went missing,
 * and hears nothing again.
 */
import type { Database, Log } from '../../kernel/index.ts';
import type { Clock, Undo } from '../clock.ts';
import type { Pace } from '../pace.ts';
import {
  deleteEmptyItems,
  forgetMissing,
  purgeTombstones,
  readEmptyItems,
  readForgotten,
} from './missing-store.ts';

/** What a sweep took away. */
export interface MissingSwept {
  readonly files: number;
  readonly items: number;
  readonly tombstones: number;
}

export interface MissingUpkeep {
  /** From now on there is a sweep each day. */
  readonly start: () => void;
  /** A scan has ended: a sweep follows. Returns at once. */
  readonly wake: () => void;
  /** Takes away all that is due. */
  readonly sweep: () => Promise<MissingSwept>;
  /** No further sweeps; resolves when none is under way. */
  readonly stop: () => Promise<void>;
}

export interface MissingUpkeepParts {
  readonly database: Database;
  readonly pace: Pick<Pace, 'background'>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a missing file is remembered; 0 = to the end of the next whole scan. */
  readonly missingDays: number;
}

const dayMs = 86_400_000;
const firstMs = 600_000;
/** An index that follows the library hears of what was removed for so long, if it was away. */
const tombstoneDays = 90;
const portion = 500;

export function createMissingUpkeep(parts: MissingUpkeepParts): MissingUpkeep {
  const { database, pace, clock, log, missingDays } = parts;
  let timer: Undo | null = null;
  let sweeping: Promise<unknown> = Promise.resolve();
  let isWanted = false;
  let isStopped = false;

  async function run(): Promise<MissingSwept> {
    isWanted = false;
    const now = clock.now();
    const before = now - missingDays * dayMs;
    let files = 0;
    let items = 0;
    for (;;) {
      await pace.background();
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
    if (files + items + tombstones > 0) log.info(swept, 'What was missing for long is forgotten');
    return swept;
  }

  async function sweepItems(changedBefore: number): Promise<number> {
    let items = 0;
    for (;;) {
      await pace.background();
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

  function sweep(): Promise<MissingSwept> {
    const swept = sweeping.then(run);
    sweeping = swept.catch(() => undefined);
    return swept;
  }

  function sweepLogged(): void {
    sweep().catch((error: unknown) => {
      log.error({ err: error }, 'What was missing for long could not be forgotten');
    });
  }

  function later(delayMs: number): void {
    timer = clock.after(delayMs, () => {
      sweepLogged();
      later(dayMs);
    });
  }

  return {
    start: () => later(firstMs),
    wake: () => {
      if (isWanted || isStopped) return;
      isWanted = true;
      sweepLogged();
    },
    sweep,
    stop: async () => {
      isStopped = true;
      timer?.();
      await sweeping;
    },
  };
}
