import { byQuality, type Copy } from './copy.ts';
import type { Reason } from './signs.ts';

/** Two items that are probably the same thing. */
export interface Pair {
  readonly worse: string;
  readonly better: string;
  readonly reason: Reason;
  /** Their quality or edition differs: someone may want both. */
  readonly isVersion: boolean;
}

/** More items with one sign are not taken for copies: a tag is wrong, or a camera calls every picture the same. */
export const mostCopies = 20;

/**
 * The pairs among items with the same sign. A copy stands against the best one of its own version;
 * the best of a version stands against the best of all.
 */
export function pairsOf(copies: readonly Copy[], reason: Reason): readonly Pair[] {
  if (copies.length > mostCopies) return [];
  const sorted = copies.toSorted(byQuality);
  return sorted.flatMap((copy) => {
    const twin = sorted.find(({ version }) => version === copy.version);
    const better = twin === copy ? sorted[0] : twin;
    if (better === undefined || better === copy) return [];
    const isVersion = better.version !== copy.version;
    return [{ worse: copy.itemId, better: better.itemId, reason, isVersion }];
  });
}

/** One pair for each worse item: the first, which has the strongest reason. */
export function merge(known: readonly Pair[], more: readonly Pair[]): readonly Pair[] {
  const seen = new Set(known.map(({ worse }) => worse));
  return [...known, ...more.filter(({ worse }) => !seen.has(worse))];
}
