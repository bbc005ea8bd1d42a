import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { KernelError, type Log } from '../../kernel/index.ts';
import type { BarredPlace } from './confinement.ts';
import type { DiskCall } from './disk-calls.ts';
import type { DiskAnswer, DiskQuestion, DiskWorkerData } from './disk-worker.ts';

/** The thread that makes the system calls. */
export interface DiskThread {
  /** JSON text, or bytes for `read` and `ranges`. Rejects with a `KernelError`. */
  readonly ask: (call: DiskCall) => Promise<string | Uint8Array>;
  /**
   * Ends the thread, which gives all of its memory back; the next question starts it anew. It does
   * nothing while somebody waits.
   */
  readonly rest: () => void;
  readonly close: () => Promise<void>;
}

/** What a disk thread needs. */
export interface DiskThreadOptions {
  /** `disk-worker.ts`, or the file that it was bundled to. */
  readonly workerScript: string | URL;
  /** Plain paths at which nothing is ever granted. */
  readonly barred?: readonly BarredPlace[];
  readonly log: Log;
}

interface Waiting {
  readonly resolve: (body: string | Uint8Array) => void;
  readonly reject: (error: KernelError) => void;
}

/**
 * Creates the thread; it starts with the first question, and again after it died. Questions are
 * answered one after the other; a thread that dies fails those that wait, and only those.
 */
export function createDiskThread({
  workerScript,
  barred = [],
  log,
}: DiskThreadOptions): DiskThread {
  const workerData: DiskWorkerData = { barred };
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let lastId = 0;
  let isClosed = false;

  function start(): Worker {
    // What the process was started with is room for its main thread; a thread that reads needs none of it.
    setFlagsFromString('--initial-old-space-size=0');
    const started = new Worker(workerScript, { name: 'disk', env: {}, argv: [], workerData });
    started.unref();
    started.on('message', (answer: DiskAnswer) => settle(answer));
    started.on('error', (error: unknown) => log.error({ err: error }, 'The disk thread failed.'));
    started.on('exit', () => {
      if (worker === started) forget();
    });
    return started;
  }

  function forget(): void {
    worker = null;
    for (const { reject } of waiting.values()) reject(unavailable());
    waiting.clear();
  }

  function settle(answer: DiskAnswer): void {
    const asker = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.ok) asker?.resolve(answer.body);
    else asker?.reject(new KernelError(answer.code, answer.what));
  }

  return {
    ask(call) {
      if (isClosed) return Promise.reject(unavailable());
      return new Promise((resolve, reject) => {
        worker ??= start();
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        worker.postMessage({ id: lastId, call } satisfies DiskQuestion);
      });
    },
    rest() {
      if (waiting.size > 0) return;
      void worker?.terminate();
      worker = null;
    },
    async close() {
      isClosed = true;
      await worker?.terminate();
      forget();
    },
  };
}

const unavailable = (): KernelError => new KernelError('service_unavailable', 'The disk');
