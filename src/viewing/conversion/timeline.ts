/** Where the segments of a conversion start, in microseconds since time 0 of the session. */
import type { ConversionWork } from '../transcoding/index.ts';

/** The cuts of a conversion. */
export interface Timeline {
  readonly starts: readonly number[];
  readonly end: number;
}

/** In whole microseconds, as the transcoder takes them. */
export function timelineOf({
  cuts,
  duration,
  timescale,
}: Pick<ConversionWork, 'cuts' | 'duration' | 'timescale'>): Timeline {
  const micro = (units: number): number => Math.round((units * 1_000_000) / timescale);
  return { starts: cuts.map(micro), end: micro(duration) };
}

/** Where segment `n` ends. */
export const endOf = ({ starts, end }: Timeline, n: number): number => starts[n + 1] ?? end;

/** Names segment `n` by its place in the film: lists that grow have the same segments. */
export const segmentName = (timeline: Timeline, n: number): string =>
  `${timeline.starts[n] ?? 0}-${endOf(timeline, n)}`;

/** The segment that a time is in; `from` where it is before all of them. */
export function segmentAt({ starts }: Timeline, time: number, from: number): number {
  let n = from;
  while (n + 1 < starts.length && (starts[n + 1] ?? Number.POSITIVE_INFINITY) <= time) n += 1;
  return n;
}
