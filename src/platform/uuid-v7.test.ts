import { describe, expect, test } from 'vitest';
import { createUuidV7 } from './uuid-v7.ts';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('an id', () => {
  test('is a UUID version 7 that begins with the time', () => {
    const id = createUuidV7({ now: () => 0x0123456789ab })();

    expect(id).toMatch(form);
    expect(id.slice(0, 13)).toBe('01234567-89ab');
  });

  test('sorts after every id made before the start, also when the clock is behind', () => {
    const before = Array.from({ length: 3 }, createUuidV7({ now: () => 1_800_000_000_000 }));

    const newId = createUuidV7({ now: () => 1_500_000_000_000, afterMs: 1_800_000_000_000 });

    const all = [...before, newId(), newId()];
    expect([...all].sort()).toEqual(all);
    expect(all.every((id) => form.test(id))).toBe(true);
  });

  test('sorts after every id made before it, also within a millisecond and when the clock steps back', () => {
    let nowMs = 1_800_000_000_000;
    const newId = createUuidV7({ now: () => nowMs });
    const ids = Array.from({ length: 20_000 }, (_, index) => {
      if (index === 15_000) nowMs -= 5_000;
      if (index % 7_000 === 0) nowMs += 1;
      return newId();
    });

    expect(ids.every((id) => form.test(id))).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
