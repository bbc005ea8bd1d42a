import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createSettledTime } from './settled-time.ts';

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;

describe('the settled time', () => {
  test('is the wall clock in whole milliseconds', async () => {
    const clock = createFakeClock();
    const steady = { now: () => (clock.steady?.now() ?? 0) + 0.25 };
    const now = createSettledTime({ ...clock, steady });

    await clock.advance(40 * dayMs);

    expect(now()).toBe(clock.now());
  });

  test('follows a clock that is set back at once', () => {
    const clock = createFakeClock();
    const now = createSettledTime(clock);

    clock.set(-yearMs);

    expect(now()).toBe(clock.now());
  });

  test('follows a clock that is set ahead after a day', async () => {
    const clock = createFakeClock();
    const now = createSettledTime(clock);
    const before = clock.now();

    clock.set(yearMs);
    const atOnce = now();
    await clock.advance(dayMs - 1);
    const later = now();
    await clock.advance(1);

    expect([atOnce, later, now()]).toEqual([before, before + dayMs - 1, clock.now()]);
  });

  test('does not follow a clock that was ahead for a while', async () => {
    const clock = createFakeClock();
    const now = createSettledTime(clock);

    clock.set(yearMs);
    now();
    await clock.advance(dayMs / 2);
    clock.set(-yearMs);
    now();
    await clock.advance(dayMs);

    expect(now()).toBe(clock.now());
    clock.set(yearMs);
    expect(now()).toBe(clock.now() - yearMs);
  });
});
