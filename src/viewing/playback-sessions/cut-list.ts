import type { FrameTimes } from '../../../plugin-api/index.ts';
import { secondsOf, type PlayableFile } from './playable-file.ts';

/** Where segments start and end, in seconds since time 0. */
export interface CutList {
  readonly starts: readonly number[];
  readonly end: number;
  readonly isComplete: boolean;
}

/** How many segments a cut list has. */
export const segmentsOf = (cuts: CutList): number => lengthsOf(cuts).length;

/** While the list grows, what comes after the last known cut is not known. */
export function lengthsOf({ starts, end, isComplete }: CutList): readonly number[] {
  const ends = isComplete ? [...starts.slice(1), end] : starts.slice(1);
  const lengths = ends.map((to, at) => to - (starts[at] ?? 0));
  return Number(lengths.at(-1)) > 0 || lengths.length === 0 ? lengths : lengths.slice(0, -1);
}

/** A rest of a film that is shorter belongs to the segment before it: it may have no picture. */
const leastRest = 0.5;

/** Where the segments of what is converted start: short at first, so that it starts soon. */
export function convertedCuts(seconds: number): CutList {
  const starts: number[] = [];
  for (let at = 0; at < seconds; at += starts.length <= 2 ? 1 : starts.length < 10 ? 2 : 4)
    if (at === 0 || seconds - at >= leastRest) starts.push(at);
  return { starts: starts.length === 0 ? [0] : starts, end: seconds, isComplete: true };
}

/** The cuts of the index in seconds. */
export function plannedCuts({
  index,
  duration,
}: Pick<PlayableFile, 'index' | 'duration'>): CutList {
  if (index === null) return convertedCuts(secondsOf({ index, duration }));
  const { cuts, timescale, isComplete } = index;
  return {
    starts: cuts.map((cut) => cut / timescale),
    end: index.duration / timescale,
    isComplete,
  };
}

/**
 * The cuts of packed sound: each segment starts with its first frame at or after the cut. Cuts are
 * rounded to units of the frames, as the plugin does when it chooses the frames of a segment.
 */
export function frameCuts(cuts: CutList, { timescale, first, length }: FrameTimes): CutList {
  const startOf = (cut: number): number => {
    const frames = Math.ceil((Math.round(cut * timescale) - first) / length);
    return Math.min(cuts.end, (first + frames * length) / timescale);
  };
  // A playlist begins at 0.
  return { ...cuts, starts: cuts.starts.map((cut, n) => (n === 0 ? cut : startOf(cut))) };
}
