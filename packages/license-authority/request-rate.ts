import { createKeyedTokenBuckets } from '../concurrency/index.ts';

/** Limits the requests of one address per minute, with bursts of up to a minute's worth. */
export interface RequestRate {
  /** Seconds to wait; 0 = allowed. */
  readonly waitOf: (address: string) => number;
}

const mostAddresses = 10_000;

/** Creates it with full buckets. */
export function createRequestRate(perMinute: number, now: () => number): RequestRate {
  const rate = { capacity: perMinute, refill: perMinute, everyMs: 60_000 };
  const buckets = createKeyedTokenBuckets(rate, { mostKeys: mostAddresses, now });
  return { waitOf: (address) => Math.ceil(buckets.take(address) / 1000) };
}
