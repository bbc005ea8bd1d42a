import type { Clock } from './clock.ts';

/** How often something may happen. */
export interface CallQuota {
  /** Takes one; 0 = it was there, else the milliseconds until there is one again. */
  readonly take: () => number;
}

/** A bucket that holds a minute's worth and is filled evenly. */
export function createCallQuota(perMinute: number, clock: Clock): CallQuota {
  const perMs = perMinute / 60_000;
  let left = perMinute;
  let countedAt = clock.now();

  return {
    take: () => {
      const now = clock.now();
      left = Math.min(perMinute, left + Math.max(0, now - countedAt) * perMs);
      countedAt = now;
      if (left < 1) return Math.ceil((1 - left) / perMs);
      left -= 1;
      return 0;
    },
  };
}

/** For those who are trusted to know what they do. */
export const unlimitedQuota: CallQuota = { take: () => 0 };
