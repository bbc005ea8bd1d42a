import type { Knex } from 'knex';
import type { Database, Queries, Transaction } from '../../../kernel/store/index.ts';
import { saveNewRetries } from './retry-store.ts';

/** An indexer that is known already. */
export interface KnownIndexer {
  readonly plugin_id: string;
  /** Whether it had access to the network. */
  readonly is_remote: boolean | number;
  /** The version of its answers that items have, or are about to have. */
  readonly answers_version: number;
  /** Items up to this number are queued for it; null = all. */
  readonly after: number | null;
}

const table = 'known_indexers';

export async function createIndexerTable(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable(table, (columns) => {
    columns.text('plugin_id').primary();
    columns.boolean('is_remote').notNullable();
    columns.integer('after');
    columns.integer('answers_version').notNullable().defaultTo(1);
  });
}

export async function readKnownIndexers(db: Queries): Promise<ReadonlyMap<string, KnownIndexer>> {
  const rows = await db<KnownIndexer>(table).select('*');
  return new Map(rows.map((row) => [row.plugin_id, row]));
}

export async function saveKnownIndexer(
  { insertRows }: Pick<Database, 'insertRows'>,
  trx: Transaction,
  row: KnownIndexer,
): Promise<void> {
  const update = ['is_remote', 'answers_version', 'after'] as const;
  await insertRows(trx, table, [row], { columns: ['plugin_id'], update });
}

/** Forgets an indexer: once it is there again, it is a new one. */
export async function forgetIndexer(trx: Transaction, pluginId: string): Promise<void> {
  await trx(table).where('plugin_id', pluginId).delete();
}

/** The types of the existing libraries. */
export async function readLibraryTypes(db: Queries): Promise<readonly string[]> {
  const rows = await db('libraries').distinct<{ type: string }[]>('type');
  return rows.map(({ type }) => type);
}

/**
 * Queues the next items of libraries of these types, and stores the position, in one transaction.
 * Gives the number of the last one; null when there are no more.
 */
export async function queueItems(
  database: Pick<Database, 'insertRows'>,
  trx: Transaction,
  newcomer: KnownIndexer,
  page: { readonly types: readonly string[]; readonly limit: number; readonly now: number },
): Promise<number | null> {
  const rows = await trx('items')
    .join('libraries', 'libraries.no', 'items.library_no')
    .whereIn('libraries.type', [...page.types])
    .where('items.no', '>', newcomer.after ?? 0)
    .where('items.status', 'active')
    .orderBy('items.no')
    .limit(page.limit)
    .select<{ no: number; id: string; library: string }[]>(
      'items.no',
      'items.id',
      'libraries.id as library',
    );
  await saveNewRetries(
    database.insertRows,
    trx,
    rows.map((row) => ({
      item_id: row.id,
      plugin_id: newcomer.plugin_id,
      library_id: row.library,
      attempts: 0,
      next_at: page.now,
    })),
  );
  const after = rows.length < page.limit ? null : (rows.at(-1)?.no ?? null);
  await saveKnownIndexer(database, trx, { ...newcomer, after });
  return after;
}
