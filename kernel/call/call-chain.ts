/**
 * The calls between plugins that led to a dispatch. The server makes it; it travels beside the input,
 * never in it, and comes back with each host call that the dispatch makes. Without it a plugin could
 * touch through another one what it was not granted itself, and plugins could call each other without
 * end.
 */
import type { Reach, ReachPolicy } from './reach.ts';

/** The plugins through which a dispatch was caused. */
export interface CallChain {
  /** The outermost first; never empty. */
  readonly callers: readonly string[];
  /** What all of them may touch. The called plugin touches no more than that. */
  readonly reach: Reach;
}

/** What both may touch. A policy that cannot compare two limited grants leaves nothing. */
export function commonReach(
  one: Reach,
  other: Reach,
  judge: Pick<ReachPolicy, 'intersect'>,
): Reach {
  if (one === 'all') return other;
  if (other === 'all') return one;
  return judge.intersect?.(one, other) ?? [];
}
