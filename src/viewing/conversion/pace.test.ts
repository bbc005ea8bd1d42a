import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

test('the pace of a head is told after ten seconds of work, and rests do not count', () => {
  let time = 0;
  const pace = createPace(() => time);
  time += 5000;
  pace.made(4_000_000);
  expect(pace.rate()).toBeNull();

  pace.rest();
  time += 60_000;
  pace.work();
  time += 5000;
  pace.made(4_000_000);

  expect(pace.rate()).toBe(0.8);
});

test('a head that makes nothing any longer gets slower', () => {
  let time = 0;
  const pace = createPace(() => time);
  time += 1000;
  pace.made(20_000_000);
  time += 19_000;

  expect(pace.rate()).toBe(0);
});
