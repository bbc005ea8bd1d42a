import type { Knex } from 'knex';
import { dialectOf, type Dialect } from './dialect.ts';

/** What to do with a row whose key exists. */
export interface OnConflict<Column extends string = string> {
  /** The columns of the key. */
  readonly columns: readonly Column[];
  /** The columns that take the new row's value. Without these and `add`, the old row stays. */
  readonly update: readonly Column[];
  /** The columns to which the new row's value is added. */
  readonly add?: readonly Column[];
}

export type ColumnOf<Row> = Extract<keyof Row, string>;

/**
 * Rows of one statement. The sizes are few and fixed, so that a bulk insert repeats the same texts
 * and finds them prepared.
 */
const chunkSizes = [128, 32, 8, 1] as const;

/** SQLite and PostgreSQL accept more, without a gain. */
const mostBindings = 8192;

/**
 * Inserts many rows fast. All rows have the columns of the first one; a missing value is null. Values
 * are bound unchanged; JSON is passed as text.
 */
export async function insertRows<Row extends object>(
  trx: Knex.Transaction,
  table: string,
  rows: readonly Row[],
  onConflict?: OnConflict<ColumnOf<Row>>,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const plain = rows as readonly Readonly<Record<string, unknown>>[];
  if (dialectOf(trx) === 'sqlite') return insertValues(trx, table, columns, plain, onConflict);
  for (const some of withoutTwins(plain, onConflict))
    await insertValues(trx, table, columns, some, onConflict);
}

async function insertValues(
  trx: Knex.Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
  onConflict: OnConflict | undefined,
): Promise<void> {
  const values = rows.map((row) => columns.map((column) => row[column] ?? null));
  const ofText = textStatements[dialectOf(trx)];
  const texts = isBound(trx, values) ? null : asTexts(values, (row) => ofText.toJson(columns, row));
  if (texts !== null) {
    const sql = ofText.statement(table, columns, onConflict);
    for (const text of texts) await trx.raw(sql, [text]);
    return;
  }
  const statement = statementFor(table, columns, onConflict);
  for (const { from, count } of chunksOf(rows.length, columns.length)) {
    const bindings = values.slice(from, from + count).flat();
    await trx.raw(statement(count), bindings as Knex.RawBinding[]);
  }
}

/** In characters. A longer row is cheaper to bind than to read from JSON. */
const longRow = 1000;

function isBound(trx: Knex.Transaction, values: readonly (readonly unknown[])[]): boolean {
  if (dialectOf(trx) !== 'sqlite') return false;
  let length = 0;
  for (const row of values)
    for (const value of row) if (typeof value === 'string') length += value.length;
  return length > values.length * longRow;
}

/** How rows become JSON, and the statement that reads them. */
interface TextStatement {
  readonly toJson: (columns: readonly string[], values: readonly unknown[]) => unknown;
  readonly statement: (
    table: string,
    columns: readonly string[],
    onConflict: OnConflict | undefined,
  ) => string;
}

const rowsOfOneText = 500;

/**
 * Short rows are read from one JSON text, since binding each value costs more thread time. `null`
 * when a value would differ after a round trip through JSON.
 */
function asTexts(
  values: readonly (readonly unknown[])[],
  toJson: (row: readonly unknown[]) => unknown,
): readonly string[] | null {
  if (!values.every((row) => row.every(isPlain))) return null;
  const texts = chunks(values).map((some) => JSON.stringify(some.map(toJson)));
  return texts.some((text) => oddText.test(text)) ? null : texts;
}

function chunks<T>(list: readonly T[]): readonly (readonly T[])[] {
  const groups: (readonly T[])[] = [];
  for (let from = 0; from < list.length; from += rowsOfOneText)
    groups.push(list.slice(from, from + rowsOfOneText));
  return groups;
}

/** A NUL character, or half of a surrogate pair, as `JSON.stringify` writes them. */
const oddText = /\\u(?:0000|d[89a-f])/;

function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' || typeof value === 'boolean' || value === null;
}

/**
 * `jsonb_each` returns parsed rows; `json_each` would serialise them again. `where true` tells the
 * parser that no join follows.
 */
function statementForText(
  table: string,
  columns: readonly string[],
  onConflict: OnConflict | undefined,
): string {
  const places = columns.map((_, index) => `value ->> ${index}`).join(', ');
  const names = columns.map(quote).join(', ');
  const tail = onConflict === undefined ? '' : ` where true${conflictClause(table, onConflict)}`;
  return `insert into ${quote(table)} (${names}) select ${places} from jsonb_each(?)${tail}`;
}

/** PostgreSQL takes the types of the columns from the table. */
function postgresStatementForText(
  table: string,
  columns: readonly string[],
  onConflict: OnConflict | undefined,
): string {
  const names = columns.map(quote).join(', ');
  const tail = onConflict === undefined ? '' : conflictClause(table, onConflict);
  return `insert into ${quote(table)} (${names}) select ${names}
    from json_populate_recordset(null::${quote(table)}, ?::json) as made${tail}`;
}

const textStatements: Readonly<Record<Dialect, TextStatement>> = {
  sqlite: { toJson: (_, values) => values, statement: statementForText },
  postgres: { toJson: toObject, statement: postgresStatementForText },
};

function toObject(columns: readonly string[], values: readonly unknown[]): unknown {
  return Object.fromEntries(
    columns.map((column, at) => {
      const value = values[at];
      return [column, typeof value === 'boolean' ? Number(value) : value];
    }),
  );
}

/**
 * PostgreSQL changes a row at most once per statement. So rows with equal keys go into consecutive
 * statements.
 */
function withoutTwins<Row extends Readonly<Record<string, unknown>>>(
  rows: readonly Row[],
  onConflict: OnConflict | undefined,
): readonly (readonly Row[])[] {
  if (onConflict === undefined || rows.length < 2) return [rows];
  const groups: Row[][] = [];
  const seen = new Map<string, number>();
  for (const row of rows) {
    const key = JSON.stringify(onConflict.columns.map((column) => row[column]));
    const turn = seen.get(key) ?? 0;
    seen.set(key, turn + 1);
    (groups[turn] ??= []).push(row);
  }
  return groups;
}

/** Cuts `total` rows into pieces of the fixed sizes, the larger ones first. */
export function chunksOf(
  total: number,
  columns: number,
): readonly { readonly from: number; readonly count: number }[] {
  const chunks: { from: number; count: number }[] = [];
  let from = 0;
  for (const count of chunkSizes) {
    if (count > 1 && count * columns > mostBindings) continue;
    for (; total - from >= count; from += count) chunks.push({ from, count });
  }
  return chunks;
}

function statementFor(
  table: string,
  columns: readonly string[],
  onConflict: OnConflict | undefined,
): (rows: number) => string {
  const list = (names: readonly string[]): string => names.map(quote).join(', ');
  const tuple = `(${columns.map(() => '?').join(', ')})`;
  const head = `insert into ${quote(table)} (${list(columns)}) values `;
  const tail = onConflict === undefined ? '' : conflictClause(table, onConflict);
  return (rows) => head + Array<string>(rows).fill(tuple).join(', ') + tail;
}

function conflictClause(table: string, { columns, update, add = [] }: OnConflict): string {
  const key = columns.map(quote).join(', ');
  const changes = [
    ...update.map((name) => `${quote(name)} = excluded.${quote(name)}`),
    ...add.map(
      (name) => `${quote(name)} = ${quote(table)}.${quote(name)} + excluded.${quote(name)}`,
    ),
  ];
  if (changes.length === 0) return ` on conflict (${key}) do nothing`;
  return ` on conflict (${key}) do update set ${changes.join(', ')}`;
}

/** Quotes a name for both databases. */
function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
