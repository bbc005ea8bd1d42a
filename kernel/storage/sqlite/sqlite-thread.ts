/** The thread of one connection to SQLite. It runs the statements that it is sent, in their order. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { OpenMode, SqliteResult, SqliteValue } from './driver.ts';
import { resultNameOf } from './result-names.ts';
import { StatementCache, statementsPerConnection, withOnePlan } from './statement-cache.ts';

/** What the thread is started with. */
export interface SqliteThreadData extends OpenMode {
  readonly file: string;
}

/** A statement and the values for its parameters, or the end of the connection. */
export type SqliteQuestion =
  { readonly sql: string; readonly bindings: readonly SqliteValue[] } | 'close';

/** The result of a statement, with the columns that hold bytes; or why it failed. */
export type SqliteAnswer =
  | { readonly result: SqliteResult; readonly byteColumns: readonly string[] }
  | { readonly message: string; readonly code: string };

type Row = Readonly<Record<string, unknown>>;

const { file, readOnly } = workerData as SqliteThreadData;
let database: DatabaseSync | undefined;
const cache = new StatementCache<StatementSync>(statementsPerConnection, () => undefined);

/** The file is opened by the first statement, which so tells why it cannot be. */
function prepare(sql: string): StatementSync {
  const cached = cache.find(sql);
  if (cached !== undefined) return cached;
  database ??= new DatabaseSync(file, { readOnly, enableForeignKeyConstraints: false });
  const statement = database.prepare(withOnePlan(sql));
  cache.add(sql, statement);
  return statement;
}

function execute(statement: StatementSync, bindings: readonly SqliteValue[]): SqliteResult {
  if (statement.columns().length > 0)
    return { rows: statement.all(...bindings), changes: 0, lastRowId: 0 };
  const { changes, lastInsertRowid } = statement.run(...bindings);
  return { rows: [], changes: Number(changes), lastRowId: Number(lastInsertRowid) };
}

function byteColumnsOf(rows: readonly unknown[]): readonly string[] {
  const columns = new Set<string>();
  for (const row of rows as readonly Row[]) {
    for (const column in row) if (row[column] instanceof Uint8Array) columns.add(column);
  }
  return [...columns];
}

function answerTo(sql: string, bindings: readonly SqliteValue[]): SqliteAnswer {
  try {
    const result = execute(prepare(sql), bindings);
    return { result, byteColumns: byteColumnsOf(result.rows) };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error), code: codeOf(error) };
  }
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('errcode' in error) return resultNameOf(Number(error.errcode));
  return 'code' in error ? String(error.code) : '';
}

parentPort?.on('message', (question: SqliteQuestion) => {
  if (question === 'close') {
    cache.clear();
    database?.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(answerTo(question.sql, question.bindings));
});
