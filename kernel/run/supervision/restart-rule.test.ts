import { describe, expect, test } from 'vitest';
import { createRestartRule } from './restart-rule.ts';

const second = 1000;
const minute = 60 * second;

describe('the restart rule', () => {
  test('starts a crashed plugin again after 1, 2, 4, 8 and 16 s, and then no more', () => {
    const rule = createRestartRule();

    const delays = [0, 1, 2, 3, 4, 5].map((crash) => rule.afterCrash(crash * minute));

    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, null]);
  });

  test('never waits longer than 60 s', () => {
    const rule = createRestartRule();

    const delays = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((crash) => rule.afterCrash(crash * 3 * minute));

    expect(delays.slice(5)).toEqual([32 * second, minute, minute, minute]);
  });

  test('starts over after 10 minutes without a crash', () => {
    const rule = createRestartRule();
    rule.afterCrash(0);
    rule.afterCrash(minute);

    const delay = rule.afterCrash(11 * minute);

    expect([delay, rule.attempts(11 * minute)]).toEqual([second, 1]);
  });

  test('counts the attempts, until 10 minutes went by without a crash', () => {
    const rule = createRestartRule();
    rule.afterCrash(0);
    rule.afterCrash(minute);

    expect([rule.attempts(10 * minute), rule.attempts(11 * minute)]).toEqual([2, 0]);
  });

  test('restarts a plugin at once, without counting, when another plugin took the process down', () => {
    const rule = createRestartRule();

    const delays = Array.from({ length: 20 }, (_, index) => rule.afterDisconnect(index * second));

    expect([new Set(delays), rule.attempts(minute)]).toEqual([new Set([0]), 0]);
  });

  test('ends a loop of restarts without a plugin at fault', () => {
    const rule = createRestartRule();
    for (let time = 0; time < 20; time += 1) rule.afterDisconnect(time * second);

    const delays = Array.from({ length: 6 }, (_, index) =>
      rule.afterDisconnect((20 + index) * second),
    );

    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, null]);
  });
});
