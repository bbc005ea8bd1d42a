/**
 * A thread of the disk's own: system calls that wait are four times cheaper than asynchronous ones, and
 * here nobody waits for them but who asked. It is started by `disk-thread.ts` alone.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { BarredPlace } from './confinement.ts';
import { createDiskCalls, type DiskCall } from './disk-calls.ts';
import { DiskFault } from './disk-fault.ts';

/** A question and the number that its answer carries. */
export interface DiskQuestion {
  readonly id: number;
  readonly call: DiskCall;
}

/** The answer. */
export type DiskAnswer =
  | { readonly id: number; readonly ok: true; readonly body: string | Uint8Array }
  | {
      readonly id: number;
      readonly ok: false;
      readonly code: DiskFault['code'];
      readonly what: string;
    };

/** What the thread is started with. */
export interface DiskWorkerData {
  /** Plain paths at which nothing is ever granted. */
  readonly barred: readonly BarredPlace[];
}

const answerDiskCall = createDiskCalls((workerData as DiskWorkerData).barred);

parentPort?.on('message', ({ id, call }: DiskQuestion) => {
  try {
    const body = answerDiskCall(call);
    const transfer = typeof body === 'string' ? [] : [body.buffer];
    parentPort?.postMessage({ id, ok: true, body } satisfies DiskAnswer, transfer);
  } catch (error) {
    const { code, what } =
      error instanceof DiskFault ? error : new DiskFault('unreadable', 'The path');
    parentPort?.postMessage({ id, ok: false, code, what } satisfies DiskAnswer);
  }
});
