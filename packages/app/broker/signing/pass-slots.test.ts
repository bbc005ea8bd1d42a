import { describe, expect, test } from 'vitest';
import { firstSlots, missingSlots } from './pass-slots.ts';

const day = 86_400;
const now = 1_800_000_000;
/** Times in days from now. */
const at = (...days: readonly number[]): readonly number[] => days.map((one) => now + one * day);

describe('The passes of a client', () => {
  test('start with one from now on and six more, 30 days apart', () => {
    expect(firstSlots(now)).toEqual(at(0, 30, 60, 90, 120, 150, 180));
  });

  test('are complete right after they were signed', () => {
    expect(missingSlots(firstSlots(now), now)).toEqual([]);
  });

  test('are topped up to half a year ahead, and only once', () => {
    const had = at(-70, -40, -10, 20, 50);

    const added = missingSlots(had, now);

    expect(added).toEqual(at(80, 110, 140, 170));
    expect(missingSlots([...had, ...added], now)).toEqual([]);
  });

  test('begin now when the newest one is due, because a device cannot wait for a future one', () => {
    const had = at(-55);

    const added = missingSlots(had, now);

    expect(added).toEqual(at(0, 30, 60, 90, 120, 150, 180));
    expect(missingSlots([...had, ...added], now)).toEqual([]);
    expect(missingSlots([...had, ...added], now + 60)).toEqual([]);
  });

  test('begin now when there is none at all', () => {
    expect(missingSlots([], now)).toHaveLength(7);
  });

  test('skip a start that a future pass within 15 days covers', () => {
    expect(missingSlots(at(-10, 34, 64, 80), now)).toEqual(at(110, 140, 170));
  });

  test('never reach further than half a year, with any data of the broker', () => {
    expect(missingSlots(at(1, 1000, 100_000), now).every((iat) => iat <= now + 180 * day)).toBe(
      true,
    );
  });
});
