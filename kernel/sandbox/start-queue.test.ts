import { describe, expect, test } from 'vitest';
import { createStartQueue } from './start-queue.ts';

const never = { longestMs: 60_000, patienceMs: 60_000 };
const settled = (): Promise<void> => new Promise(setImmediate);

describe('the turns of starts', () => {
  test('come one after the other', async () => {
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

  test('are held up for a moment, and no longer, by a start that takes long', async () => {
    const turns = createStartQueue({ ...never, longestMs: 1 });
    await turns.take();

    await expect(turns.take()).resolves.toBeTypeOf('function');
  });

  test('are not waited for beyond all patience', async () => {
    const turns = createStartQueue({ ...never, patienceMs: 1 });
    await turns.take();

    await expect(turns.take()).resolves.toBeTypeOf('function');
  });
});
