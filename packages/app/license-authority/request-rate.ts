import { createKeyedTokenBuckets } from '../../lib/concurrency/index.ts';

/** Limits the requests of one address per minute, with bursts of up to a minute's worth. */
export type RequestRate = ReturnType<typeof createRequestRate>;

const mostAddresses = 10_000;

/** Creates it with full buckets. */
export function createRequestRate(perMinute: number, now: () => number) {
  const rate = { capacity: perMinute, refill: perMinute, everyMs: 60_000 };
  const buckets = createKeyedTokenBuckets(rate, { mostKeys: mostAddresses, now });
  return {
    /** Seconds to wait; 0 = allowed. */
    waitOf: (address: string): number => Math.ceil(buckets.take(address) / 1000),
  };
}
