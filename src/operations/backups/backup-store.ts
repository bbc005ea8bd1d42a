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

/** The bytes that a database of PostgreSQL has on its disk. */
export async function postgresBytes(read: Knex): Promise<number> {
  const [row]: readonly { readonly bytes: number }[] = await read.raw(
    'select pg_database_size(current_database()) as bytes',
  );
  return row?.bytes ?? 0;
}

/** How many servers are connected to a database of PostgreSQL. */
export async function serversOn(read: Knex): Promise<number> {
  const [row]: readonly { readonly servers: number }[] = await read.raw(
    `select count(distinct application_name) as servers from pg_stat_activity
     where datname = current_database() and application_name like 'vitrine %'
     and application_name <> current_setting('application_name')`,
  );
  return row?.servers ?? 0;
}
