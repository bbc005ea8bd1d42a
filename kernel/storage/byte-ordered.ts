import type { Knex } from 'knex';

/**
 * Adds a text column that compares and sorts by the bytes of its UTF-8, whatever the language of the
 * database: URIs and keys are walked in that order. SQLite does so by itself; PostgreSQL is told.
 */
export function byteOrdered(table: Knex.CreateTableBuilder, column: string): Knex.ColumnBuilder {
  return isSqlite(table) ? table.text(column) : table.specificType(column, 'text collate "C"');
}

function isSqlite(table: object): boolean {
  const client: unknown = 'client' in table ? table.client : undefined;
  return (
    typeof client === 'object' &&
    client !== null &&
    'dialect' in client &&
    client.dialect === 'sqlite3'
  );
}
