import type { Knex } from 'knex';

/**
 * Drops what `ANALYZE` has measured. Without it, SQLite plans a statement by its text and the indexes
 * alone, so that each server runs it in the same way, from its first start on. A connection would
 * read the statistics only when it is opened, and plan differently from then on.
 */
export async function forgetStatistics(trx: Knex.Transaction): Promise<void> {
  for (const table of ['sqlite_stat1', 'sqlite_stat4'])
    await trx.raw(`drop table if exists ${table}`);
}
