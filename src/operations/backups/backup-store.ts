/** The SQL of backups. */
import type { Knex } from 'knex';

/**
 * Copies a consistent snapshot of the database into a new file, while other connections read and
 * write.
 */
export async function copyDatabase(read: Knex, file: string): Promise<void> {
  await read.raw('vacuum into ?', [file]);
}

/** The first fault of a database, in SQLite's words; `null` = none. */
export async function databaseFault(read: Knex): Promise<string | null> {
  const rows: unknown = await read.raw('pragma quick_check(1)');
  const first: unknown = Array.isArray(rows) ? rows[0] : null;
  const text: unknown = typeof first === 'object' && first && Object.values(first)[0];
  return text === 'ok' ? null : String(text);
}
