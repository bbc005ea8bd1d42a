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

test('a large request is not overtaken by small ones', async () => {
  const semaphore = createSemaphore(3);
  const entered: string[] = [];
  const take = async (name: string, amount: number) => {
    const release = await semaphore.take(amount);
    entered.push(name);
    return release;
  };

  const first = await take('first', 2);
  const large = take('large', 3);
  const small = take('small', 1);
  await turn();
  expect(entered).toEqual(['first']);

  first();
  (await large)();
  (await small)();
  expect(entered).toEqual(['first', 'large', 'small']);
});

test('what was taken is given back once', async () => {
  const semaphore = createSemaphore(1);
  const release = await semaphore.take();
  release();
  release();

  await semaphore.take();
  const second = semaphore.take();

  await expect(Promise.race([second, turn().then(() => 'waits')])).resolves.toBe('waits');
});

test('an abort ends the wait, and lets the requests behind it in', async () => {
  const semaphore = createSemaphore(2);
  const stop = new AbortController();
  const release = await semaphore.take(1);

  const large = semaphore.take(2, stop.signal);
  const small = semaphore.take(1);
  stop.abort(new Error('stopping'));

  await expect(large).rejects.toThrow('stopping');
  (await small)();
  release();
  await expect(semaphore.take(1, stop.signal)).rejects.toThrow('stopping');
  await expect(semaphore.take(2)).resolves.toBeTypeOf('function');
});

test('an abort after the wait takes nothing away', async () => {
  const semaphore = createSemaphore(1);
  const stop = new AbortController();
  const release = await semaphore.take();
  const second = semaphore.take(1, stop.signal);
  const third = semaphore.take();

  release();
  stop.abort(new Error('stopping'));

  (await second)();
  await expect(third).resolves.toBeTypeOf('function');
});

test('a request is refused when too many wait', async () => {
  const refusal = () => new Error('too many');
  const semaphore = createSemaphore(1, { most: 1, refusal });
  const release = await semaphore.take();
  const waiting = semaphore.take();

  await expect(semaphore.take()).rejects.toThrow('too many');

  release();
  await expect(waiting).resolves.toBeTypeOf('function');
});

test('a request above the whole amount is a bug', async () => {
  await expect(createSemaphore(2).take(3)).rejects.toThrow(RangeError);
});

async function turn(): Promise<void> {
  for (let at = 0; at < 20; at++) await Promise.resolve();
}
