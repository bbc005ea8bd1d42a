/**
 * What a restored database takes over from the one that it replaces. A backup does not know what was
 * revoked since it was made; without this, each restore would undo those revocations. Each part
 * states as data what is taken over for its tables. Columns may differ, since either database may be
 * of an older version.
 */
import type { Knex } from 'knex';

export type CarriedRow = Readonly<Record<string, unknown>>;

/** The two databases. */
export interface CarryParts {
  /** The replaced database; it is only read. */
  readonly replaced: Knex;
  /** The restored database. */
  readonly trx: Knex.Transaction;
  /**
   * Whether the replaced database once had this row of the restored one. If it is missing there now,
   * it has been removed since. Never true for databases without a common history.
   */
  readonly wasThere: (row: CarriedRow) => boolean;
}

/** One rule of what is taken over. */
export interface CarryOver {
  /** A heading for an admin before the names: `API keys that were removed`. */
  readonly label: string;
  /** Also applies to databases without a common history. */
  readonly isAlways?: boolean;
  /** Returns the names of what it changed. */
  readonly carry: (parts: CarryParts) => Promise<readonly string[]>;
}

/** The rule of one table. */
export interface CarriedTable {
  readonly label: string;
  readonly table: string;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** For a row that the replaced database has lost: it is removed, or these columns are written. */
  readonly gone?: 'removed' | CarriedRow;
  /** The columns to write to a row that both databases have; none = no write. */
  readonly kept?: (own: CarriedRow, replaced: CarriedRow) => CarriedRow;
  /** Adds rows that only the replaced database has, if `column` is an id in table `in`. */
  readonly added?: 'always' | { readonly column: string; readonly in: string };
  /** The display name of a row; its key when absent. */
  readonly nameOf?: (row: CarriedRow) => string;
}

/** A rule that removes every row. */
export const emptiedTable = (label: string, table: string): CarryOver => ({
  label,
  isAlways: true,
  carry: async ({ trx }) => {
    if (!(await trx.schema.hasTable(table))) return [];
    const count = await trx(table).delete();
    return count === 0 ? [] : [String(count)];
  },
});

/** The rule of one table. */
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

/** Returns whether anything was written. */
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
