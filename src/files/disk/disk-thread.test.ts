import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtDiskWorker } from '../../../test/support/run/disk-worker.ts';
import { silentLog } from '../../../kernel/index.ts';
import type { DiskCall } from './disk-calls.ts';
import { createDiskThread, type DiskThread } from './disk-thread.ts';

let thread: DiskThread;
let started: number;

const count = (): void => void (started += 1);
const stat: DiskCall = { operation: 'stat', roots: ['/'], libraries: [], path: '/' };

beforeEach(() => {
  started = 0;
  subscribe('worker_threads', count);
  const workerScript = builtDiskWorker;
  thread = createDiskThread({ workerScript, log: silentLog });
});
afterEach(async () => {
  unsubscribe('worker_threads', count);
  await thread.close();
});

test('a stopped disk thread starts again with the next call', async () => {
  const before = await thread.ask(stat);
  thread.rest();
  thread.rest();

  expect(await thread.ask(stat)).toBe(before);
  expect(started).toBe(2);
});

test('a disk thread does not stop while a call is pending', async () => {
  const waiting = thread.ask(stat);
  thread.rest();

  expect(await waiting).toContain('folder');
  await thread.ask(stat);
  expect(started).toBe(1);
});
