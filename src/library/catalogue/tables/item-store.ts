import type { Knex } from 'knex';
import type { Database } from '../../../../kernel/store/index.ts';
import type { Resolution } from './item-facts.ts';
import { touchLinked } from './entity-link-store.ts';
import { deleteAnswers } from './kept-answer-store.ts';
import { whereIn } from './where-in-store.ts';
import { chunks, inChunks, type BigNumber } from './rows.ts';
import { deleteGivenTexts } from './given-text-store.ts';
import { deletePictures } from './uploaded-picture-store.ts';

export type ItemStatus = 'active' | 'missing' | 'error';

/** A row of `items`. */
export interface ItemRow {
  readonly no: number;
  readonly id: string;
  readonly library_no: number;
  group_key: string;
  title: string;
  sort_title: string;
  /** See `letter.ts`. */
  letter: string;
  year: number;
  /** 0 to 10; -1 = unknown. */
  rating: number;
  /** As 20010131; 0 = unknown. */
  released_on: number;
  /** Seconds; for books pages. 0 = unknown. */
  duration: number;
  resolution: Resolution | null;
  hdr: boolean | number;
  certification: string | null;
  metadata: string;
  edits: string | null;
  assets: string | null;
  asset_aspects: string | null;
  attachments: string | null;
  provenance: string | null;
  /** Its match by plugin: JSON. */
  match: string | null;
  /** 1 = a person should say what it is; else 0. */
  needs_look: number;
  status: ItemStatus;
  is_named: boolean | number;
  seq: BigNumber;
  readonly added_at: BigNumber;
  updated_at: BigNumber;
}

/** The columns that lists show or sort by; others are not read for each item of a page. */
export const listedColumns = [
  'no',
  'id',
  'library_no',
  'title',
  'sort_title',
  'year',
  'certification',
  'metadata',
  'status',
  'added_at',
  'updated_at',
  'assets',
  'asset_aspects',
  'attachments',
] as const satisfies readonly (keyof ItemRow)[];

/** An item as lists read it. */
export type ListedItemRow = Pick<ItemRow, (typeof listedColumns)[number]>;

/**
 * Whether an ingest may change a column. Every column has an entry, except those that never change:
 * a column that is missing here would be stored with a new row and lost at the next update.
 */
const changedByIngest: Readonly<
  Record<Exclude<keyof ItemRow, 'no' | 'id' | 'library_no' | 'added_at'>, boolean>
> = {
  group_key: false,
  title: true,
  sort_title: true,
  letter: true,
  year: true,
  rating: true,
  released_on: true,
  duration: true,
  resolution: true,
  hdr: true,
  certification: true,
  metadata: true,
  edits: false,
  assets: true,
  asset_aspects: true,
  attachments: true,
  provenance: true,
  match: true,
  needs_look: true,
  status: false,
  is_named: false,
  seq: false,
  updated_at: true,
};
const savedColumns = Object.keys(changedByIngest) as (keyof typeof changedByIngest)[];

/** Items of a library by group key, in any status. */
export async function readItemsByKey(
  db: Knex,
  libraryNo: number,
  keys: readonly string[],
): Promise<ItemRow[]> {
  if (keys.length === 0) return [];
  return db<ItemRow>('items')
    .where('library_no', libraryNo)
    .where(whereIn(db, 'group_key', keys))
    .select('*');
}

/** Numbers of items of a library above `after`, in any status, ascending. */
export async function readItemNumbers(
  db: Knex,
  libraryNo: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly number[]> {
  return db('items')
    .where('library_no', libraryNo)
    .where('no', '>', after)
    .orderBy('no')
    .limit(limit)
    .pluck<number[]>('no');
}

/** Items by number, in no order. */
export async function readItemRows(db: Knex, numbers: readonly number[]): Promise<ItemRow[]> {
  return inChunks(numbers, (group) => db<ItemRow>('items').whereIn('no', group).select('*'));
}

/** Updates changed rows, by number. */
export async function saveItemRows(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  rows: readonly ItemRow[],
): Promise<void> {
  await insertRows(trx, 'items', rows, { columns: ['no'], update: savedColumns });
}

/**
 * Updates the columns that an ingest may change, by number. It skips columns that indexes contain,
 * since each row's index entries would be written again. A row without a new number of the change
 * feed keeps the number that it received since it was read.
 */
export async function saveEnriched(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  rows: readonly ItemRow[],
  place: 'new' | 'kept',
): Promise<void> {
  const update = savedColumns.filter(
    (column) => changedByIngest[column] || (column === 'seq' && place === 'new'),
  );
  await insertRows(trx, 'items', rows, { columns: ['no'], update });
}

/** Clears the group keys of items that are about to get others, so that two can swap keys. */
export async function freeGroupKeys(
  trx: Knex.Transaction,
  numbers: readonly number[],
): Promise<void> {
  for (const group of chunks(numbers, 500)) {
    await trx<ItemRow>('items')
      .whereIn('no', group)
      .update({ group_key: trx.raw("'moving:' || id") });
  }
}

/** Deletes an item with its dependent rows; its files must have been reassigned before. */
export async function deleteItemRows(
  trx: Knex.Transaction,
  numbers: readonly number[],
): Promise<void> {
  await touchLinked(trx, numbers);
  await deleteAnswers(trx, numbers);
  for (const group of chunks(numbers, 500)) {
    await trx('item_entities').whereIn('item_no', group).delete();
    await deletePictures(trx, group);
    await deleteGivenTexts(trx, group);
    await trx('split_links').whereIn('item_no', group).delete();
    await trx('items').whereIn('no', group).delete();
  }
}

/** Adds a tombstone for each item, so that readers of the change feed learn of the removal. */
export async function buryItems(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  stones: readonly { readonly item_id: string; readonly seq: number }[],
): Promise<void> {
  const onConflict = { columns: ['item_id'], update: ['seq'] } as const;
  await insertRows(trx, 'removed_items', stones, onConflict);
}

/** Removes tombstones: these items are back. */
export async function unburyItems(trx: Knex.Transaction, ids: readonly string[]): Promise<void> {
  for (const group of chunks(ids, 500)) {
    await trx('removed_items').whereIn('item_id', group).delete();
  }
}

export async function findItem(db: Knex, id: string): Promise<ItemRow | undefined> {
  return db<ItemRow>('items').where({ id }).first();
}

/** Items by id, in no order. */
export async function readItemsById(db: Knex, ids: readonly string[]): Promise<ListedItemRow[]> {
  return inChunks(ids, (group) =>
    db<ItemRow>('items')
      .whereIn('id', group)
      .select(...listedColumns),
  );
}

/** Detaches an item's files. The rows stay, so that a scan does not find the files as new. */
export async function forgetFiles(trx: Knex.Transaction, itemNo: number): Promise<void> {
  const files = trx('files').where('item_no', itemNo).select('no');
  await trx('chapters').whereIn('file_no', files).delete();
  await trx('files').where('item_no', itemNo).update({ item_no: null });
}
