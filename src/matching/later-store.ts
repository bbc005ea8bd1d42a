import type { Knex } from 'knex';
import type { Database, Queries, Transaction } from '../../kernel/index.ts';

/** An item that waits for a retry. */
export interface LaterRow {
  readonly item_id: string;
  readonly library_id: string;
  /** The failed tries, in tenths: a deferred item counts less than an unavailable source. */
  readonly attempts: number;
  /** Unix milliseconds of the next try. */
  readonly next_at: number | string;
}

const table = 'items_to_ask';
const groupSize = 500;

export async function createLaterTable(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable(table, (columns) => {
    columns.text('item_id').primary();
    columns.text('library_id').notNullable();
    columns.integer('attempts').notNullable();
    columns.bigInteger('next_at').notNullable().index();
  });
}

/** Those of the items that wait already. */
export async function readLater(
  db: Queries,
  itemIds: readonly string[],
): Promise<readonly LaterRow[]> {
  const rows: LaterRow[] = [];
  for (const group of groups(itemIds)) {
    rows.push(...(await db<LaterRow>(table).whereIn('item_id', group).select('*')));
  }
  return rows;
}

/** The items that are due, those that wait longest first. */
export async function readDue(
  db: Queries,
  now: number,
  limit: number,
): Promise<readonly LaterRow[]> {
  return db<LaterRow>(table).where('next_at', '<=', now).orderBy('next_at').limit(limit);
}

/** When the next item is due; undefined when none waits. */
export async function nextDue(db: Queries): Promise<number | undefined> {
  const row = await db<LaterRow>(table).orderBy('next_at').first('next_at');
  return row && Number(row.next_at);
}

export async function saveLater(
  insertRows: Database['insertRows'],
  trx: Transaction,
  rows: readonly LaterRow[],
): Promise<void> {
  const onConflict = { columns: ['item_id'], update: ['attempts', 'next_at'] };
  await insertRows(
    trx,
    table,
    rows.map((row) => ({ ...row })),
    onConflict,
  );
}

/** Inserts only items that do not wait already. */
export async function saveNewLater(
  insertRows: Database['insertRows'],
  trx: Transaction,
  rows: readonly LaterRow[],
): Promise<void> {
  const onConflict = { columns: ['item_id'], update: [] };
  await insertRows(
    trx,
    table,
    rows.map((row) => ({ ...row })),
    onConflict,
  );
}

export async function deleteLater(trx: Transaction, itemIds: readonly string[]): Promise<void> {
  for (const group of groups(itemIds)) await trx(table).whereIn('item_id', group).delete();
}

function groups(list: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(list.length / groupSize);
  return Array.from({ length: count }, (_, at) => list.slice(at * groupSize, (at + 1) * groupSize));
}
