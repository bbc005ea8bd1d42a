import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeyedTokenBuckets } from './keyed-token-buckets.ts';
import { createTokenBucket } from './token-bucket.ts';

const rate = { capacity: 3, refill: 2, everyMs: 1000 };

describe('a token bucket', () => {
  test('allows a burst, and then the rate', () => {
    const clock = { ms: 0 };
    const bucket = createTokenBucket(rate, () => clock.ms);

    expect([1, 2, 3, 4].map(() => bucket.take())).toEqual([0, 0, 0, 500]);
    clock.ms = 200;
    expect(bucket.take()).toBe(300);
    clock.ms = 500;
    expect(bucket.take()).toBe(0);
  });

  test('holds no more than its capacity', () => {
    const clock = { ms: 0 };
    const bucket = createTokenBucket(rate, () => clock.ms);

    clock.ms = 1_000_000;

    expect(bucket.left()).toBe(3);
    expect(bucket.take(4)).toBe(Infinity);
    expect(bucket.take(3)).toBe(0);
  });

  test('is overspent by what is known afterwards, and paid back before the next', () => {
    const clock = { ms: 0 };
    const bucket = createTokenBucket(rate, () => clock.ms);

    bucket.spend(5);

    expect([bucket.left(), bucket.waitMs(0), bucket.waitMs()]).toEqual([-2, 1000, 1500]);
    clock.ms = 1500;
    expect(bucket.take()).toBe(0);
  });

  test('refills nothing when the clock goes back', () => {
    const clock = { ms: 10_000 };
    const bucket = createTokenBucket(rate, () => clock.ms);
    bucket.spend(3);

    clock.ms = 0;
    expect(bucket.left()).toBe(0);
    clock.ms = 500;
    expect(bucket.left()).toBe(1);
  });

  test('never gives more than its capacity and what came back', () => {
    const waits = fc.array(fc.nat(2000), { maxLength: 50 });
    fc.assert(
      fc.property(waits, (pauses) => {
        const clock = { ms: 0 };
        const bucket = createTokenBucket(rate, () => clock.ms);
        let taken = 0;
        for (const pause of pauses) {
          clock.ms += pause;
          if (bucket.take() === 0) taken += 1;
        }
        expect(taken).toBeLessThanOrEqual(3 + (clock.ms * 2) / 1000);
      }),
    );
  });
});

describe('keyed token buckets', () => {
  test('count each key apart', () => {
    const buckets = createKeyedTokenBuckets(rate, { mostKeys: 10, now: () => 0 });

    expect(['a', 'a', 'a', 'a', 'b'].map((key) => buckets.take(key))).toEqual([0, 0, 0, 500, 0]);
    expect(['a', 'b', 'c'].map(buckets.waitMs)).toEqual([500, 0, 0]);
    expect([buckets.take('c', 2), buckets.take('c', 2)]).toEqual([0, 500]);
  });

  test('forget the least recently used key when there are too many', () => {
    const buckets = createKeyedTokenBuckets(
      { capacity: 1, refill: 1, everyMs: 1000 },
      { mostKeys: 2, now: () => 0 },
    );
    expect(['a', 'b', 'a', 'c'].map((key) => buckets.take(key))).toEqual([0, 0, 1000, 0]);

    expect(['a', 'c', 'b'].map((key) => buckets.take(key))).toEqual([1000, 1000, 0]);
  });

  test('are not pushed out by a key that takes nothing', () => {
    const buckets = createKeyedTokenBuckets(rate, { mostKeys: 1, now: () => 0 });
    ['a', 'a', 'a'].map((key) => buckets.take(key));

    expect(buckets.waitMs('b')).toBe(0);

    expect(buckets.waitMs('a')).toBe(500);
  });
});
