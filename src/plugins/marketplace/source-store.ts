import type { MigrationSet, Queries, Transaction } from '../../../kernel/store/index.ts';
import { createMemoryTables } from './memory-store.ts';
import type { Source } from './source.ts';
import { createRolledBackTable } from './rolled-back-store.ts';

/**
 * The tables of the sources, with the last valid index of each, so that offers are available offline, and of
 * what is remembered of them.
 */
export const marketplaceMigrations: MigrationSet = {
  name: 'marketplace',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('marketplace_sources', (table) => {
          table.text('id').primary();
          table.text('url').notNullable();
          table.text('mirrors').notNullable();
          table.text('publisher_key').notNullable();
          table.text('index_text').notNullable();
          table.text('etag');
          table.text('fetched_at').notNullable();
          table.text('error');
        });
        await createMemoryTables(trx);
        await createRolledBackTable(trx);
      },
    },
  ],
};

interface Row {
  readonly id: string;
  readonly url: string;
  readonly mirrors: string;
  readonly publisher_key: string;
  readonly index_text: string;
  readonly etag: string | null;
  readonly fetched_at: string;
  readonly error: string | null;
}

const table = 'marketplace_sources';

/** In the order in which they were added. */
export async function listSources(read: Queries): Promise<readonly Source[]> {
  const rows = await read<Row>(table).orderBy('id').select();
  return rows.map((row) => ({
    id: row.id,
    url: row.url,
    // Only `saveSource` writes this column.
    mirrors: JSON.parse(row.mirrors) as readonly string[],
    publisherKey: row.publisher_key,
    indexText: row.index_text,
    etag: row.etag,
    fetchedAt: row.fetched_at,
    error: row.error,
  }));
}

export async function insertSource(trx: Transaction, source: Source): Promise<void> {
  await trx<Row>(table).insert(toRow(source));
}

/** What one request for an index has changed. */
export type SourceChanges = Partial<
  Pick<Source, 'publisherKey' | 'indexText' | 'etag' | 'fetchedAt' | 'error'>
>;

/** No effect when it was removed meanwhile. */
export async function updateSource(
  trx: Transaction,
  id: string,
  { publisherKey, indexText, etag, fetchedAt, error }: SourceChanges,
): Promise<void> {
  await trx<Row>(table)
    .where({ id })
    .update({
      ...(publisherKey !== undefined && { publisher_key: publisherKey }),
      ...(indexText !== undefined && { index_text: indexText }),
      ...(etag !== undefined && { etag }),
      ...(fetchedAt !== undefined && { fetched_at: fetchedAt }),
      ...(error !== undefined && { error }),
    });
}

export async function deleteSource(trx: Transaction, id: string): Promise<void> {
  await trx<Row>(table).where({ id }).delete();
}

const toRow = (source: Source): Row => ({
  id: source.id,
  url: source.url,
  mirrors: JSON.stringify(source.mirrors),
  publisher_key: source.publisherKey,
  index_text: source.indexText,
  etag: source.etag,
  fetched_at: source.fetchedAt,
  error: source.error,
});
