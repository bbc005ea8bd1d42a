import { LRUCache } from 'lru-cache';

/** Limits the requests of one address per minute, with bursts of up to a minute's worth. */
export interface RequestRate {
  /** Seconds to wait; 0 = allowed. */
  readonly waitOf: (address: string) => number;
}

interface Bucket {
  readonly left: number;
  readonly at: number;
}

const mostAddresses = 10_000;

/** Creates it with full buckets. */
export function createRequestRate(perMinute: number, now: () => number): RequestRate {
  const buckets = new LRUCache<string, Bucket>({ max: mostAddresses });
  const msPerRequest = 60_000 / perMinute;

  return {
    waitOf: (address) => {
      const at = now();
      const bucket = buckets.get(address) ?? { left: perMinute, at };
      const left = Math.min(perMinute, bucket.left + Math.max(0, at - bucket.at) / msPerRequest);
      if (left < 1) return Math.ceil(((1 - left) * msPerRequest) / 1000);
      buckets.set(address, { left: left - 1, at });
      return 0;
    },
  };
}
