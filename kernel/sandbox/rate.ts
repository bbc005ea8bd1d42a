/** A token bucket: allows a burst, then a rate per second. */
export interface Rate {
  /** False: over the limit, and nothing was taken. */
  readonly take: (amount: number) => boolean;
}

/** `clock` returns milliseconds. */
export function createRate(burst: number, perSecond: number, clock: () => number): Rate {
  let saved = burst;
  let countedAt = clock();
  return {
    take: (amount) => {
      const at = clock();
      saved = Math.min(burst, saved + ((at - countedAt) * perSecond) / 1000);
      countedAt = at;
      if (amount > saved) return false;
      saved -= amount;
      return true;
    },
  };
}
