/** What the machine allows: the same work with nothing around it. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { toBound } from '../../../kernel/store/bound-value.ts';
import { nodeSqliteDriver } from '../../../kernel/store/sqlite/node-sqlite-driver.ts';

/** Seconds of a recursive walk with a stat of every file, synchronous, in one thread. */
export function bareWalkSeconds(folder: string): number {
  const start = performance.now();
  let files = 0;
  const visit = (current: string): void => {
    for (const entry of readdirSync(current, { withFileTypes: true })) {
      const name = path.join(current, entry.name);
      if (entry.isDirectory()) visit(name);
      else {
        files += statSync(name).isFile() ? 1 : 0;
      }
    }
  };
  visit(folder);
  if (files === 0) throw new Error(`${folder} holds no file`);
  return (performance.now() - start) / 1000;
}

type Row = Readonly<Record<string, unknown>>;

/** One connection of the driver, with promises. */
export interface BareDatabase {
  readonly run: (sql: string, values?: readonly unknown[]) => Promise<void>;
  readonly all: (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
  readonly close: () => Promise<void>;
}

/** Opens a database with the settings of the server and nothing else. */
export async function openBare(file: string): Promise<BareDatabase> {
  const connection = await nodeSqliteDriver.open(file, { readOnly: false });
  const all = async (sql: string, values: readonly unknown[] = []) => {
    const { rows } = await connection.run(sql, values.map(toBound), 'rows');
    return rows as readonly Row[];
  };
  const bare: BareDatabase = {
    all,
    run: async (sql, values) => {
      await all(sql, values);
    },
    close: connection.close,
  };
  await bare.run('pragma journal_mode = wal');
  await bare.run('pragma synchronous = normal');
  return bare;
}

const chunkRows = 100;

/** Seconds to insert the rows of these tables of a database into an empty one, in one transaction. */
export async function bareInsertSeconds(
  source: string,
  tables: readonly string[],
  target: string,
): Promise<number> {
  for (const suffix of ['', '-wal', '-shm']) rmSync(target + suffix, { force: true });
  const from = await openBare(source);
  const into = await openBare(target);
  const rows = new Map<string, readonly Row[]>();
  for (const table of tables) {
    rows.set(table, await from.all(`select * from ${table}`));
    const [definition] = await from.all(
      `select sql from sqlite_master where type = 'table' and name = ?`,
      [table],
    );
    await into.run(String(definition?.['sql']));
  }
  const start = performance.now();
  await into.run('begin');
  for (const [table, all] of rows) await insertAll(into, table, all);
  await into.run('commit');
  const seconds = (performance.now() - start) / 1000;
  await from.close();
  await into.close();
  return seconds;
}

async function insertAll(into: BareDatabase, table: string, rows: readonly Row[]): Promise<void> {
  for (let at = 0; at < rows.length; at += chunkRows) {
    const chunk = rows.slice(at, at + chunkRows);
    const columns = Object.keys(chunk[0] ?? {});
    const one = `(${columns.map(() => '?').join(',')})`;
    const names = columns.map((name) => `"${name}"`).join(',');
    await into.run(
      `insert into ${table} (${names}) values ${chunk.map(() => one).join(',')}`,
      chunk.flatMap((row) => columns.map((name) => row[name])),
    );
  }
}
