/**
 * The tables of a track: where each sample is, and when. They stay as the file has them; only their
 * runs are counted, so that any sample is found without those before it.
 */
import { u32, u64 } from '../../media-headers/bytes/numbers.ts';
import { malformed } from '../../media-headers/bytes/probe-error.ts';
import { mostSamples, overBudget } from '../limits.ts';
import { createRuns, lastAtOrBefore } from './runs.ts';

/** The content of the boxes in `stbl`, without their heads. */
export type Tables = ReadonlyMap<string, Uint8Array>;

/** Finds samples by number, from 0. */
export interface SampleTable {
  readonly count: number;
  /** Ticks at which a sample is decoded. */
  readonly decodeTime: (sample: number) => number;
  /** Ticks at which the last sample ends. */
  readonly end: number;
  /** Ticks from decoding to showing. */
  readonly shift: (sample: number) => number;
  readonly size: (sample: number) => number;
  /** The place of each sample from one to another. */
  readonly places: (from: number, to: number) => readonly number[];
  /** The last sample that is decoded at or before a time. */
  readonly sampleAt: (ticks: number) => number;
  /** Samples at which decoding may begin, ascending; `undefined` when all are. */
  readonly sync: Uint32Array | undefined;
}

const none = new Uint8Array(0);

/** Reads the tables. */
export function createSampleTable(tables: Tables): SampleTable {
  const sizes = readSizes(tables);
  const times = createRuns(tables.get('stts') ?? none, 'sum');
  const shiftRuns = createRuns(tables.get('ctts') ?? none, 'value');
  const count = Math.min(sizes.count, times.count);
  if (count > mostSamples) throw overBudget(`A track has ${count} samples.`);
  const chunks = readChunks(tables);
  return {
    count,
    end: times.at(count),
    decodeTime: times.at,
    shift: (sample) => (sample < shiftRuns.count ? shiftRuns.at(sample) : 0),
    size: sizes.at,
    sampleAt: (ticks) => Math.min(times.find(ticks), count - 1),
    places: (from, to) => placesOf(chunks, sizes.at, { from, to: Math.min(to, count) }),
    sync: readSync(tables.get('stss'), count),
  };
}

function readSizes(tables: Tables): { count: number; at: (sample: number) => number } {
  const compact = tables.get('stz2');
  if (compact !== undefined) return readCompactSizes(compact);
  const table = tables.get('stsz') ?? none;
  if (table.length < 12) return { count: 0, at: () => 0 };
  const common = u32(table, 4);
  const announced = u32(table, 8);
  if (common > 0) return { count: announced, at: () => common };
  const count = Math.min(announced, Math.floor((table.length - 12) / 4));
  return { count, at: (sample) => u32(table, 12 + 4 * sample) };
}

function readCompactSizes(table: Uint8Array): { count: number; at: (sample: number) => number } {
  const bits = table[7] ?? 0;
  if (table.length < 12 || ![4, 8, 16].includes(bits)) return { count: 0, at: () => 0 };
  const count = Math.min(u32(table, 8), Math.floor(((table.length - 12) * 8) / bits));
  const at = (sample: number): number => {
    const place = 12 + ((sample * bits) >> 3);
    if (bits === 16) return (table[place] ?? 0) * 256 + (table[place + 1] ?? 0);
    if (bits === 8) return table[place] ?? 0;
    return sample % 2 === 0 ? (table[place] ?? 0) >> 4 : (table[place] ?? 0) & 15;
  };
  return { count, at };
}

function readSync(table: Uint8Array | undefined, count: number): Uint32Array | undefined {
  if (table === undefined) return undefined;
  const entries = Math.min(u32(table, 4), Math.floor((table.length - 8) / 4));
  const found = new Uint32Array(entries);
  let [kept, last] = [0, -1];
  for (let entry = 0; entry < entries; entry++) {
    const sample = u32(table, 8 + 4 * entry) - 1;
    if (sample <= last || sample >= count) continue;
    found[kept++] = sample;
    last = sample;
  }
  return found.subarray(0, kept);
}

interface Chunks {
  readonly count: number;
  readonly offset: (chunk: number) => number;
  /** For each run of chunks: its first chunk, its first sample, samples of a chunk. */
  readonly firstChunk: Float64Array;
  readonly firstSample: Float64Array;
  readonly perChunk: Float64Array;
}

function readChunks(tables: Tables): Chunks {
  const long = tables.get('co64');
  const offsets = long ?? tables.get('stco') ?? none;
  const width = long === undefined ? 4 : 8;
  const count =
    offsets.length < 8 ? 0 : Math.min(u32(offsets, 4), Math.floor((offsets.length - 8) / width));
  const table = tables.get('stsc') ?? none;
  const runs = table.length < 8 ? 0 : Math.min(u32(table, 4), Math.floor((table.length - 8) / 12));
  const [firstChunk, firstSample, perChunk] = [runs, runs, runs].map(
    (length) => new Float64Array(length),
  ) as [Float64Array, Float64Array, Float64Array];
  for (let run = 0; run < runs; run++) {
    firstChunk[run] = u32(table, 8 + 12 * run) - 1;
    perChunk[run] = u32(table, 12 + 12 * run);
    const [before = 0, chunk = 0] = [firstChunk[run - 1], firstChunk[run]];
    if (run > 0 && chunk <= before) throw malformed('The chunks of a track are out of order.');
    firstSample[run] =
      run === 0 ? 0 : (firstSample[run - 1] ?? 0) + (chunk - before) * (perChunk[run - 1] ?? 0);
  }
  const offset = (chunk: number): number =>
    width === 8 ? u64(offsets, 8 + 8 * chunk) : u32(offsets, 8 + 4 * chunk);
  return { count, offset, firstChunk, firstSample, perChunk };
}

const mostInChunk = 200_000;

function placesOf(
  chunks: Chunks,
  sizeOf: (sample: number) => number,
  { from, to }: { readonly from: number; readonly to: number },
): readonly number[] {
  const places: number[] = [];
  if (to <= from) return places;
  let run = lastAtOrBefore(chunks.firstSample, from);
  const each = (): number => chunks.perChunk[run] ?? 0;
  if (each() === 0) throw malformed('A chunk of a track has no samples.');
  const skipped = Math.floor((from - (chunks.firstSample[run] ?? 0)) / each());
  let chunk = (chunks.firstChunk[run] ?? 0) + skipped;
  let sample = (chunks.firstSample[run] ?? 0) + skipped * each();
  if (from - sample > mostInChunk) throw overBudget('A chunk of a track has too many samples.');
  for (; sample < to; chunk++) {
    if (chunk >= chunks.count) throw malformed('A track has fewer chunks than samples need.');
    while (chunk >= (chunks.firstChunk[run + 1] ?? Infinity)) run++;
    if (each() === 0) throw malformed('A chunk of a track has no samples.');
    let offset = chunks.offset(chunk);
    for (const end = Math.min(sample + each(), to); sample < end; sample++) {
      if (sample >= from) places.push(offset);
      offset += sizeOf(sample);
    }
  }
  return places;
}
