/** The SQL of a copy from SQLite to PostgreSQL. */
import type { Knex } from 'knex';

/** The tables of a file of SQLite. */
export const tablesOfFile = (read: Knex): Promise<readonly string[]> =>
  read('sqlite_master').where({ type: 'table' }).orderBy('name').pluck('name');

/** The tables of PostgreSQL with their columns. */
export async function columnsOfServer(
  trx: Knex,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows: readonly { readonly table: string; readonly column: string }[] = await trx.raw(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = current_schema()`,
  );
  const tables = new Map<string, Set<string>>();
  for (const { table, column } of rows)
    tables.set(table, (tables.get(table) ?? new Set()).add(column));
  return tables;
}

export async function countRows(trx: Knex, table: string): Promise<number> {
  const [row] = await trx(table).count<{ readonly count: number | string }[]>('* as count');
  return Number(row?.count ?? 0);
}

/** A row of any table, with its place in the file. */
export type PlacedRow = Readonly<Record<string, unknown>> & { readonly placed_at: number };

/** The next rows of a table of the file. */
export const rowsAfter = (
  read: Knex,
  table: string,
  { place, limit }: { readonly place: number; readonly limit: number },
): Promise<readonly PlacedRow[]> =>
  read.raw('select *, rowid as placed_at from ?? where rowid > ? order by rowid limit ?', [
    table,
    place,
    limit,
  ]);

/**
 * Triggers guard the order of the audit log and tell servers of changes. A copy is checked as a
 * whole, and no server runs.
 */
export async function setTriggers(
  trx: Knex,
  table: string,
  to: 'enable' | 'disable',
): Promise<void> {
  await trx.raw(`alter table ?? ${to} trigger user`, [table]);
}

export async function emptyTable(trx: Knex, table: string): Promise<void> {
  await trx(table).delete();
}

/** Numbers that PostgreSQL gives go on after the highest that came with the rows. */
export async function continueNumbers(trx: Knex, table: string): Promise<void> {
  const columns: readonly { readonly name: string; readonly sequence: string }[] = await trx.raw(
    `select column_name as name, pg_get_serial_sequence(quote_ident(?), column_name) as sequence
     from information_schema.columns where table_schema = current_schema() and table_name = ?
     and pg_get_serial_sequence(quote_ident(?), column_name) is not null`,
    [table, table, table],
  );
  for (const { name, sequence } of columns)
    await trx.raw('select setval(?, coalesce((select max(??) from ??), 0) + 1, false)', [
      sequence,
      name,
      table,
    ]);
}
