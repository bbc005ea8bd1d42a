/**
 * A cache that never gives what was changed before. Whoever changes a row forgets it after the
 * commit; and what was being read meanwhile, perhaps from before it, does not come into the cache.
 */
import { LRUCache } from 'lru-cache';

/** Rows by key. */
export interface FreshCache<Value extends object> {
  /** From the cache, or read; what is not there is asked for again each time. */
  readonly get: (key: string, read: () => Promise<Value | undefined>) => Promise<Value | undefined>;
  /** From this moment on nothing older than now is given. */
  readonly forget: () => void;
}

/** Creates an empty cache of at most so many rows. */
export function createFreshCache<Value extends object>(most: number): FreshCache<Value> {
  const rows = new LRUCache<string, Value>({ max: most });
  let changes = 0;
  return {
    get: async (key, read) => {
      const cached = rows.get(key);
      if (cached) return cached;
      const changesBefore = changes;
      const row = await read();
      if (row && changesBefore === changes) rows.set(key, row);
      return row;
    },
    forget: () => {
      changes += 1;
      rows.clear();
    },
  };
}
