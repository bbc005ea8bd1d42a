import { beforeEach, describe, expect, test } from 'vitest';
import type { DiskCall } from './disk-calls.ts';
import type { DiskThread } from './disk-thread.ts';
import { createDiskThreads } from './disk-threads.ts';

/** What each thread was asked and has not answered. */
let asked: [string[], string[]];
let answers: (() => void)[];
let now: number;
let threads: DiskThread;

beforeEach(() => {
  asked = [[], []];
  answers = [];
  now = 0;
  const thread = (lane: string[]): DiskThread => ({
    ask: (call) =>
      new Promise((resolve) => {
        lane.push(nameOf(call));
        answers.push(() => resolve('{}'));
      }),
    close: () => Promise.resolve(),
  });
  threads = createDiskThreads([thread(asked[0]), thread(asked[1])], () => now);
});

const nameOf = (call: DiskCall): string =>
  call.operation === 'digest' ? call.stretch.path : call.operation;

const digest = (path: string): DiskCall => ({
  operation: 'digest',
  roots: ['/'],
  stretch: { path, after: '', through: null, naming: path },
});
const stat: DiskCall = { operation: 'stat', roots: ['/'], path: '/a' };

/** Asks, and waits for the answer. */
async function settled(call: DiskCall): Promise<void> {
  const answer = threads.ask(call);
  answers.pop()?.();
  await answer;
}

describe('the threads of the disk', () => {
  test('share what is asked at once, and start none that is not needed', async () => {
    await settled(stat);
    await settled(stat);
    expect(asked).toEqual([['stat', 'stat'], []]);

    void threads.ask(stat);
    void threads.ask(stat);

    expect(asked.map(({ length }) => length)).toEqual([3, 1]);
  });

  test('keep each walk where it stands, and as many walks each', async () => {
    for (const path of ['/films', '/series', '/music', '/books', '/books', '/films', '/series'])
      await settled(digest(path));

    expect(asked).toEqual([
      ['/films', '/music', '/films'],
      ['/series', '/books', '/books', '/series'],
    ]);
  });

  test('take over a walk when those of their own have ended', async () => {
    for (const path of ['/films', '/series', '/music', '/books']) await settled(digest(path));
    now = 1000;

    for (const path of ['/films', '/music', '/films', '/music']) await settled(digest(path));

    expect(asked).toEqual([
      ['/films', '/music', '/films', '/films'],
      ['/series', '/books', '/music', '/music'],
    ]);
  });
});
