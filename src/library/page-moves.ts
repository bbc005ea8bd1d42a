import { traceKey, type FileTrace } from './file-store.ts';

/** One side of a move: a file that came, or one that went. */
export interface MoveSide extends FileTrace {
  /** File name without its folder. */
  readonly name: string;
}

/**
 * Of files that went and look alike, those that went in this scan: a file that was missed long ago is
 * what came now only if nothing else can be.
 */
export function latelyGone<Went extends FileTrace & { readonly updatedAt: number }>(
  went: readonly Went[],
  scanBeganAt: number | null,
): readonly Went[] {
  if (scanBeganAt === null) return went;
  return [...Map.groupBy(went, traceKey).values()].flatMap((alike) => {
    const late = alike.filter(({ updatedAt }) => updatedAt >= scanBeganAt);
    return late.length > 0 ? late : alike;
  });
}

/**
 * Pairs files that came with files that went: the same size and the same moment of change, and
 * then the same name or, for files that are not empty, no other file that it could be. What is in
 * doubt is not paired: a wrong pair would give one film the history of another.
 */
export function pairMoves<Came extends MoveSide, Went extends MoveSide>(
  came: readonly Came[],
  went: readonly Went[],
): ReadonlyMap<Came, Went> {
  const pairs = new Map<Came, Went>();
  const wentByTrace = Map.groupBy(went, traceKey);
  if (wentByTrace.size === 0) return pairs;
  for (const [trace, arrivals] of Map.groupBy(came, traceKey)) {
    const departures = new Set(wentByTrace.get(trace));
    if (departures.size === 0) continue;
    const byName = Map.groupBy(departures, (departure) => departure.name);
    for (const arrival of arrivals) {
      const [same, another] = byName.get(arrival.name) ?? [];
      if (same === undefined || another !== undefined || !departures.delete(same)) continue;
      pairs.set(arrival, same);
    }
    const [only, ...others] = arrivals.filter((arrival) => !pairs.has(arrival));
    const [last, ...rest] = departures;
    if (only === undefined || last === undefined || others.length + rest.length > 0) continue;
    if (only.size > 0) pairs.set(only, last);
  }
  return pairs;
}
