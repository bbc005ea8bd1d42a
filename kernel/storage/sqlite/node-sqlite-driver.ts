import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { SqliteConnection, SqliteDriver, SqliteResult } from './driver.ts';
import type { SqliteAnswer, SqliteQuestion, SqliteThreadData } from './sqlite-thread.ts';

/** SQLite as Node brings it, each connection in a thread of its own. */
export const nodeSqliteDriver: SqliteDriver = {
  name: 'node:sqlite',
  open: async (file, { readOnly }) => openThread({ file, readOnly }),
};

/** Beside this file, also where both are bundled. */
const script = new URL(
  import.meta.url.endsWith('.ts') ? './sqlite-thread.ts' : './sqlite-thread.mjs',
  import.meta.url,
);

interface Waiting {
  readonly resolve: (result: SqliteResult) => void;
  readonly reject: (error: Error) => void;
}

/** A thread answers in the order in which it is asked. */
function openThread(workerData: SqliteThreadData): SqliteConnection {
  // The flag of the process is room for its main thread. A thread that only reads needs less.
  setFlagsFromString('--initial-old-space-size=0');
  const worker = new Worker(script, {
    ...{ name: 'sqlite', env: {}, argv: [], execArgv: [] },
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let waiting: Waiting[] = [];
  let fault: Error | undefined;
  let isOpen = true;

  function fail(error: Error): void {
    isOpen = false;
    fault ??= error;
    const failed = waiting;
    waiting = [];
    for (const { reject } of failed) reject(fault);
  }

  worker.on('message', (answer: SqliteAnswer) => {
    const asker = waiting.shift();
    if (waiting.length === 0) worker.unref();
    if ('result' in answer) asker?.resolve(withBuffers(answer));
    else asker?.reject(Object.assign(new Error(answer.message), { code: answer.code }));
  });
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => fail(new Error('The thread of the database has ended.')));
  worker.unref();

  return {
    isOpen: () => isOpen,
    run: (sql, bindings) =>
      new Promise((resolve, reject) => {
        if (!isOpen) {
          reject(fault ?? new Error('The connection is closed.'));
          return;
        }
        if (waiting.push({ resolve, reject }) === 1) worker.ref();
        worker.postMessage({ sql, bindings } satisfies SqliteQuestion);
      }),
    close: async () => {
      isOpen = false;
      worker.ref();
      worker.postMessage('close' satisfies SqliteQuestion);
      await ended;
    },
  };
}

/** A copy between threads makes plain arrays of bytes, and the server knows buffers. */
function withBuffers({ result, byteColumns }: Extract<SqliteAnswer, { readonly result: object }>) {
  for (const column of byteColumns) {
    for (const row of result.rows as readonly Record<string, unknown>[]) {
      const bytes = row[column];
      if (bytes instanceof Uint8Array)
        row[column] = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
  }
  return result;
}
