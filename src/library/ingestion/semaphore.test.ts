import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('a limited number run at a time, the others in the order in which they came', async () => {
  const semaphore = createSemaphore(2);
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<null>());
  const started: number[] = [];

  const all = gates.map(({ promise }, index) =>
    semaphore.run(() => {
      started.push(index);
      return promise;
    }),
  );
  await turn();
  expect(started).toEqual([0, 1]);

  gates[1]?.resolve(null);
  await turn();
  expect(started).toEqual([0, 1, 2]);

  for (const { resolve } of gates) resolve(null);
  await Promise.all(all);
  expect(started).toEqual([0, 1, 2, 3]);
});

test('a failure passes its slot to the next', async () => {
  const semaphore = createSemaphore(1);

  const failed = semaphore.run(() => Promise.reject(new Error('no')));

  await expect(failed).rejects.toThrow('no');
  await expect(semaphore.run(async () => 'yes')).resolves.toBe('yes');
});

async function turn(): Promise<void> {
  for (let at = 0; at < 20; at++) await Promise.resolve();
}
