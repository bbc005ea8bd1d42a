import type { Knex } from 'knex';
import {
  createTrigger,
  type Database,
  type Queries,
  type Transaction,
} from '../../../kernel/store/index.ts';

/** An item that a source is asked about later. */
export interface RetryRow {
  readonly item_id: string;
  /** The source: an indexer. */
  readonly plugin_id: string;
  readonly library_id: string;
  /** The failed tries, in tenths: a deferred item counts less than an unavailable source. */
  readonly attempts: number;
  /** Unix milliseconds of the next try. */
  readonly next_at: number | string;
}

const table = 'items_to_ask';
const groupSize = 500;
const key = ['item_id', 'plugin_id'] as const;

export async function createRetryTable(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable(table, (columns) => {
    columns.text('item_id').notNullable();
    columns.text('plugin_id').notNullable();
    columns.text('library_id').notNullable();
    columns.integer('attempts').notNullable();
    columns.bigInteger('next_at').notNullable();
    columns.primary([...key]);
  });
  await trx.raw(`create index ${table}_by_source on ${table} (plugin_id, next_at)`);
  await createTrigger(trx, {
    name: 'items_to_ask_go_with_items',
    on: 'after delete',
    table: 'items',
    does: { run: `delete from ${table} where item_id = old.id` },
  });
}

/** What waits of these items already, for any source. */
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

/** Which rows of a source are meant. */
export interface RetriesOf {
  readonly pluginId: string;
  /** Only those with fewer failed tries, in tenths; all when absent. */
  readonly below?: number;
}

const rowsOf = (db: Queries, { pluginId, below }: RetriesOf) => {
  const rows = db<RetryRow>(table).where('plugin_id', pluginId).orderBy('next_at');
  return below === undefined ? rows : rows.where('attempts', '<', below);
};

/** The items that are due for a source, those that wait longest first. */
export async function readDue(
  db: Queries,
  of: RetriesOf,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<readonly RetryRow[]> {
  return rowsOf(db, of).where('next_at', '<=', now).limit(limit);
}

/** When the next item is due for a source; undefined when none waits for it. */
export async function nextDue(db: Queries, of: RetriesOf): Promise<number | undefined> {
  const row = await rowsOf(db, of).first('next_at');
  return row && Number(row.next_at);
}

/** The sources for which items wait. */
export async function readSourcesThatWait(db: Queries): Promise<readonly string[]> {
  return db<RetryRow>(table).distinct<{ plugin_id: string }[]>('plugin_id').pluck('plugin_id');
}

export async function saveRetries(
  insertRows: Database['insertRows'],
  trx: Transaction,
  rows: readonly RetryRow[],
): Promise<void> {
  await insertRows(trx, table, rows, { columns: key, update: ['attempts', 'next_at'] });
}

/** Inserts only what does not wait already. */
export async function saveNewRetries(
  insertRows: Database['insertRows'],
  trx: Transaction,
  rows: readonly RetryRow[],
): Promise<void> {
  await insertRows(trx, table, rows, { columns: key, update: [] });
}

/** All that waits for a source is due, as if no try had failed. */
export async function hastenRetries(
  trx: Transaction,
  pluginId: string,
  now: number,
): Promise<void> {
  await trx(table).where('plugin_id', pluginId).update({ attempts: 0, next_at: now });
}

/** Removes these items from the queue of a source. */
export async function deleteRetries(
  trx: Transaction,
  pluginId: string,
  itemIds: readonly string[],
): Promise<void> {
  for (const group of groups(itemIds))
    await trx(table).where('plugin_id', pluginId).whereIn('item_id', group).delete();
}

/** Removes the queue of a source. */
export async function deleteQueue(trx: Transaction, pluginId: string): Promise<void> {
  await trx(table).where('plugin_id', pluginId).delete();
}

function groups<Entry>(list: readonly Entry[], size = groupSize): readonly (readonly Entry[])[] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, at) => list.slice(at * size, (at + 1) * size));
}
