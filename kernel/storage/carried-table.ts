/**
 * What a database keeps of the one in whose place it is put. A backup knows nothing of what was taken
 * back since it was made; without this, each restore would give it back. A part says for each of its
 * tables what counts, as data; the tables may differ in their columns, since either database may be of
 * an older version.
 */
import type { Knex } from 'knex';

/** A row as the database gives it. */
export type CarriedRow = Readonly<Record<string, unknown>>;

/** Both databases. */
export interface CarryParts {
  /** The one that is replaced; it is only read. */
  readonly replaced: Knex;
  /** The one that takes its place. */
  readonly trx: Knex.Transaction;
  /**
   * Whether the replaced database once had this row of the other one: it has since been removed there
   * when it is not there now. Without a common past it is never true.
   */
  readonly wasThere: (row: CarriedRow) => boolean;
}

/** One thing that is carried over. */
export interface CarryOver {
  /** What an admin reads before the names: `API keys that were removed`. */
  readonly label: string;
  /** Also where the two databases have no common past. */
  readonly isAlways?: boolean;
  /** Gives the names of what it changed. */
  readonly carry: (parts: CarryParts) => Promise<readonly string[]>;
}

/** What counts in one table. */
export interface CarriedTable {
  readonly label: string;
  readonly table: string;
  /** The columns that tell its rows apart. */
  readonly key: readonly string[];
  /** For a row that the replaced database had once: it goes, or this is written over it. */
  readonly gone?: 'removed' | CarriedRow;
  /** What is written over a row that both have; without any column nothing is. */
  readonly kept?: (own: CarriedRow, replaced: CarriedRow) => CarriedRow;
  /** Rows that the replaced database alone has are added, where `column` is an id in table `in`. */
  readonly added?: 'always' | { readonly column: string; readonly in: string };
  /** How a row is named; its key when absent. */
  readonly nameOf?: (row: CarriedRow) => string;
}

/** Removes every row. */
export const emptiedTable = (label: string, table: string): CarryOver => ({
  label,
  isAlways: true,
  carry: async ({ trx }) => {
    if (!(await trx.schema.hasTable(table))) return [];
    const count = await trx(table).delete();
    return count === 0 ? [] : [String(count)];
  },
});

/** Carries what counts in one table. */
export const carriedTable = (rule: CarriedTable): CarryOver => ({
  label: rule.label,
  carry: async (parts) => {
    const { replaced, trx } = parts;
    const { table } = rule;
    if (!(await replaced.schema.hasTable(table)) || !(await trx.schema.hasTable(table))) return [];
    const theirs = new Map(
      (await replaced<CarriedRow>(table).select()).map((row) => [keyOf(rule, row), row]),
    );
    const own = new Map(
      (await trx<CarriedRow>(table).select()).map((row) => [keyOf(rule, row), row]),
    );
    const columns = new Set(Object.keys(await trx(table).columnInfo()));
    const changed: string[] = [];
    for (const [key, row] of own)
      if (await carryRow(rule, parts, { row, replaced: theirs.get(key), columns }))
        changed.push(nameIn(rule, row));
    for (const [key, row] of theirs)
      if (!own.has(key) && (await addRow(rule, parts, { row, columns })))
        changed.push(nameIn(rule, row));
    return changed;
  },
});

const keyOf = ({ key }: CarriedTable, row: CarriedRow): string =>
  JSON.stringify(key.map((column) => row[column]));

const nameIn = ({ key, nameOf }: CarriedTable, row: CarriedRow): string =>
  nameOf?.(row) ?? key.map((column) => String(row[column])).join(' ');

interface Met {
  readonly row: CarriedRow;
  readonly replaced: CarriedRow | undefined;
  readonly columns: ReadonlySet<string>;
}

/** Whether anything was written. */
async function carryRow(
  rule: CarriedTable,
  { trx, wasThere }: CarryParts,
  { row, replaced, columns }: Met,
): Promise<boolean> {
  const rows = trx(rule.table).where(Object.fromEntries(rule.key.map((name) => [name, row[name]])));
  if (replaced === undefined && (rule.gone === undefined || !wasThere(row))) return false;
  if (replaced === undefined && rule.gone === 'removed') return (await rows.delete()) > 0;
  const wanted = replaced === undefined ? rule.gone : rule.kept?.(row, replaced);
  const changes = Object.entries(wanted ?? {}).filter(
    ([name, value]) => columns.has(name) && value !== row[name],
  );
  if (changes.length === 0) return false;
  await rows.update(Object.fromEntries(changes));
  return true;
}

async function addRow(
  { table, added }: CarriedTable,
  { trx }: CarryParts,
  { row, columns }: Pick<Met, 'row' | 'columns'>,
): Promise<boolean> {
  if (added === undefined) return false;
  if (added !== 'always') {
    const owner: unknown = await trx(added.in).where({ id: row[added.column] }).first('id');
    if (owner === undefined) return false;
  }
  await trx(table).insert(
    Object.fromEntries(Object.entries(row).filter(([name]) => columns.has(name))),
  );
  return true;
}
