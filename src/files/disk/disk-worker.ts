/**
 * The worker thread of the disk. Synchronous system calls are cheaper than asynchronous ones and
 * block only this thread. Only `disk-thread.ts` starts it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { BarredPlace } from './confinement.ts';
import { createDiskCalls, type DiskCall } from './disk-calls.ts';
import { DiskFault } from './disk-fault.ts';

/** A call with its number, which the answer repeats. */
export interface DiskQuestion {
  readonly id: number;
  readonly call: DiskCall;
}

export type DiskAnswer =
  | { readonly id: number; readonly ok: true; readonly body: string | Uint8Array }
  | {
      readonly id: number;
      readonly ok: false;
      readonly code: DiskFault['code'];
      readonly what: string;
    };

/** The start parameters. */
export interface DiskWorkerData {
  /** Plain paths to which access is never granted. */
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
