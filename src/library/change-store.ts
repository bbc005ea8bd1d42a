import type { Knex } from 'knex';
import type { ItemRow } from './item-store.ts';
import { inChunks, type BigNumber } from './rows.ts';

/** An item as the change feed tells of it. */
export type ChangedItemRow = Pick<ItemRow, 'no' | 'id' | 'title' | 'metadata' | 'seq'> & {
  readonly library_id: string;
};

/** A tombstone. */
export interface RemovedRow {
  readonly item_id: string;
  readonly seq: BigNumber;
}

/** An entity of an item, as an index wants it. */
export interface IndexedEntityRow {
  readonly item_no: number;
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly role: string;
}

/** Active items that changed after `seq`, in the order of the feed. */
export async function readChangedItems(
  db: Knex,
  seq: number,
  limit: number,
): Promise<ChangedItemRow[]> {
  return changedItems(db)
    .where('items.seq', '>', seq)
    .where('items.status', 'active')
    .orderBy('items.seq')
    .limit(limit);
}

/** One active item. */
export async function readIndexedItem(db: Knex, id: string): Promise<ChangedItemRow | undefined> {
  const [row] = await changedItems(db).where('items.id', id).where('items.status', 'active');
  return row;
}

function changedItems(db: Knex): Knex.QueryBuilder<ItemRow, ChangedItemRow[]> {
  return db<ItemRow>('items')
    .join('libraries', 'libraries.no', 'items.library_no')
    .select<ChangedItemRow[]>(
      'items.no',
      'items.id',
      'items.title',
      'items.metadata',
      'items.seq',
      'libraries.id as library_id',
    );
}

/** Tombstones after `seq`, in the order of the feed. */
export async function readRemovedItems(
  db: Knex,
  seq: number,
  limit: number,
): Promise<RemovedRow[]> {
  return db<RemovedRow>('removed_items').where('seq', '>', seq).orderBy('seq').limit(limit);
}

/** Entities of these items, in the order of their links. */
export async function readIndexedEntities(
  db: Knex,
  itemNumbers: readonly number[],
): Promise<IndexedEntityRow[]> {
  return inChunks(itemNumbers, (group) =>
    db('item_entities')
      .join('entities', 'entities.no', 'item_entities.entity_no')
      .whereIn('item_entities.item_no', group)
      .where('entities.hidden', false)
      .orderBy(['item_entities.item_no', 'item_entities.sort_order'])
      .select<IndexedEntityRow[]>(
        'item_entities.item_no',
        'item_entities.role',
        'entities.id',
        'entities.type',
        'entities.name',
      ),
  );
}
