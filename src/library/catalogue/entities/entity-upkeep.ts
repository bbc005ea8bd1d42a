/**
 * Keeps the data about entities consistent after items change: tombstones for indexes, entities
 * without items, and followers of item counts. A change of links queues the touched entities in its
 * own transaction. A sweep reads only the queue, so its cost follows the changes, and a crash
 * leaves the queue for the next sweep.
 */
import type { Log } from '../../../../kernel/index.ts';
import type { Database, Transaction } from '../../../../kernel/storage/index.ts';
import { steadyOf, type Clock, type Undo } from '../../../platform/clock.ts';
import type { BackgroundScheduler } from '../../../platform/background-scheduler.ts';
import type { EntityRegistry } from './entity-registry.ts';
import type { Touch } from '../tables/entity-link-store.ts';
import { readEntityRows, type EntityRow } from '../tables/entity-store.ts';
import {
  buryEntities,
  deleteEntityRows,
  deleteTouches,
  readTouches,
  readUnheld,
} from '../tables/entity-upkeep-store.ts';
import {
  countItemsOf,
  replaceEntityCounts,
  type EntityCountRow,
} from '../tables/entity-count-store.ts';
import { readLibraries } from '../tables/library-store.ts';

/** The counted items of an entity. */
export interface EntityCensus {
  readonly no: number;
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly hidden: boolean;
  /** Active items by library number; empty when there are none. */
  readonly items: ReadonlyMap<number, number>;
  /** The same by certification too, since a viewer's count depends on both. */
  readonly counts: readonly ItemCount[];
}

/** How many active items there are of one library and one certification. */
export interface ItemCount {
  readonly libraryNo: number;
  readonly certification: string | null;
  readonly items: number;
}

/** Receives entities whose items changed, in the transaction that counts them. */
export type EntityFollower = (trx: Transaction, census: readonly EntityCensus[]) => Promise<void>;

export type EntityUpkeep = ReturnType<typeof createEntityUpkeep>;

export interface EntityUpkeepParts {
  readonly database: Database;
  readonly entities: Pick<EntityRegistry, 'forget'>;
  readonly background: Pick<BackgroundScheduler, 'waitForSlot'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Entities left a library: indexes have changes to pull. */
  readonly onLeft: () => void;
}

interface Settled {
  readonly seen: number;
  readonly left: number;
  /** The queue was empty after this part. */
  readonly isLast: boolean;
}

const soonMs = 2000;
/**
 * After a sweep comes a pause this many times as long: an ingest touches the same genres
 * repeatedly.
 */
const pausePerWork = 20;
const portion = 200;

export function createEntityUpkeep(parts: EntityUpkeepParts) {
  const { database, log, background } = parts;
  const clock = steadyOf(parts.clock);
  const followers: EntityFollower[] = [];
  let forgetTimer: Undo | null = null;
  let sweeping: Promise<number> = Promise.resolve(0);
  let isStopped = false;
  let pauseMs = soonMs;

  async function settle(trx: Transaction): Promise<Settled> {
    const touches = await readTouches(trx, portion);
    if (touches.length === 0) return { seen: 0, left: 0, isLast: true };
    const numbers = [...new Set(touches.map((one) => one.entity_no))];
    const rows = await readEntityRows(trx, numbers);
    const counts = await countItemsOf(trx, numbers);
    await replaceEntityCounts(database.insertRows, trx, numbers, counts);
    const itemsOf = Map.groupBy(counts, (row) => row.entity_no);
    const census = rows.map((row) => censusOf(row, itemsOf.get(row.no) ?? []));
    const left = await bury(trx, touches, census);
    await purge(trx, census);
    for (const follower of followers) await follower(trx, census);
    await deleteTouches(trx, touches);
    return { seen: numbers.length, left, isLast: touches.length < portion };
  }

  async function bury(
    trx: Transaction,
    touches: readonly Touch[],
    census: readonly EntityCensus[],
  ): Promise<number> {
    const byNo = new Map(census.map((one) => [one.no, one]));
    const libraries = new Map((await readLibraries(trx)).map(({ no, id }) => [no, id]));
    const left = touches.flatMap(({ entity_no, library_no }) => {
      const one = byNo.get(entity_no);
      const libraryId = libraries.get(library_no);
      if (one === undefined || libraryId === undefined) return [];
      return one.items.has(library_no) ? [] : [{ entityId: one.id, libraryId }];
    });
    await buryEntities(database.insertRows, trx, left);
    return left.length;
  }

  /** An artist is deleted after its last album, a show after its last season. */
  async function purge(trx: Transaction, census: readonly EntityCensus[]): Promise<void> {
    let candidates = census.filter(({ items }) => items.size === 0).map(({ no }) => no);
    while (candidates.length > 0) {
      const unheld = await readUnheld(trx, candidates);
      if (unheld.length === 0) return;
      // Before the rows are deleted, so that no caller receives a number without an entity.
      parts.entities.forget();
      await deleteEntityRows(
        trx,
        unheld.map(({ no }) => no),
      );
      candidates = [...new Set(unheld.flatMap(({ parent_no }) => parent_no ?? []))];
    }
  }

  async function run(): Promise<number> {
    let total = 0;
    let left = 0;
    for (;;) {
      await background.waitForSlot();
      if (isStopped) break;
      const beganAt = clock.now();
      const settled = await database.write(settle);
      total += settled.seen;
      left += settled.left;
      pauseMs = Math.max(soonMs, pausePerWork * (clock.now() - beganAt));
      if (settled.isLast) break;
    }
    if (left > 0) parts.onLeft();
    return total;
  }

  /** Processes the whole queue; gives how many entities it counted. */
  function sweep(): Promise<number> {
    sweeping = sweeping.catch(() => 0).then(run);
    return sweeping;
  }

  return {
    /** Something changed: a sweep follows within seconds. Returns at once. */
    wake: (): void => {
      if (isStopped || forgetTimer !== null) return;
      forgetTimer = clock.after(pauseMs, () => {
        forgetTimer = null;
        sweep().catch((error: unknown) => {
          log.warn({ err: error }, 'The upkeep of entities failed. It will be tried again.');
        });
      });
    },
    sweep,
    /** Call it before the first sweep. */
    follow: (follower: EntityFollower): void => void followers.push(follower),
    /** Stops sweeps; resolves when none is under way. */
    stop: async (): Promise<void> => {
      isStopped = true;
      forgetTimer?.();
      await sweeping.catch(() => 0);
    },
  };
}

function censusOf(
  { no, id, type, name, hidden }: EntityRow,
  rows: readonly EntityCountRow[],
): EntityCensus {
  const counts = rows.map(({ library_no, certification, items }) => ({
    libraryNo: library_no,
    certification,
    items: Number(items),
  }));
  const items = new Map<number, number>();
  for (const one of counts) items.set(one.libraryNo, (items.get(one.libraryNo) ?? 0) + one.items);
  return { no, id, type, name, hidden: Boolean(hidden), items, counts };
}
