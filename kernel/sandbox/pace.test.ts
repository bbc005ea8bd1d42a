import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

function pacedAt(cpuMsPerSecond: number) {
  const time = { now: 0 };
  const pace = createPace(cpuMsPerSecond, () => time.now);
  return { time, pace };
}

test('a guest may use in a moment what it saved in ten seconds, and waits for what is above', () => {
  const { pace } = pacedAt(100);
  pace.spend(1000);
  expect(pace.pauseMs()).toBe(0);

  pace.spend(50);

  expect(pace.pauseMs()).toBe(500);
});

test('in the long run a guest uses its share and no more', () => {
  const { pace, time } = pacedAt(100);
  let used = 0;
  while (time.now < 100_000) {
    const pause = pace.pauseMs();
    time.now += pause;
    if (pause > 0) continue;
    pace.spend(30);
    used += 30;
    time.now += 30;
  }

  expect(used).toBeGreaterThan(10_900);
  expect(used).toBeLessThan(11_100);
});

test('a guest without a share never waits', () => {
  const { pace } = pacedAt(0);
  pace.spend(1e9);

  expect(pace.pauseMs()).toBe(0);
});

test('a guest that waits is counted to wait', () => {
  const { pace, time } = pacedAt(100);
  pace.later(60_000, () => undefined);
  time.now = 700;

  expect(pace.pausedMs()).toBe(700);
  pace.stop();
});
