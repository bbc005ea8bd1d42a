/** The thread of one connection to SQLite. It runs the statements that it is sent, in their order. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { OpenMode, SqliteValue } from './driver.ts';
import { resultNameOf } from './result-names.ts';
import { StatementCache, statementsPerConnection, withOnePlan } from './statement-cache.ts';

/** What the thread is started with. */
export interface SqliteThreadData extends OpenMode {
  readonly file: string;
}

/** A statement and the values for its parameters, or the end of the connection. */
export type SqliteQuestion =
  | { readonly sql: string; readonly bindings: readonly SqliteValue[] }
  | 'close';

/**
 * The rows of a statement, the changes of a statement without rows, or why it failed. Rows are lists
 * of values: their objects would be copied with the names of all columns in each.
 */
export type SqliteAnswer =
  | { readonly names: readonly string[]; readonly rows: readonly (readonly SqliteValue[])[] }
  | { readonly changes: number; readonly lastRowId: number }
  | { readonly message: string; readonly code: string };

interface Prepared {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
  /** `null` = a star, whose columns follow the table. */
  readonly names: readonly string[] | null;
  /** Whether it can run twice. */
  readonly isRead: boolean;
  readsBigInts: boolean;
}

const { file, readOnly } = workerData as SqliteThreadData;
let database: DatabaseSync | undefined;
const cache = new StatementCache<Prepared>(statementsPerConnection, () => undefined);

const namesOf = (statement: StatementSync): readonly string[] =>
  statement.columns().map(({ name }) => name);

/** The first statement opens the file, so it reports why the file cannot be opened. */
function prepare(sql: string): Prepared {
  const cached = cache.find(sql);
  if (cached !== undefined) return cached;
  database ??= new DatabaseSync(file, { readOnly, enableForeignKeyConstraints: false });
  const statement = database.prepare(withOnePlan(sql));
  const names = namesOf(statement);
  const isRead = readOnly || /^\s*select\b/i.test(sql);
  const hasRows = names.length > 0;
  if (hasRows) statement.setReturnArrays(true);
  if (!isRead) statement.setReadBigInts(true);
  const prepared = {
    statement,
    hasRows,
    isRead,
    readsBigInts: !isRead,
    names: sql.includes('*') ? null : names,
  };
  cache.add(sql, prepared);
  return prepared;
}

/** node:sqlite binds every number as a float: a text column would store 1 as `1.0`. */
const toInput = (value: SqliteValue): SQLInputValue =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;

/**
 * Integers beyond 2^53 become the nearest numbers. node:sqlite refuses them unless the statement
 * reads all integers as bigints, which costs time; so a read does this from its first such value on.
 */
function readAll(prepared: Prepared, inputs: readonly SQLInputValue[]): SqliteValue[][] {
  const { statement, isRead } = prepared;
  if (!prepared.readsBigInts) {
    try {
      return statement.all(...inputs) as unknown as SqliteValue[][];
    } catch (error) {
      if (!isRead || codeOf(error) !== 'ERR_OUT_OF_RANGE') throw error;
      statement.setReadBigInts(true);
      prepared.readsBigInts = true;
    }
  }
  const rows = statement.all(...inputs) as unknown as (SqliteValue | bigint)[][];
  return rows.map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)));
}

function answerTo(sql: string, bindings: readonly SqliteValue[]): SqliteAnswer {
  try {
    const prepared = prepare(sql);
    const inputs = bindings.map(toInput);
    if (prepared.hasRows) {
      const rows = readAll(prepared, inputs);
      return { names: prepared.names ?? namesOf(prepared.statement), rows };
    }
    const { changes, lastInsertRowid } = prepared.statement.run(...inputs);
    return { changes: Number(changes), lastRowId: Number(lastInsertRowid) };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error), code: codeOf(error) };
  }
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('errcode' in error) return resultNameOf(Number(error.errcode));
  return 'code' in error ? String(error.code) : '';
}

/** From here on, moving the bytes to the other thread is faster than copying them. */
const movedBytes = 64 * 1024;

function largeBuffers(rows: readonly (readonly SqliteValue[])[]): ArrayBuffer[] {
  const large: ArrayBuffer[] = [];
  for (const row of rows) {
    for (const value of row) {
      if (!(value instanceof Uint8Array) || value.byteLength < movedBytes) continue;
      if (value.buffer instanceof ArrayBuffer) large.push(value.buffer);
    }
  }
  return large;
}

parentPort?.on('message', (question: SqliteQuestion) => {
  if (question === 'close') {
    cache.clear();
    database?.close();
    parentPort?.close();
    return;
  }
  const answer = answerTo(question.sql, question.bindings);
  parentPort?.postMessage(answer, 'rows' in answer ? largeBuffers(answer.rows) : []);
});
