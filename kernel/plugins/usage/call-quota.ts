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
  const perMs = perMinute / 60_000;
  let left = perMinute;
  let countedAt = clock.now();

  function fill(): void {
    const now = clock.now();
    left = Math.min(perMinute, left + Math.max(0, now - countedAt) * perMs);
    countedAt = now;
  }

  return {
    take: () => {
      fill();
      if (left < 1) return Math.ceil((1 - left) / perMs);
      left -= 1;
      return 0;
    },
    spend: (amount) => {
      fill();
      left -= amount;
    },
    used: () => {
      fill();
      return Math.ceil(perMinute - left);
    },
  };
}

/** For plugins that are part of the server. */
export const unlimitedQuota: CallQuota = {
  take: () => 0,
  spend: () => undefined,
  used: () => 0,
};
