/** Key pictures: when each is shown, and where it is. */

/** Ascending by time. */
export interface CuePoints {
  /** Ticks of the track. */
  readonly ticks: Float64Array;
  /** Where reading begins: places in the file. */
  readonly clusters: Float64Array;
}

/** A key picture: its ticks and its place. */
export type CuePoint = readonly [ticks: number, cluster: number];

/**
 * Sorts by time. A point whose cluster lies before that of an earlier point is left out: a file does
 * not go backwards.
 */
export function toCuePoints(points: readonly CuePoint[]): CuePoints {
  const sorted = points.toSorted(([one, at], [other, later]) => one - other || at - later);
  const kept: CuePoint[] = [];
  for (const point of sorted) {
    const before = kept.at(-1);
    if (before !== undefined && (point[0] === before[0] || point[1] < before[1])) continue;
    kept.push(point);
  }
  return {
    ticks: Float64Array.from(kept, ([ticks]) => ticks),
    clusters: Float64Array.from(kept, ([, cluster]) => cluster),
  };
}
