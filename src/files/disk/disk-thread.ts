import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { KernelError, type Log } from '../../../kernel/index.ts';
import type { BarredPlace } from './confinement.ts';
import type { DiskCall } from './disk-calls.ts';
import type { DiskAnswer, DiskQuestion, DiskWorkerData } from './disk-worker.ts';

/** A worker thread for system calls. */
export interface DiskThread {
  /** JSON text, or bytes for `read` and `ranges`. Rejects with a `KernelError`. */
  readonly ask: (call: DiskCall) => Promise<string | Uint8Array>;
  /**
   * Stops the thread to free its memory; the next call starts it again. It does nothing while a
   * call is pending.
   */
  readonly rest: () => void;
  readonly close: () => Promise<void>;
}

export interface DiskThreadOptions {
  /** `disk-worker.ts`, or the file that it was bundled to. */
  readonly workerScript: string | URL;
  /** Plain paths to which access is never granted. */
  readonly barred?: readonly BarredPlace[];
  readonly log: Log;
}

interface Waiting {
  readonly resolve: (body: string | Uint8Array) => void;
  readonly reject: (error: KernelError) => void;
}

/**
 * Creates the thread. It starts with the first call, and again after a crash. Calls are answered
 * one after the other; a crash fails only the pending calls.
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
    // The heap settings of the process are for its main thread; this thread needs less.
    setFlagsFromString('--initial-old-space-size=0');
    const started = new Worker(workerScript, { name: 'disk', env: {}, argv: [], workerData });
    started.unref();
    started.on('message', (answer: DiskAnswer) => settle(answer));
    started.on('error', (error: unknown) => log.error({ err: error }, 'A disk thread failed.'));
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
