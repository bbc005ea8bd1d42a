import { expect, test } from 'vitest';
import { createSearchLimit } from './search-limit.ts';

test('a limited number of searches run at a time, the others in their order, each once', async () => {
  const takeTurn = createSearchLimit(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const ask = (question: number) =>
    takeTurn(async () => {
      begun.push(question);
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      return question;
    });

  expect(await Promise.all([1, 2, 3, 4, 5].map(ask))).toEqual([1, 2, 3, 4, 5]);
  expect(begun).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

test('a search that fails passes its slot on', async () => {
  const takeTurn = createSearchLimit(1);

  const failed = takeTurn(() => Promise.reject(new Error('no')));
  const answered = takeTurn(async () => 'yes');

  await expect(failed).rejects.toThrow('no');
  expect(await answered).toBe('yes');
});

test('a search above the limit is refused at once', async () => {
  const takeTurn = createSearchLimit(1, 1);
  const gate = Promise.withResolvers<undefined>();
  const running = takeTurn(() => gate.promise);
  const waiting = takeTurn(async () => 'waited');

  await expect(takeTurn(async () => 'never')).rejects.toMatchObject({ code: 'overloaded' });

  gate.resolve(undefined);
  await running;
  expect(await waiting).toBe('waited');
});
