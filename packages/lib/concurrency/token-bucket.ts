/** `refill` tokens return in `everyMs` milliseconds, evenly, up to `capacity`. A bucket is full at first. */
export interface TokenRate {
  readonly capacity: number;
  readonly refill: number;
  readonly everyMs: number;
}

/** Limits a rate, with bursts. Where no amount is given, it is one token. */
export type TokenBucket = ReturnType<typeof createTokenBucket>;

/** Creates a full bucket. `now` gives milliseconds; time that goes back refills nothing. */
export function createTokenBucket(rate: TokenRate, now: () => number) {
  let level: Level = { tokens: rate.capacity, countedAt: now() };

  /** Tokens now; negative when overspent. */
  const left = (): number => (level = refilled(level, rate, now())).tokens;
  /**
   * What `take` would return; takes nothing. For 0 tokens: until an overspent bucket is paid back.
   */
  const waitMs = (amount: number = 1): number => waitFor(amount, left(), rate);
  /** Takes tokens even if they are not there, for amounts that are known afterwards. */
  const spend = (amount: number): void => {
    level = { tokens: left() - amount, countedAt: level.countedAt };
  };
  /**
   * Takes tokens and returns 0. With too few, takes none and returns the milliseconds until there
   * are enough.
   */
  const take = (amount: number = 1): number => {
    const wait = waitMs(amount);
    if (wait === 0) spend(amount);
    return wait;
  };

  return { take, waitMs, spend, left };
}

/** How full a bucket was at a time. */
export interface Level {
  readonly tokens: number;
  readonly countedAt: number;
}

/** The level at a later time. */
export function refilled(
  level: Level,
  { capacity, refill, everyMs }: TokenRate,
  at: number,
): Level {
  const passedMs = Math.max(0, at - level.countedAt);
  return {
    tokens: Math.min(capacity, level.tokens + (passedMs * refill) / everyMs),
    countedAt: at,
  };
}

/** The milliseconds until there are so many tokens; Infinity for more than a full bucket has. */
export function waitFor(
  amount: number,
  tokens: number,
  { capacity, refill, everyMs }: TokenRate,
): number {
  if (amount <= tokens) return 0;
  return amount > capacity ? Infinity : Math.ceil(((amount - tokens) * everyMs) / refill);
}
