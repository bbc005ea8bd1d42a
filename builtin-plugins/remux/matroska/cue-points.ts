/** Key pictures of a Matroska file: when each is shown, and in which cluster it is. */
import type { Element } from '../../media-headers/matroska/elements.ts';
import { ids } from '../../media-headers/matroska/ids.ts';

/** Ascending by time; `clusters` are places in the file. */
export interface CuePoints {
  readonly ticks: Float64Array;
  readonly clusters: Float64Array;
}

const mostPoints = 500_000;

/** Reads the index of one track. `base` is the place from which the file counts. */
export function readCuePoints(
  cues: Element,
  { track, base, end }: { readonly track: number; readonly base: number; readonly end: number },
): CuePoints {
  const points: (readonly [ticks: number, cluster: number])[] = [];
  cues.forEach((id, content) => {
    if (id !== ids.cuePoint) return true;
    const point = content();
    const ticks = point.uint(ids.cueTime) ?? 0;
    const position = point
      .all(ids.cueTrackPositions)
      .find((one) => one.uint(ids.cueTrack) === track)
      ?.uint(ids.cueClusterPosition);
    if (position !== undefined && base + position < end) points.push([ticks, base + position]);
    return true;
  }, mostPoints);
  return toCuePoints(points);
}

/**
 * Sorts by time. A point whose cluster lies before that of an earlier point is left out: a file does
 * not go backwards.
 */
export function toCuePoints(points: readonly (readonly [number, number])[]): CuePoints {
  const sorted = points.toSorted(([one, at], [other, later]) => one - other || at - later);
  const kept: (readonly [number, number])[] = [];
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
