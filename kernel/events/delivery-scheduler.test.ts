import { beforeEach, expect, test } from 'vitest';
import { createDeliveryScheduler, type DeliveryScheduler } from './delivery-scheduler.ts';

let scheduler: DeliveryScheduler;
let planned: (() => void)[];
let log: string[];

beforeEach(() => {
  planned = [];
  log = [];
  scheduler = createDeliveryScheduler((run) => void planned.push(run), 2);
});

function nextTurn(): void {
  const due = planned;
  planned = [];
  for (const run of due) run();
}

/** Delivers so much, as far as the turns allow, and the rest when its own turn comes. */
function deliver(name: string, count: number): void {
  let left = count;
  const goOn = (): void => {
    while (left > 0 && scheduler.take()) {
      left -= 1;
      log.push(name);
    }
    if (left > 0) scheduler.wait(goOn);
  };
  goOn();
}

test('so many deliveries begin in one turn of the loop, and the rest in those that follow', () => {
  deliver('a', 5);
  expect(log).toEqual(['a', 'a']);

  nextTurn();
  expect(log).toEqual(['a', 'a', 'a', 'a']);

  nextTurn();
  expect(log).toHaveLength(5);
});

test('who waits is served in turn, and nobody twice before everybody once', () => {
  deliver('a', 6);
  deliver('b', 2);
  deliver('c', 2);
  nextTurn();
  nextTurn();
  nextTurn();
  nextTurn();

  expect(log.join('')).toBe('aaaabbccaa');
});

test('nothing is planned any more when nothing waits', () => {
  deliver('a', 1);
  nextTurn();

  expect(planned).toEqual([]);
});
