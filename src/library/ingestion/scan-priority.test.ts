import { expect, test } from 'vitest';
import { createScanPriority } from './scan-priority.ts';

/** A clock that advances whenever a timer is set. */
function runningClock() {
  let time = 0;
  return {
    now: () => time,
    after: (ms: number, run: () => void) => {
      time += ms;
      queueMicrotask(run);
      return () => undefined;
    },
  };
}

const { signal } = new AbortController();

test('an ingest waits while a scan takes its steps, and continues when it ended', async () => {
  const clock = runningClock();
  const names = createScanPriority(clock);
  names.noteScanStep('a');

  expect(await names.waitForScans(1000, signal)).toBe(false);
  names.scanEnds('a');
  expect(await names.waitForScans(2000, signal)).toBe(true);
});

test('a very long scan does not hold up ingests', async () => {
  const clock = runningClock();
  const names = createScanPriority(clock);
  names.noteScanStep('a');
  while (clock.now() < 28_000) {
    expect(await names.waitForScans(clock.now() + 1000, signal)).toBe(false);
    names.noteScanStep('a');
  }

  expect(await names.waitForScans(clock.now() + 3000, signal)).toBe(true);
});

test('a scan that was lost does not hold up ingests for long', async () => {
  const clock = runningClock();
  const names = createScanPriority(clock);
  names.noteScanStep('a');

  expect(await names.waitForScans(20_000, signal)).toBe(true);
  expect(clock.now()).toBeLessThan(6000);
});

test('an aborted ingest does not wait', async () => {
  const names = createScanPriority(runningClock());
  names.noteScanStep('a');

  expect(await names.waitForScans(Infinity, AbortSignal.abort())).toBe(false);
});
