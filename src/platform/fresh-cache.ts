/**
 * A cache that never returns stale rows. A writer invalidates it after the commit. A read that
 * overlaps an invalidation is not cached, because it may have started before the commit.
 */
import { LRUCache } from 'lru-cache';

/** Rows by key. */
export interface FreshCache<Value extends object> {
  /** From the cache, or read. Missing rows are not cached. */
  readonly get: (key: string, read: () => Promise<Value | undefined>) => Promise<Value | undefined>;
  /** Invalidates all rows: no later call returns a row from before it. */
  readonly forget: () => void;
}

/** Creates an empty cache for at most `most` rows. */
export function createFreshCache<Value extends object>(most: number): FreshCache<Value> {
  // With `max`, it would take the memory of all rows at once.
  const rows = new LRUCache<string, Value>({ maxSize: most, sizeCalculation: () => 1 });
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
