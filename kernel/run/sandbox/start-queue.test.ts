import { describe, expect, test } from 'vitest';
import { createStartQueue } from './start-queue.ts';

const never = { longestMs: 60_000, patienceMs: 60_000 };
const settled = (): Promise<void> => new Promise(setImmediate);

describe('the queue of starts', () => {
  test('runs them one at a time', async () => {
    const turns = createStartQueue(never);
    const began: string[] = [];
    const end = await turns.take();
    const second = turns.take().then((over) => {
      began.push('second');
      over();
    });
    const third = turns.take().then(() => began.push('third'));

    await settled();
    expect(began).toEqual([]);
    end();
    await Promise.all([second, third]);

    expect(began).toEqual(['second', 'third']);
  });

  test('delays a start only for a moment behind a slow one', async () => {
    const turns = createStartQueue({ ...never, longestMs: 1 });
    await turns.take();

    await expect(turns.take()).resolves.toBeTypeOf('function');
  });

  test('limits the wait for a start', async () => {
    const turns = createStartQueue({ ...never, patienceMs: 1 });
    await turns.take();

    await expect(turns.take()).resolves.toBeTypeOf('function');
  });
});
