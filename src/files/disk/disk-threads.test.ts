import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DiskCall } from './disk-calls.ts';
import type { DiskThread } from './disk-thread.ts';
import { createDiskThreads } from './disk-threads.ts';

/** The pending calls of each thread. */
let asked: [string[], string[]];
let answers: (() => void)[];
let now: number;
let threads: DiskThread;
/** How often each thread was sent to rest. */
let rests: [number, number];

beforeEach(() => {
  asked = [[], []];
  answers = [];
  now = 0;
  rests = [0, 0];
  vi.useFakeTimers();
  const thread = (lane: string[], at: 0 | 1): DiskThread => ({
    ask: (call) =>
      new Promise((resolve) => {
        lane.push(nameOf(call));
        answers.push(() => resolve('{}'));
      }),
    rest: () => void (rests[at] += 1),
    close: () => Promise.resolve(),
  });
  threads = createDiskThreads([thread(asked[0], 0), thread(asked[1], 1)], () => now);
});
afterEach(() => void vi.useRealTimers());

const nameOf = (call: DiskCall): string =>
  call.operation === 'digest' ? call.stretch.path : call.operation;

const digest = (path: string): DiskCall => ({
  operation: 'digest',
  roots: ['/'],
  libraries: [],
  stretch: { path, after: '', through: null, naming: path },
});
const stat: DiskCall = { operation: 'stat', roots: ['/'], libraries: [], path: '/a' };

/** Asks, and waits for the answer. */
async function settled(call: DiskCall): Promise<void> {
  const answer = threads.ask(call);
  answers.pop()?.();
  await answer;
}

describe('the threads of the disk', () => {
  test('share concurrent calls, and start only when needed', async () => {
    await settled(stat);
    await settled(stat);
    expect(asked).toEqual([['stat', 'stat'], []]);

    void threads.ask(stat);
    void threads.ask(stat);

    expect(asked.map(({ length }) => length)).toEqual([3, 1]);
  });

  test('keep each walk on its thread, and an equal number of walks each', async () => {
    for (const path of ['/films', '/series', '/music', '/books', '/books', '/films', '/series'])
      await settled(digest(path));

    expect(asked).toEqual([
      ['/films', '/music', '/films'],
      ['/series', '/books', '/books', '/series'],
    ]);
  });

  test('take over a walk when their own have ended', async () => {
    for (const path of ['/films', '/series', '/music', '/books']) await settled(digest(path));
    now = 1000;

    for (const path of ['/films', '/music', '/films', '/music']) await settled(digest(path));

    expect(asked).toEqual([
      ['/films', '/music', '/films', '/films'],
      ['/series', '/books', '/music', '/music'],
    ]);
  });

  test('stop when their walks are over and no call is pending', async () => {
    await settled(stat);
    vi.advanceTimersByTime(60_000);
    expect(rests).toEqual([0, 0]);

    await settled(digest('/films'));
    vi.advanceTimersByTime(1000);
    await settled(digest('/films'));
    const reading = threads.ask(stat);
    vi.advanceTimersByTime(31_000);
    expect(rests).toEqual([0, 0]);

    answers.pop()?.();
    await reading;
    vi.advanceTimersByTime(30_000);
    expect(rests).toEqual([1, 0]);
  });
});
