/** What a backup asks of the database itself. */
import type { Knex } from 'knex';

/** Copies the database as it is at this moment into a new file, while others read and write. */
export async function copyDatabase(read: Knex, file: string): Promise<void> {
  await read.raw('vacuum into ?', [file]);
}

/** What is wrong with a database, in SQLite's words; `null` = nothing. */
export async function databaseFault(read: Knex): Promise<string | null> {
  const rows: unknown = await read.raw('pragma quick_check(1)');
  const first: unknown = Array.isArray(rows) ? rows[0] : null;
  const text: unknown = typeof first === 'object' && first && Object.values(first)[0];
  return text === 'ok' ? null : String(text);
}
