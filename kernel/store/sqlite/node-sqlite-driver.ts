import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { SqliteConnection, SqliteDriver, SqliteResult, SqliteValue } from './driver.ts';
import { threadEnded } from './sqlite-errors.ts';
import type { SqliteAnswer, SqliteQuestion, SqliteThreadData } from './sqlite-thread.ts';

/** The SQLite of Node. Each connection has a thread of its own. */
export const nodeSqliteDriver: SqliteDriver = {
  name: 'node:sqlite',
  sharesReader: true,
  open: async (file, { readOnly }) => openThread({ file, readOnly }),
};

/** It stands beside this file, in the sources and in the bundle. */
const script = new URL(
  import.meta.url.endsWith('.ts') ? './sqlite-thread.ts' : './sqlite-thread.mjs',
  import.meta.url,
);

interface Waiting {
  readonly resolve: (result: SqliteResult) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread answers in the order in which it is asked. When it ends by itself, all statements that
 * wait fail, SQLite rolls back what was not committed, and the pool opens another connection.
 */
function openThread(workerData: SqliteThreadData): SqliteConnection {
  // The process sets this flag for its main thread; a thread for statements needs less.
  setFlagsFromString('--initial-old-space-size=0');
  const worker = new Worker(script, {
    name: 'sqlite',
    env: {},
    argv: [],
    execArgv: [],
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 256 },
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let waiting: Waiting[] = [];
  let fault: Error | undefined;
  let isOpen = true;

  function fail(cause?: unknown): void {
    isOpen = false;
    const ending = new Error('The thread of the connection has ended.', { cause });
    fault ??= Object.assign(ending, { code: threadEnded });
    const failed = waiting;
    waiting = [];
    for (const { reject } of failed) reject(fault);
  }

  worker.on('message', (answer: SqliteAnswer) => {
    const asker = waiting.shift();
    if (waiting.length === 0) worker.unref();
    if ('message' in answer)
      asker?.reject(Object.assign(new Error(answer.message), { code: answer.code }));
    else asker?.resolve(resultOf(answer));
  });
  worker.on('error', fail);
  worker.on('messageerror', (error) => {
    fail(error);
    void worker.terminate();
  });
  worker.on('exit', () => fail());
  worker.unref();

  return {
    isOpen: () => isOpen,
    run: (sql, bindings) =>
      new Promise((resolve, reject) => {
        if (!isOpen) {
          reject(fault ?? new Error('The connection is closed.'));
          return;
        }
        const { values, buffers } = ownBytes(bindings);
        worker.postMessage({ sql, bindings: values } satisfies SqliteQuestion, buffers);
        if (waiting.push({ resolve, reject }) === 1) worker.ref();
      }),
    close: async () => {
      isOpen = false;
      worker.ref();
      worker.postMessage('close' satisfies SqliteQuestion);
      await ended;
    },
  };
}

/** Bytes get a buffer of their own, which moves to the thread: a view would be copied with all of its buffer. */
function ownBytes(bindings: readonly SqliteValue[]): {
  readonly values: readonly SqliteValue[];
  readonly buffers: ArrayBuffer[];
} {
  const buffers: ArrayBuffer[] = [];
  if (!bindings.some((value) => value instanceof Uint8Array)) return { values: bindings, buffers };
  const values = bindings.map((value) => {
    if (!(value instanceof Uint8Array)) return value;
    const own = new Uint8Array(value);
    buffers.push(own.buffer);
    return own;
  });
  return { values, buffers };
}

function resultOf(answer: Exclude<SqliteAnswer, { readonly message: string }>): SqliteResult {
  if ('changes' in answer) return { rows: [], ...answer };
  const { names } = answer;
  return { rows: answer.rows.map((values) => rowOf(names, values)), changes: 0, lastRowId: 0 };
}

/** A copy between threads makes plain arrays of bytes, and the server knows buffers. */
function rowOf(names: readonly string[], values: readonly SqliteValue[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at += 1) {
    const value = values[at];
    row[names[at] ?? ''] =
      value instanceof Uint8Array
        ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
        : value;
  }
  return row;
}
