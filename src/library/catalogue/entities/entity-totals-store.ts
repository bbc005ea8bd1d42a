import type { Queries } from '../../../../kernel/store/index.ts';
import { itemShows, type Scope } from '../access/index.ts';
import { entityCounts, numberList } from '../tables/entity-count-store.ts';
import { inChunks, type BigNumber } from '../tables/rows.ts';

/** The visible items of an entity in sum. */
export interface EntityTotals {
  readonly items: number;
  /** The earliest year of an item. */
  readonly year: number | null;
  /** When the newest item was added: Unix milliseconds. */
  readonly addedAt: number;
  /** Seconds, for books pages. */
  readonly duration: number | null;
  /** The number of the first item with a picture of its own. */
  readonly picturedNo: number | null;
}

interface TotalsRow {
  readonly entity_no: number;
  readonly items: BigNumber;
  readonly year: number | null;
  readonly added_at: BigNumber;
  readonly duration: number | null;
  readonly pictured_no: number | null;
}

/** The totals of these entities, by number; one without visible items is left out. */
export async function readEntityTotals(
  db: Queries,
  entityNumbers: readonly number[],
  scope: Scope,
): Promise<ReadonlyMap<number, EntityTotals>> {
  const shows = itemShows(db, scope, { items: 'counts', by: 'row' });
  const rows = await inChunks(entityNumbers, (group) =>
    db.raw<TotalsRow[]>(
      `select entity_no, sum(items) as items, min(nullif(year, 0)) as year,
         max(added_at) as added_at, sum(duration) as duration, min(pictured_no) as pictured_no
       from ${entityCounts(numberList(group))} as counts where ${shows.sql} group by entity_no`,
      [...shows.bindings],
    ),
  );
  return new Map(
    rows.map((row) => [
      row.entity_no,
      {
        items: Number(row.items),
        year: row.year,
        addedAt: Number(row.added_at),
        duration: row.duration,
        picturedNo: row.pictured_no,
      },
    ]),
  );
}
