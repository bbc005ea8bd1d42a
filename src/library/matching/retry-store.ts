import type { Knex } from 'knex';
import type { Database, Queries, Transaction } from '../../../kernel/storage/index.ts';

/** An item that waits for a retry. */
export interface RetryRow {
  readonly item_id: string;
  readonly library_id: string;
  /** The failed tries, in tenths: a deferred item counts less than an unavailable source. */
  readonly attempts: number;
  /** Unix milliseconds of the next try. */
  readonly next_at: number | string;
}

const table = 'items_to_ask';
const groupSize = 500;

export async function createRetryTable(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable(table, (columns) => {
    columns.text('item_id').primary();
    columns.text('library_id').notNullable();
    columns.integer('attempts').notNullable();
    columns.bigInteger('next_at').notNullable().index();
  });
}

/** Those of the items that wait already. */
export async function readRetries(
  db: Queries,
  itemIds: readonly string[],
): Promise<readonly RetryRow[]> {
  const rows: RetryRow[] = [];
  for (const group of groups(itemIds)) {
    rows.push(...(await db<RetryRow>(table).whereIn('item_id', group).select('*')));
  }
  return rows;
}

/** The items that are due, those that wait longest first. */
export async function readDue(
  db: Queries,
  now: number,
  limit: number,
): Promise<readonly RetryRow[]> {
  return db<RetryRow>(table).where('next_at', '<=', now).orderBy('next_at').limit(limit);
}

/** When the next item is due; undefined when none waits. */
export async function nextDue(db: Queries): Promise<number | undefined> {
  const row = await db<RetryRow>(table).orderBy('next_at').first('next_at');
  return row && Number(row.next_at);
}

export async function saveRetries(
  insertRows: Database['insertRows'],
  trx: Transaction,
  rows: readonly RetryRow[],
): Promise<void> {
  const onConflict = { columns: ['item_id'], update: ['attempts', 'next_at'] } as const;
  await insertRows(trx, table, rows, onConflict);
}

/** Inserts only items that do not wait already. */
export async function saveNewRetries(
  insertRows: Database['insertRows'],
  trx: Transaction,
  rows: readonly RetryRow[],
): Promise<void> {
  const onConflict = { columns: ['item_id'], update: [] } as const;
  await insertRows(trx, table, rows, onConflict);
}

export async function deleteRetries(trx: Transaction, itemIds: readonly string[]): Promise<void> {
  for (const group of groups(itemIds)) await trx(table).whereIn('item_id', group).delete();
}

function groups(list: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(list.length / groupSize);
  return Array.from({ length: count }, (_, at) => list.slice(at * groupSize, (at + 1) * groupSize));
}
