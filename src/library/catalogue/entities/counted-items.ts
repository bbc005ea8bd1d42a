import type { Queries } from '../../../../kernel/storage/index.ts';
import type { Scope } from '../access/index.ts';
import { lastNumber } from '../tables/counter-store.ts';
import { countItemsOfEntity } from './entity-list-store.ts';

/** How many items of an entity a scope shows. */
export type CountedItems = (entityNo: number, scope: Scope) => Promise<number>;

const mostKept = 2000;

/**
 * Counts the items of entities and caches each count until the libraries change: every change of an
 * item takes a number, which is read before the cached count is used.
 */
export function createCountedItems(db: Queries): CountedItems {
  let cachedAt = -1;
  const cache = new Map<string, number>();

  return async (entityNo, scope) => {
    const now = await lastNumber(db);
    if (now !== cachedAt || cache.size >= mostKept) cache.clear();
    cachedAt = now;
    const key = `${entityNo} ${keyOf(scope)}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const count = await countItemsOfEntity(db, { entityNo, role: undefined, scope });
    if (cachedAt === now) cache.set(key, count);
    return count;
  };
}

function keyOf({ libraries }: Scope): string {
  const parts = libraries.map(({ no, certifications }) => [
    no,
    certifications && [...certifications].sort(),
  ]);
  return JSON.stringify(parts);
}
