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

/** Delivers as much as the turn allows, and the rest in later turns. */
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

test('a limited number of deliveries begins in one turn of the loop, and the rest in later turns', () => {
  deliver('a', 5);
  expect(log).toEqual(['a', 'a']);

  nextTurn();
  expect(log).toEqual(['a', 'a', 'a', 'a']);

  nextTurn();
  expect(log).toHaveLength(5);
});

test('waiting mailboxes are served in turn, none twice before each was served once', () => {
  deliver('a', 6);
  deliver('b', 2);
  deliver('c', 2);
  nextTurn();
  nextTurn();
  nextTurn();
  nextTurn();

  expect(log.join('')).toBe('aaaabbccaa');
});

test('no turn is scheduled when nothing waits', () => {
  deliver('a', 1);
  nextTurn();

  expect(planned).toEqual([]);
});
