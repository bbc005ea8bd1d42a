/** The result of the last search, and the pairs that an admin keeps. Ids alone: no title is stored. */
import type { KvService } from '@vitrine/plugin-api';
import type { Pair } from './pairs.ts';

/** What a search found. */
export interface Found {
  /** Unix milliseconds. */
  readonly at: number;
  /** How many items were compared. */
  readonly read: number;
  /** There were more pairs than are stored. */
  readonly isCut: boolean;
  readonly pairs: readonly Pair[];
}

const key = 'found';
const keptPrefix = 'kept/';

/** The last result; `null` before the first search. */
export const readFound = async (kv: KvService): Promise<Found | null> =>
  (await kv.get({ key })) as Found | null;

/** Replaces the result. */
export const writeFound = (kv: KvService, found: Found): Promise<null> =>
  kv.set({ key, value: found });

/** Tells which pairs are kept. */
export async function readKept(kv: KvService): Promise<(pair: Pair) => boolean> {
  const { keys } = await kv.list({ prefix: keptPrefix, limit: 1000 });
  const kept = new Set(keys);
  return (pair) => kept.has(keptKey(pair));
}

/** Keeps the pairs, or no longer. */
export async function setKept(
  kv: KvService,
  pairs: readonly Pair[],
  isKept: boolean,
): Promise<void> {
  const keys = pairs.map(keptKey);
  if (isKept) await kv.batch({ set: keys.map((one) => ({ key: one, value: true })) });
  else await kv.batch({ remove: keys });
}

/** The same when a new file makes the worse copy the better one. */
const keptKey = ({ worse, better }: Pair): string =>
  keptPrefix + [worse, better].toSorted().join('/');
