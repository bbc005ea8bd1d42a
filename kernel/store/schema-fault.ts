/**
 * Compares the tables of a SQLite database with those that the migrations of this version make. The
 * record of migrations only says what was done. A trigger or a view that somebody added works on every
 * write of the server, and a dropped one no longer keeps the audit log. Other plain tables run nothing,
 * so they may be there.
 */
import type { Knex } from 'knex';

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
  /** 0 for a view, a trigger or a virtual table. */
  readonly rootpage: number;
}

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** Not 0 for a column that is computed. */
  readonly hidden: number;
}

/** The word index of a plugin, the only virtual table. */
const wordIndex = /^text_index_\d+_words$/;

/** What differs, as the end of a sentence that names the database; `null` = nothing. */
export async function schemaFault(read: Knex, wanted: Knex): Promise<string | null> {
  const [own, made] = [await schemaOf(read), await schemaOf(wanted)];
  for (const [key, { type, name, rootpage, sql }] of own) {
    const isStored = rootpage > 0 || wordIndex.test(name);
    if (!isStored && plain(made.get(key)?.sql) !== plain(sql))
      return `has ${withArticle(rootpage === 0 && type === 'table' ? 'virtual table' : type)} ${name} that this version does not make`;
  }
  for (const [key, { type, name }] of made) if (!own.has(key)) return `lacks the ${type} ${name}`;
  return columnFault(await columnsOf(read), await columnsOf(wanted));
}

function columnFault(
  own: ReadonlyMap<string, ColumnRow>,
  made: ReadonlyMap<string, ColumnRow>,
): string | null {
  for (const [key, { table, name, type, hidden }] of made) {
    const found = own.get(key);
    if (found?.type !== type || found.hidden !== hidden)
      return `has no column ${name} of this version in ${table}`;
  }
  const more = [...own].find(([key, { hidden }]) => hidden !== 0 && !made.has(key));
  return more === undefined ? null : `has a column ${more[1].name} that computes itself`;
}

async function schemaOf(read: Knex): Promise<ReadonlyMap<string, SchemaRow>> {
  const rows = await read.raw<readonly SchemaRow[]>(
    `select type, name, sql, rootpage from sqlite_master where sql is not null`,
  );
  return new Map(rows.map((row) => [`${row.type} ${row.name}`, row]));
}

/** The columns of the plain tables. */
async function columnsOf(read: Knex): Promise<ReadonlyMap<string, ColumnRow>> {
  const rows = await read.raw<readonly ColumnRow[]>(
    `select t.name as "table", c.name as name, c.type as type, c.hidden as hidden
       from sqlite_master t, pragma_table_xinfo(t.name) c
      where t.type = 'table' and t.rootpage > 0`,
  );
  return new Map(rows.map((row) => [`${row.table} ${row.name}`, row]));
}

/** Versions of SQLite quote the names differently where they rewrite a statement. */
const plain = (sql: string | undefined): string | undefined =>
  sql?.replace(/["`\s]+/g, ' ').toLowerCase();

const withArticle = (type: string): string => (type === 'index' ? `an ${type}` : `a ${type}`);
