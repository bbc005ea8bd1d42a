import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createPeopleFirst } from './people-first.ts';

test('a job waits while a film is converted, and while requests are served', async () => {
  const clock = createFakeClock();
  const now = { processes: 1, isCalm: true };
  const people = createPeopleFirst({
    processes: () => now.processes,
    background: { isCalm: () => now.isCalm },
    clock,
  });
  let isOver = false;
  const { signal } = new AbortController();
  void people.wait(signal).then(() => (isOver = true));

  await clock.advance(1000);
  Object.assign(now, { processes: 0, isCalm: false });
  await clock.advance(1000);
  expect([isOver, people.isFree()]).toEqual([false, false]);
  now.isCalm = true;
  await clock.advance(1000);

  expect([isOver, people.isFree()]).toEqual([true, true]);
});

test('a job that is cancelled waits no longer', async () => {
  const people = createPeopleFirst({
    processes: () => 1,
    background: { isCalm: () => true },
    clock: createFakeClock(),
  });
  const controller = new AbortController();
  const waiting = people.wait(controller.signal);

  controller.abort();

  await expect(waiting).resolves.toBeUndefined();
});
