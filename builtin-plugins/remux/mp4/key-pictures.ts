/** Where pictures may be cut: at each key picture, and when what follows it begins to be shown. */
import { lastAtOrBefore } from './runs.ts';
import { firstAtOrAfter, type TimedTrack } from './timed-track.ts';

/** Key pictures in their order. */
export interface KeyPictures {
  readonly samples: Uint32Array;
  /** The ticks at which the part of each begins. */
  readonly times: Float64Array;
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
  const { table } = timed;
  const sync = table.sync ?? Uint32Array.from({ length: table.count }, (_, sample) => sample);
  let first = 0;
  while (first + 1 < sync.length && timed.shownAt(sync[first + 1] ?? 0) <= 0) first++;
  const samples = sync.subarray(first);
  const times = ascending(Float64Array.from(samples, (sample) => beginsAt(timed, sample)));
  return {
    samples,
    times,
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
function ascending(times: Float64Array): Float64Array {
  let last = -Infinity;
  return times.map((time) => (last = Math.max(last, time)));
}

const mostLeading = 64;

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
