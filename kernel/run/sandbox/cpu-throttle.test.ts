import { expect, test } from 'vitest';
import { createCpuThrottle } from './cpu-throttle.ts';

function throttledAt(cpuMsPerSecond: number) {
  const time = { now: 0 };
  const throttle = createCpuThrottle(cpuMsPerSecond, () => time.now);
  return { time, throttle };
}

test('a guest may use at once what it saved in ten seconds, and waits beyond that', () => {
  const { throttle } = throttledAt(100);
  throttle.spend(1000);
  expect(throttle.pauseMs()).toBe(0);

  throttle.spend(50);

  expect(throttle.pauseMs()).toBe(500);
});

test('in the long run a guest uses its share and no more', () => {
  const { throttle, time } = throttledAt(100);
  let used = 0;
  while (time.now < 100_000) {
    const pause = throttle.pauseMs();
    time.now += pause;
    if (pause > 0) continue;
    throttle.spend(30);
    used += 30;
    time.now += 30;
  }

  expect(used).toBeGreaterThan(10_900);
  expect(used).toBeLessThan(11_100);
});

test('a guest without a share never waits', () => {
  const { throttle } = throttledAt(0);
  throttle.spend(1e9);

  expect(throttle.pauseMs()).toBe(0);
});

test('the present wait of a guest counts', () => {
  const { throttle, time } = throttledAt(100);
  throttle.later(60_000, () => undefined);
  time.now = 700;

  expect(throttle.pausedMs()).toBe(700);
  throttle.stop();
});
