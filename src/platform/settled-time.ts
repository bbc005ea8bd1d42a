/**
 * The time by which old rows are deleted: the wall clock, in whole milliseconds, with a guard.
 * Guarantee: a clock that is set ahead deletes nothing early. A jump ahead counts only when the clock
 * has shown the new time for a day; a clock that is set back counts at once.
 */
import { steadyOf, type Clock } from './clock.ts';

const dayMs = 86_400_000;
/** Clocks that are only corrected a little need no wait. */
const jumpMs = 3_600_000;

/** Creates the reading. What the clock shows now is taken as right. */
export function createSettledTime(clock: Clock): () => number {
  const steady = steadyOf(clock);
  let aheadMs = clock.now() - steady.now();
  let jump: { readonly aheadMs: number; readonly seenAt: number } | null = null;

  return () => {
    const wallMs = clock.now();
    const shownMs = wallMs - steady.now();
    if (shownMs - aheadMs <= jumpMs) jump = null;
    else if (jump === null || Math.abs(shownMs - jump.aheadMs) > jumpMs)
      jump = { aheadMs: shownMs, seenAt: steady.now() };
    if (jump === null || steady.now() - jump.seenAt >= dayMs) {
      aheadMs = shownMs;
      jump = null;
      return Math.floor(wallMs);
    }
    return Math.floor(steady.now() + aheadMs);
  };
}
