import type { Clock } from './clock.ts';

/** How often something may happen, or how much of it. */
export interface CallQuota {
  /** Takes one; 0 = it was there, else the milliseconds until there is one again. */
  readonly take: () => number;
  /** Takes so many, also ones that are not there: who could not know before waits afterwards. */
  readonly spend: (amount: number) => void;
  /** How much of a minute's worth is taken just now. */
  readonly used: () => number;
}

/** A bucket that holds a minute's worth and is filled evenly. */
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

/** For those who are trusted to know what they do. */
export const unlimitedQuota: CallQuota = {
  take: () => 0,
  spend: () => undefined,
  used: () => 0,
};
