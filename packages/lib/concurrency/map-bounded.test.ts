import { expect, test } from 'vitest';
import { mapBounded } from './map-bounded.ts';

test('so many run at a time, and the results are in the order of the items', async () => {
  const gates = [1, 2, 3].map(() => Promise.withResolvers<null>());
  const started: number[] = [];

  const all = mapBounded([0, 1, 2], 2, async (item) => {
    started.push(item);
    await gates[item]?.promise;
    return item * 10;
  });
  expect(started).toEqual([0, 1]);
  for (const { resolve } of gates.toReversed()) resolve(null);

  await expect(all).resolves.toEqual([0, 10, 20]);
});

test('a failure is that of the whole', async () => {
  const fails = (item: number) =>
    item === 1 ? Promise.reject(new Error('no')) : Promise.resolve();

  await expect(mapBounded([0, 1, 2], 2, fails)).rejects.toThrow('no');
});
