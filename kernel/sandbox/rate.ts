/** Lets an amount through for so long as it does not exceed a burst and then so much a second. */
export interface Rate {
  /** False: it would be too much, and nothing was taken. */
  readonly take: (amount: number) => boolean;
}

/** `clock` gives milliseconds. */
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
