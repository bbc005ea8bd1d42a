import { describe, expect, test } from 'vitest';
import { isClockFair } from './fair-clock.ts';
import { isRolledBack, rememberRevision, type Memory } from './seen-revision.ts';

function memory(): Memory {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  };
}

describe('A browser', () => {
  test('detects a vault that is older than one it saw, separately for each user', () => {
    const seen = memory();
    rememberRevision(seen, 'ada', 5);
    rememberRevision(seen, 'ada', 3);

    expect(isRolledBack(seen, 'ada', 4)).toBe(true);
    expect(isRolledBack(seen, 'ada', 5)).toBe(false);
    expect(isRolledBack(seen, 'bob', 1)).toBe(false);
  });

  test('signs only when its clock and that of the broker are at most ten minutes apart', () => {
    expect(isClockFair(1_000_000, 400_000)).toBe(true);
    expect(isClockFair(400_000, 1_000_000)).toBe(true);
    expect(isClockFair(1_000_001, 400_000)).toBe(false);
  });
});
