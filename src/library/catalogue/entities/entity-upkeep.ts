/**
 * Keeps the data about entities consistent after items change: tombstones for indexes, entities
 * without items, and followers of item counts. A change of links queues the touched entities in its
 * own transaction. A sweep reads only the queue, so its cost follows the changes, and a crash
 * leaves the queue for the next sweep.
 */
import type { Log } from '../../../../kernel/index.ts';
import type { Database, Transaction } from '../../../../kernel/store/index.ts';
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

export class EntityUpkeep {
  readonly #parts: EntityUpkeepParts;
  readonly #clock: ReturnType<typeof steadyOf>;
  readonly #followers: EntityFollower[] = [];
  #forgetTimer: Undo | null = null;
  #sweeping: Promise<number> = Promise.resolve(0);
  #isStopped = false;
  #pauseMs = soonMs;

  constructor(parts: EntityUpkeepParts) {
    this.#parts = parts;
    this.#clock = steadyOf(parts.clock);
  }

  readonly #settle = async (trx: Transaction): Promise<Settled> => {
    const touches = await readTouches(trx, portion);
    if (touches.length === 0) return { seen: 0, left: 0, isLast: true };
    const numbers = [...new Set(touches.map((one) => one.entity_no))];
    const rows = await readEntityRows(trx, numbers);
    const counts = await countItemsOf(trx, numbers);
    await replaceEntityCounts(this.#parts.database.insertRows, trx, numbers, counts);
    const itemsOf = Map.groupBy(counts, (row) => row.entity_no);
    const census = rows.map((row) => censusOf(row, itemsOf.get(row.no) ?? []));
    const left = await this.#bury(trx, touches, census);
    await this.#purge(trx, census);
    for (const follower of this.#followers) await follower(trx, census);
    await deleteTouches(trx, touches);
    return { seen: numbers.length, left, isLast: touches.length < portion };
  };

  async #bury(
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
    await buryEntities(this.#parts.database.insertRows, trx, left);
    return left.length;
  }

  /** An artist is deleted after its last album, a show after its last season. */
  async #purge(trx: Transaction, census: readonly EntityCensus[]): Promise<void> {
    let candidates = census.filter(({ items }) => items.size === 0).map(({ no }) => no);
    while (candidates.length > 0) {
      const unheld = await readUnheld(trx, candidates);
      if (unheld.length === 0) return;
      // Before the rows are deleted, so that no caller receives a number without an entity.
      this.#parts.entities.forget();
      await deleteEntityRows(
        trx,
        unheld.map(({ no }) => no),
      );
      candidates = [...new Set(unheld.flatMap(({ parent_no }) => parent_no ?? []))];
    }
  }

  readonly #run = async (): Promise<number> => {
    let total = 0;
    let left = 0;
    for (;;) {
      await this.#parts.background.waitForSlot();
      if (this.#isStopped) break;
      const beganAt = this.#clock.now();
      const settled = await this.#parts.database.write(this.#settle);
      total += settled.seen;
      left += settled.left;
      this.#pauseMs = Math.max(soonMs, pausePerWork * (this.#clock.now() - beganAt));
      if (settled.isLast) break;
    }
    if (left > 0) this.#parts.onLeft();
    return total;
  };

  /** Processes the whole queue; gives how many entities it counted. */
  readonly sweep = (): Promise<number> => {
    this.#sweeping = this.#sweeping.catch(() => 0).then(this.#run);
    return this.#sweeping;
  };

  /** Something changed: a sweep follows within seconds. Returns at once. */
  readonly wake = (): void => {
    if (this.#isStopped || this.#forgetTimer !== null) return;
    this.#forgetTimer = this.#clock.after(this.#pauseMs, () => {
      this.#forgetTimer = null;
      this.sweep().catch((error: unknown) => {
        this.#parts.log.warn(
          { err: error },
          'The upkeep of entities failed. It will be tried again.',
        );
      });
    });
  };

  /** Call it before the first sweep. */
  readonly follow = (follower: EntityFollower): void => void this.#followers.push(follower);

  /** Stops sweeps; resolves when none is under way. */
  readonly stop = async (): Promise<void> => {
    this.#isStopped = true;
    this.#forgetTimer?.();
    await this.#sweeping.catch(() => 0);
  };
}

export const createEntityUpkeep = (parts: EntityUpkeepParts): EntityUpkeep =>
  new EntityUpkeep(parts);

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
