import type { Knex } from 'knex';
import type { ItemRow } from './item-store.ts';
import { inChunks, type BigNumber } from './rows.ts';

/** An active item as an index sees it. */
export interface IndexedItemRow {
  readonly no: number;
  readonly id: string;
  readonly title: string;
  readonly metadata: string;
  readonly certification: string | null;
  readonly library_id: string;
}

/**
 * One entry of the feed. A removed item has only its id; an entity that left a library also has the
 * library's id.
 */
export type ChangeRow = { readonly id: string; readonly seq: BigNumber } & (
  | (IndexedItemRow & { readonly no: number })
  | { readonly no: null; readonly library_id: string | null }
);

/** An entity of an item, as indexes receive it. */
export interface IndexedEntityRow {
  readonly item_no: number;
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly role: string;
  readonly search_terms: string | null;
  readonly hidden: boolean | number;
}

/**
 * What changed after `seq`, in the order of the feed. It is one statement, hence one snapshot: if
 * items and tombstones were read one after the other, a change between the two could be skipped.
 * A `cross join` keeps the order: SQLite may else sort all items of each library for a page.
 */
export async function readChanges(db: Knex, seq: number, limit: number): Promise<ChangeRow[]> {
  const changed = db.raw(
    `(select * from (
        select items.seq, items.no, items.id, items.title, items.metadata,
          items.certification, libraries.id as library_id
        from items cross join libraries
        where libraries.no = items.library_no
          and items.seq > ? and items.status = 'active' order by items.seq limit ?
      ) as present
      union all
      select * from (
        select seq, cast(null as bigint), item_id, null, null, null, null from removed_items
        where seq > ? order by seq limit ?
      ) as removed
      union all
      select * from (
        select seq, cast(null as bigint), entity_id, null, null, null, library_id from left_entities
        where seq > ? order by seq limit ?
      ) as departed) as changed`,
    [seq, limit, seq, limit, seq, limit],
  );
  return db.from(changed).orderBy('seq').limit(limit).select<ChangeRow[]>('*');
}

/** One active item. */
export async function readIndexedItem(db: Knex, id: string): Promise<IndexedItemRow | undefined> {
  return db<ItemRow>('items')
    .join('libraries', 'libraries.no', 'items.library_no')
    .where({ 'items.id': id, 'items.status': 'active' })
    .first<IndexedItemRow | undefined>(
      'items.no',
      'items.id',
      'items.title',
      'items.metadata',
      'items.certification',
      'libraries.id as library_id',
    );
}

/** Entities of these items, hidden ones too, in the order of their links. */
export async function readIndexedEntities(
  db: Knex,
  itemNumbers: readonly number[],
): Promise<IndexedEntityRow[]> {
  return inChunks(itemNumbers, (group) =>
    db('item_entities')
      .join('entities', 'entities.no', 'item_entities.entity_no')
      .whereIn('item_entities.item_no', group)
      .orderBy(['item_entities.item_no', 'item_entities.sort_order'])
      .select<IndexedEntityRow[]>(
        'item_entities.item_no',
        'item_entities.role',
        'entities.id',
        'entities.type',
        'entities.name',
        'entities.search_terms',
        'entities.hidden',
      ),
  );
}
