/**
 * What the items of an entity are in sum. Two sources agree at any moment: rows that the upkeep
 * stored, and for entities in its queue the items themselves. Each change of an item or a link that
 * changes a sum queues the entity in its own transaction. So a sum is never stale, and a list of
 * entities reads few items.
 */
import type { Knex } from 'knex';
import type { Database } from '../../../../kernel/store/index.ts';
import { inChunks, type BigNumber } from './rows.ts';

/** The active items of an entity in one library with one certification. */
export interface EntityCountRow {
  readonly entity_no: number;
  readonly library_no: number;
  readonly certification: string | null;
  readonly items: BigNumber;
  /** The earliest year of an item; 0 = unknown. */
  readonly year: number;
  /** When the newest item was added: Unix milliseconds. */
  readonly added_at: BigNumber;
  /** Seconds, for books pages; null = not known, or not of interest for its type. */
  readonly duration: number | null;
  /** The number of the first item with a picture of its own. */
  readonly pictured_no: number | null;
}

const columns =
  'entity_no, library_no, certification, items, year, added_at, duration, pictured_no';

/** Types of entities that are played from begin to end. */
const timedTypes = ['album', 'season', 'show', 'series', 'artist'];

/** SQL of {@link EntityCountRow} from the items of these entities, given as SQL. */
const countedItems = (numbers: string): string =>
  `select links.entity_no, items.library_no, items.certification, count(*) as items,
     coalesce(min(nullif(items.year, 0)), 0) as year, max(items.added_at) as added_at,
     sum(case when entities.type in (${timedTypes.map((type) => `'${type}'`).join(', ')})
       then nullif(items.duration, 0) end) as duration,
     min(case when items.assets is not null then items.no end) as pictured_no
   from (select distinct entity_no, item_no from item_entities where entity_no in ${numbers}) as links
   join entities on entities.no = links.entity_no
   join items on items.no = links.item_no
   where not (items.status <> 'active')
   group by links.entity_no, items.library_no, items.certification`;

/** SQL of the {@link EntityCountRow} of these entities; `numbers` is SQL in brackets. */
export const entityCounts = (numbers: string): string =>
  `(select ${columns} from entity_counts where entity_no in ${numbers}
      and entity_no not in (select entity_no from touched_entities)
    union all
    ${countedItems(`(select entity_no from touched_entities where entity_no in ${numbers})`)})`;

/** Numbers of the database's own as a list in brackets. */
export const numberList = (numbers: readonly number[]): string => `(${numbers.join(', ')})`;

/** Counts the items of these entities; an entity without active items has no row. */
export async function countItemsOf(
  db: Knex,
  entityNumbers: readonly number[],
): Promise<EntityCountRow[]> {
  return inChunks(entityNumbers, (group) =>
    db.raw<EntityCountRow[]>(countedItems(numberList(group))),
  );
}

/** A library and a certification that an active item of an entity has. */
export type ShownBy = Pick<EntityCountRow, 'library_no' | 'certification'>;

/** Above so many bytes the items are read instead: an index of PostgreSQL holds no long text. */
const longestShownBy = 500;

/** What `entities.shown_by` says of these rows of one entity; null = it would be too long. */
function shownByOf(rows: readonly ShownBy[]): string | null {
  const pairs = rows.map((row) => JSON.stringify([row.library_no, row.certification]));
  const text = `[${pairs.toSorted().join()}]`;
  return Buffer.byteLength(text) > longestShownBy ? null : text;
}

/** The reverse of {@link shownByOf}. */
export const parseShownBy = (text: string): readonly ShownBy[] =>
  (JSON.parse(text) as readonly [number, string | null][]).map(([no, certification]) => ({
    library_no: no,
    certification,
  }));

/** SQL of the numbers of the entities of a type whose `shown_by` says nothing; it binds the type. */
export const unknownShownBy = `(select entity_no from touched_entities
  union all select no from entities where type = ? and shown_by is null)`;

/** Replaces the stored rows of these entities, and who sees them. */
export async function replaceEntityCounts(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  entityNumbers: readonly number[],
  rows: readonly EntityCountRow[],
): Promise<void> {
  await deleteEntityCounts(trx, entityNumbers);
  await insertRows(trx, 'entity_counts', rows);
  const rowsOf = Map.groupBy(rows, (row) => row.entity_no);
  const numbersOf = Map.groupBy(entityNumbers, (no) => shownByOf(rowsOf.get(no) ?? []));
  for (const [shownBy, numbers] of numbersOf)
    await trx('entities')
      .whereIn('no', numbers)
      .whereRaw("coalesce(shown_by, '') <> ?", [shownBy ?? ''])
      .update({ shown_by: shownBy });
}

export async function deleteEntityCounts(
  trx: Knex.Transaction,
  entityNumbers: readonly number[],
): Promise<void> {
  await inChunks(entityNumbers, async (group) => {
    await trx('entity_counts').whereIn('entity_no', group).delete();
    return [];
  });
}
