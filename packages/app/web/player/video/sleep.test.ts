import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followSleep, setSleep, sleep, sleepsNow } from './sleep.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  setSleep(null);
  vi.useRealTimers();
});

test('a timer goes on with the next episode, and pauses what plays then', () => {
  const paused: string[] = [];
  const leave = followSleep({ pause: () => paused.push('first') });
  setSleep(30);
  vi.advanceTimersByTime(20 * 60_000);
  leave();
  const close = followSleep({ pause: () => paused.push('second') });
  vi.advanceTimersByTime(10 * 60_000 - 1);
  expect(paused).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(paused).toEqual(['second']);
  expect(sleep.value).toBe(null);
  close();
});

test('the end of a title is the end once, if that was chosen', () => {
  expect(sleepsNow()).toBe(false);
  setSleep('title');
  expect([sleepsNow(), sleepsNow()]).toEqual([true, false]);
});
