/** Where pictures may be cut: at each key picture, and when what follows it begins to be shown. */
import { lastAtOrBefore } from './runs.ts';
import { firstAtOrAfter, type TimedTrack } from './timed-track.ts';

/** Key pictures in their order. */
export interface KeyPictures {
  readonly samples: Uint32Array;
  /** The ticks at which the part of each begins. */
  readonly times: Float64Array;
  /** Pictures before the edit of the track, from which the first shown ones are decoded. */
  readonly hidden: number;
  /** The place of the first one whose part begins at or after a time. */
  readonly from: (ticks: number) => number;
  /** When the part of a key picture begins, by its sample. */
  readonly timeOf: (sample: number) => number | undefined;
}

/**
 * Finds the key pictures from the beginning on. Those before the edit of the track are left out, but
 * for the last of them, from which the first shown picture is decoded.
 */
export function findKeyPictures(timed: TimedTrack): KeyPictures {
  const { table, count, track } = timed;
  const all = table.sync ?? Uint32Array.from({ length: count }, (_, sample) => sample);
  const sync = all.subarray(0, firstAtOrAfter(all, count));
  let first = 0;
  while (first + 1 < sync.length && timed.shownAt(sync[first + 1] ?? 0) <= track.shownFrom) first++;
  const samples = sync.subarray(first);
  const times = Float64Array.from(samples, (sample) => beginsAt(timed, sample));
  const { hidden, begins } = firstShown(timed, samples);
  if (hidden > 0) times[0] = begins;
  ascending(times);
  return {
    samples,
    times,
    hidden,
    from: (ticks) => {
      const place = lastAtOrBefore(times, ticks);
      return (times[place] ?? Infinity) >= ticks ? place : place + 1;
    },
    timeOf: (sample) => {
      const place = firstAtOrAfter(samples, sample);
      return samples[place] === sample ? times[place] : undefined;
    },
  };
}

/** Times that jump back count as the latest one so far, so that they can be searched. */
function ascending(times: Float64Array): void {
  let last = -Infinity;
  for (const [place, time] of times.entries()) times[place] = last = Math.max(last, time);
}

const mostLeading = 64;

/** How many pictures from the first key picture on are not shown, and when the first one is. */
function firstShown(
  { shownAt, count, track }: TimedTrack,
  [first = 0, second = count]: Uint32Array,
): { readonly hidden: number; readonly begins: number } {
  const last = shownAt(first) < track.shownFrom ? second : first;
  let [hidden, begins] = [0, Infinity];
  for (let sample = first; sample < Math.min(count, last + mostLeading); sample++) {
    const time = shownAt(sample);
    if (time < track.shownFrom) hidden++;
    else begins = Math.min(begins, time);
  }
  return { hidden, begins: Number.isFinite(begins) ? begins : track.shownFrom };
}

/** Pictures that follow a key picture in the file and are shown before it belong to its part. */
function beginsAt({ table, shownAt }: TimedTrack, key: number): number {
  const shown = shownAt(key);
  let earliest = shown;
  const end = Math.min(table.count, key + mostLeading);
  for (let sample = key + 1; sample < end; sample++) {
    const time = shownAt(sample);
    if (time > shown) break;
    earliest = Math.min(earliest, time);
  }
  return earliest;
}
