import type { Admission, RatingLimit } from './admission.ts';
import { keysIn, levelIndexOf, readers } from './read-certification.ts';

/**
 * Whether an item with this certification is within an admission. The text is read in the system of
 * each limit. If it names several levels, the strictest counts. If it names none (unrated, another
 * system, not understood), the item is excluded.
 */
export function allows(admission: Admission, certification: string | null): boolean {
  if (admission.length === 0) return true;
  if (certification === null) return false;
  const keys = keysIn(certification);
  return admission.every((limits) => limits.some((limit) => isWithin(keys, limit)));
}

function isWithin(keys: readonly string[], { system, label }: RatingLimit): boolean {
  const reader = readers.get(system);
  const highest = reader?.system.levels.findIndex((level) => level.label === label) ?? -1;
  if (reader === undefined || highest < 0) return false;
  const levelIndexes = keys.flatMap((key) => levelIndexOf(reader, key) ?? []);
  return levelIndexes.length > 0 && levelIndexes.every((index) => index <= highest);
}

/** Whether one limit is at most the other: both of the same system, and not a higher level. */
export function isAtMost(one: RatingLimit, other: RatingLimit): boolean {
  if (one.system !== other.system) return false;
  const levels = readers.get(one.system)?.system.levels ?? [];
  const [low, high] = [one, other].map(({ label }) =>
    levels.findIndex((level) => level.label === label),
  );
  return low !== undefined && high !== undefined && low >= 0 && low <= high;
}
