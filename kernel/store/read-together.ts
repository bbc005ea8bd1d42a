import type { Knex } from 'knex';
import { dialectOf } from './dialect.ts';
import { readRows } from './read-rows.ts';

/** One list of rows: the SQL of each of its columns by name, and the SQL after `from`. */
export interface Selection<Row> {
  readonly columns: Readonly<Record<keyof Row & string, string>>;
  /** `?` stands for a binding. */
  readonly from: string;
  readonly bindings: readonly Knex.RawBinding[];
}

/** Rows that several lists of a statement use: selected once, and available under this name. */
export interface SharedRows {
  readonly name: string;
  readonly sql: string;
  /** `?` stands for a binding. */
  readonly bindings: readonly Knex.RawBinding[];
}

/** Columns under their own names. */
export function sameNames<Column extends string>(
  columns: readonly Column[],
): Readonly<Record<Column, string>> {
  const named: Partial<Record<Column, string>> = {};
  for (const column of columns) named[column] = column;
  return named as Record<Column, string>;
}

/**
 * Reads several lists in one statement, each as one JSON text. Each statement costs two thread
 * switches, and each row an object, which dominates for a few short lists. The order of rows is
 * undefined.
 */
export async function readTogether<Rows extends readonly object[]>(
  db: Knex,
  selections: { readonly [At in keyof Rows]: Selection<Rows[At]> },
  shared?: SharedRows,
): Promise<{ readonly [At in keyof Rows]: readonly Rows[At][] }> {
  const { list, row } = words[dialectOf(db)];
  const all: readonly Selection<Readonly<Record<string, unknown>>>[] = selections;
  const lists = all.map(
    ({ columns, from }, at) =>
      `(select ${list}(${row}(${Object.values(columns).join(', ')})) from ${from}) as list_${at}`,
  );
  const first = shared === undefined ? '' : `with ${shared.name} as materialized (${shared.sql}) `;
  const [found] = await readRows<Readonly<Record<string, unknown>>>(
    db,
    `${first}select ${lists.join(', ')}`,
    [...(shared?.bindings ?? []), ...all.flatMap(({ bindings }) => bindings)],
  );
  const rows = all.map(({ columns }, at) => {
    const names = Object.keys(columns);
    return parseRows(found?.[`list_${at}`]).map((values) => toRow(names, values));
  });
  return rows as unknown as { readonly [At in keyof Rows]: readonly Rows[At][] };
}

function toRow(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [at, name] of names.entries()) row[name] = values[at];
  return row;
}

/** SQL for the members of a list that is bound as one value, `toMembers(list)`. */
export function membersOf(db: Knex): string {
  return words[dialectOf(db)].members;
}

/**
 * A list for {@link membersOf}. Characters that no database stores become U+FFFD: such a text matches
 * nothing, and PostgreSQL accepts the list.
 */
export function toMembers(texts: Iterable<string>): string {
  const list = [...texts];
  const json = JSON.stringify(list);
  if (!oddText.test(json)) return json;
  return JSON.stringify(list.map((text) => text.toWellFormed().replaceAll('\0', '\ufffd')));
}

/** A NUL character, or half of a surrogate pair, as `JSON.stringify` writes them. */
const oddText = /\\u(?:0000|d[89a-f])/;

const words = {
  sqlite: {
    list: 'json_group_array',
    row: 'json_array',
    members: '(select value from json_each(?))',
  },
  postgres: {
    list: 'json_agg',
    row: 'json_build_array',
    members: '(select jsonb_array_elements_text(?::jsonb))',
  },
} as const;

function parseRows(value: unknown): readonly (readonly unknown[])[] {
  // PostgreSQL parses JSON itself, and returns null for an empty list.
  const rows: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  return Array.isArray(rows) ? (rows as (readonly unknown[])[]) : [];
}
