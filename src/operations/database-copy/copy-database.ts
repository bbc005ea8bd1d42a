/**
 * Copies all rows of a file of SQLite into an empty database of PostgreSQL, in one transaction: all
 * or nothing. The words of search stay behind, since each kind of database has them in its own form;
 * search plugins make them again by themselves. Counts and the rules between the tables, the audit
 * chain among them, are checked before the copy counts.
 */
import type { Database, Queries, Transaction } from '../../../kernel/store/index.ts';
import { AppError } from '../../platform/errors.ts';
import { checkIntegrity } from '../integrity/index.ts';
import * as store from './copy-store.ts';

/** What was copied. */
export interface CopiedRows {
  readonly tables: number;
  readonly rows: number;
}

const left: ReadonlySet<string> = new Set([
  'schema_migrations',
  'text_indexes',
  'text_index_labels',
]);
/** A database with a row in one of these is somebody's. */
const telling = ['users', 'libraries', 'api_keys', 'audit_entries'];
const atOnce = 1000;

/** Copies them; rejects with `invalid_request` when they cannot be copied, and changes nothing. */
export function copyDatabaseRows(from: Queries, to: Database): Promise<CopiedRows> {
  return to.write(async (trx) => {
    for (const table of telling)
      if ((await store.countRows(trx, table)) > 0)
        throw refusal(`The database of --to is not empty: it has rows in ${table}.`);
    const there = await store.columnsOfServer(trx);
    const tables = (await store.tablesOfFile(from)).filter(
      (table) => there.has(table) && !left.has(table),
    );
    let rows = 0;
    for (const table of tables) rows += await copyTable(from, { to, trx, table, there });
    const faults = await checkIntegrity(trx);
    const [first] = faults;
    if (first) throw refusal(`The copy is not whole, and was taken back: ${first.message}`);
    return { tables: tables.length, rows };
  });
}

async function copyTable(
  from: Queries,
  {
    to,
    trx,
    table,
    there,
  }: {
    readonly to: Database;
    readonly trx: Transaction;
    readonly table: string;
    readonly there: ReadonlyMap<string, ReadonlySet<string>>;
  },
): Promise<number> {
  await store.setTriggers(trx, table, 'disable');
  await store.emptyTable(trx, table);
  let copied = 0;
  for (let place = -1; ;) {
    const found = await store.rowsAfter(from, table, { place, limit: atOnce });
    const last = found.at(-1);
    if (last === undefined) break;
    place = last.placed_at;
    copied += found.length;
    await to.insertRows(
      trx,
      table,
      found.map((row) => rowFor(row, there.get(table), table)),
    );
  }
  const [before, after] = [await store.countRows(from, table), await store.countRows(trx, table)];
  if (before !== after || after !== copied)
    throw refusal(`${table} has ${before} rows, and ${after} arrived: stop the server first.`);
  await store.continueNumbers(trx, table);
  await store.setTriggers(trx, table, 'enable');
  return copied;
}

function rowFor(
  { placed_at: _, ...row }: store.PlacedRow,
  columns: ReadonlySet<string> | undefined,
  table: string,
): Readonly<Record<string, unknown>> {
  const strange = Object.keys(row).find((column) => columns?.has(column) !== true);
  if (strange !== undefined)
    throw refusal(`${table}.${strange} is not known to PostgreSQL: upgrade the server first.`);
  return row;
}

const refusal = (what: string): AppError => new AppError('invalid_request', { what });
