/** The index of a Matroska file (`Cues`). */
import type { Element } from '../../media-headers/matroska/elements.ts';
import { ids } from '../../media-headers/matroska/ids.ts';
import { toCuePoints, type CuePoint, type CuePoints } from '../blocks/cue-points.ts';

const mostPoints = 500_000;

/** Reads the index of one track. `base` is the place from which the file counts. */
export function readCuePoints(
  cues: Element,
  { track, base, end }: { readonly track: number; readonly base: number; readonly end: number },
): CuePoints {
  const points: CuePoint[] = [];
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
