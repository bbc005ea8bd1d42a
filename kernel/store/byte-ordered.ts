import type { Knex } from 'knex';
import { dialectOf } from './dialect.ts';

/**
 * Adds a text column that compares and sorts by its UTF-8 bytes, in any language of the database:
 * URIs and keys are read in that order. SQLite does this by default; PostgreSQL needs a collation.
 */
export function byteOrdered(table: Knex.CreateTableBuilder, column: string): Knex.ColumnBuilder {
  return dialectOf(table) === 'sqlite'
    ? table.text(column)
    : table.specificType(column, 'text collate "C"');
}
