import type { Knex } from 'knex';
import { dialectOf } from './dialect.ts';

/**
 * Adds a text column that compares and sorts by the bytes of its UTF-8, whatever the language of the
 * database: URIs and keys are walked in that order. SQLite does so by itself; PostgreSQL is told.
 */
export function byteOrdered(table: Knex.CreateTableBuilder, column: string): Knex.ColumnBuilder {
  return dialectOf(table) === 'sqlite'
    ? table.text(column)
    : table.specificType(column, 'text collate "C"');
}
