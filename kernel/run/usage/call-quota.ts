import { createTokenBucket } from '../../../packages/lib/concurrency/index.ts';
import type { Clock } from '../plugin/clock.ts';

/** A limit on a rate: of calls, or of bytes. */
export interface CallQuota {
  /** Takes one. Returns 0 when there was one, else the milliseconds until there is one. */
  readonly take: () => number;
  /**
   * Takes this many, even beyond the limit, for amounts that are known only afterwards. Later calls
   * then wait.
   */
  readonly spend: (amount: number) => void;
  /** How much of a minute's quota is used now. */
  readonly used: () => number;
}

/** A token bucket that holds one minute's quota and refills evenly. */
export function createCallQuota(perMinute: number, clock: Clock): CallQuota {
  const rate = { capacity: perMinute, refill: perMinute, everyMs: 60_000 };
  const { take, spend, left } = createTokenBucket(rate, clock.now);
  return { take, spend, used: () => Math.ceil(perMinute - left()) };
}

/** For plugins that are part of the server. */
export const unlimitedQuota: CallQuota = {
  take: () => 0,
  spend: () => undefined,
  used: () => 0,
};
