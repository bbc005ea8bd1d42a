/** A track of an MP4 with its samples, in the time of its presentation. */
import { longestPriming } from '../limits.ts';
import type { Packets } from '../media/packets.ts';
import { mostPackets, overBudget } from '../limits.ts';
import type { MovieTrack } from './movie.ts';
import type { SampleTable } from './sample-table.ts';

/** Which samples of a track are sent, and when. */
export interface TimedTrack {
  readonly track: MovieTrack;
  readonly table: SampleTable;
  /** Ticks, after the edits, at which a sample is shown. */
  readonly shownAt: (sample: number) => number;
  /** The samples that are sent: those behind the last edit are not. */
  readonly count: number;
  /** Ticks at which the last of them ends. */
  readonly end: number;
}

/** Joins a track with its samples. */
export function timedTrack(track: MovieTrack, table: SampleTable): TimedTrack {
  const { editShift, shownTo } = track;
  const shownAt = (sample: number): number =>
    table.decodeTime(sample) + table.shift(sample) + editShift;
  let { count } = table;
  while (count > 1 && shownAt(count - 1) >= shownTo) count--;
  return { track, table, shownAt, count, end: Math.min(table.end + editShift, shownTo) };
}

/** The samples from one to another as packets; `zero` is the start of the session in ticks. */
export function packetsBetween(
  { table, shownAt }: TimedTrack,
  { from, to, zero, end }: { from: number; to: number; zero: number; end: number | undefined },
): Packets {
  if (to - from > mostPackets) throw overBudget(`A segment has ${to - from} packets.`);
  const count = Math.max(0, to - from);
  const samples = Array.from({ length: count }, (_, index) => from + index);
  const times = samples.map((sample) => shownAt(sample) - zero);
  return {
    offsets: table.places(from, to),
    sizes: samples.map(table.size),
    times,
    isSync: syncOf(table.sync, samples),
    end: end === undefined ? lastEnd(table, samples, times) : end - zero,
  };
}

function syncOf(sync: Uint32Array | undefined, samples: readonly number[]): readonly boolean[] {
  if (sync === undefined) return samples.map(() => true);
  let next = firstAtOrAfter(sync, samples[0] ?? 0);
  return samples.map((sample) => {
    const isSync = sync[next] === sample;
    if (isSync) next++;
    return isSync;
  });
}

/** When the packet that is shown last ends. */
function lastEnd(table: SampleTable, samples: readonly number[], times: readonly number[]): number {
  let last = 0;
  times.forEach((time, index) => {
    if (time > (times[last] ?? 0)) last = index;
  });
  const sample = samples[last] ?? 0;
  const next = sample + 1 < table.count ? table.decodeTime(sample + 1) : table.end;
  return (times[last] ?? 0) + next - table.decodeTime(sample);
}

/** The place of the first number at or after another. */
export function firstAtOrAfter(sorted: Uint32Array, wanted: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The first sample of sound that is sent when the session begins at a time: decoders need a few before.
 * Those before a later edit would be heard, but for the one that the first heard one is decoded with.
 */
export function firstSound({ table, track }: TimedTrack, zero: number): number {
  const { editShift, shownFrom, scale } = track;
  const usual = table.count > 1 ? table.decodeTime(1) : 0;
  const least = shownFrom > zero ? shownFrom - usual : zero - longestPriming * scale;
  const from = least - editShift;
  const sample = table.sampleAt(Math.max(0, from));
  return table.decodeTime(sample) < from ? sample + 1 : sample;
}

/** The first sample of sound that begins at or after a time in ticks. */
export function soundFrom({ table, track }: TimedTrack, ticks: number): number {
  const wanted = ticks - track.editShift;
  if (wanted <= 0) return 0;
  const sample = table.sampleAt(wanted);
  return table.decodeTime(sample) < wanted ? sample + 1 : sample;
}
