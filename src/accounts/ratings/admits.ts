import type { Admission, RatingLimit } from '../sight.ts';
import { keysIn, placeOf, readers } from './reading.ts';

/**
 * Whether an item with this certification is within an admission. The text is read in the system of
 * each limit; where it says several things, the strictest counts; where it says nothing - unrated,
 * rated elsewhere, not understood - the item is out.
 */
export function admits(admission: Admission, certification: string | null): boolean {
  if (admission.length === 0) return true;
  if (certification === null) return false;
  const keys = keysIn(certification);
  return admission.every((limits) => limits.some((limit) => isWithin(keys, limit)));
}

function isWithin(keys: readonly string[], { system, label }: RatingLimit): boolean {
  const reader = readers.get(system);
  const highest = reader?.system.rungs.findIndex((rung) => rung.label === label) ?? -1;
  if (reader === undefined || highest < 0) return false;
  const places = keys.flatMap((key) => placeOf(reader, key) ?? []);
  return places.length > 0 && places.every((place) => place <= highest);
}

/** Whether everything within one limit is within the other: both of one system, and not above it. */
export function isNoHigher(one: RatingLimit, other: RatingLimit): boolean {
  if (one.system !== other.system) return false;
  const rungs = readers.get(one.system)?.system.rungs ?? [];
  const [low, high] = [one, other].map(({ label }) =>
    rungs.findIndex((rung) => rung.label === label),
  );
  return low !== undefined && high !== undefined && low >= 0 && low <= high;
}
