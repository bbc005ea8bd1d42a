import { refilled, waitFor, type Level, type TokenRate } from './token-bucket.ts';

/** A token bucket for each key. At first each is full. */
export type KeyedTokenBuckets = ReturnType<typeof createKeyedTokenBuckets>;

/**
 * Creates them; `now` gives milliseconds. Above `mostKeys`, the least recently used bucket is
 * forgotten: its key has a full one again.
 */
export function createKeyedTokenBuckets(
  rate: TokenRate,
  { mostKeys, now }: { readonly mostKeys: number; readonly now: () => number },
) {
  /** The longest unused first. */
  const levels = new Map<string, Level>();

  const levelOf = (key: string): Level => {
    const at = now();
    return refilled(levels.get(key) ?? { tokens: rate.capacity, countedAt: at }, rate, at);
  };

  function keep(key: string, level: Level): void {
    levels.delete(key);
    levels.set(key, level);
    const [oldest] = levels.size > mostKeys ? levels.keys() : [];
    if (oldest !== undefined) levels.delete(oldest);
  }

  return {
    /**
     * Takes tokens and returns 0, or takes none and returns the milliseconds until there are enough.
     */
    take: (key: string, amount = 1): number => {
      const { tokens, countedAt } = levelOf(key);
      const wait = waitFor(amount, tokens, rate);
      keep(key, { tokens: wait === 0 ? tokens - amount : tokens, countedAt });
      return wait;
    },
    /** What `take` would return; takes nothing. */
    waitMs: (key: string): number => {
      const level = levelOf(key);
      // A full bucket is not kept, so that a refused request never pushes out another key.
      if (levels.has(key)) keep(key, level);
      return waitFor(1, level.tokens, rate);
    },
  };
}
