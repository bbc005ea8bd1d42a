/** The samples of a track, by its tables: where each is, and when it is shown. */
import { u32, u64 } from '../../../media-headers/bytes/numbers.ts';
import type { ByteSource } from '../../../media-headers/bytes/byte-source.ts';
import { contentOf, findBox } from '../../../media-headers/mp4/boxes.ts';
import type { Track } from './track.ts';

/** A sample; times are seconds. */
export interface Sample {
  readonly startTime: number;
  readonly endTime: number;
  readonly offset: number;
  readonly length: number;
}

/** The first samples of a track, up to a number. */
export async function readSamples(
  source: ByteSource,
  track: Track,
  most: number,
): Promise<readonly Sample[]> {
  const table = async (type: string): Promise<Uint8Array> => {
    const box = findBox(track.tables, type);
    return box === undefined ? new Uint8Array(8) : contentOf(source, box);
  };
  const times = readTimes(await table('stts'), most);
  const offsets = await offsetsOf(source, track, most);
  const places = readPlaces(
    { sizes: await table('stsz'), chunks: await table('stsc'), offsets },
    times.length,
  );
  return places.flatMap((place, at) =>
    shownTimes(track, times[at] ?? [0, 0]).map((shown) => ({ ...place, ...shown })),
  );
}

/** When a sample is shown: as often as edits show a part of it. */
function shownTimes(
  { edits, scale }: Track,
  [begins, ends]: readonly [number, number],
): readonly Pick<Sample, 'startTime' | 'endTime'>[] {
  return edits.flatMap(({ shownFrom, from, length }) => {
    const [start, end] = [Math.max(begins, from), Math.min(ends, from + length)];
    const isShown = start < end || (start === end && begins === ends);
    const second = (ticks: number): number => (ticks - from + shownFrom) / scale;
    return isShown ? [{ startTime: second(start), endTime: second(end) }] : [];
  });
}

/** The ticks at which each sample begins and ends. */
function readTimes(bytes: Uint8Array, most: number): readonly (readonly [number, number])[] {
  const times: (readonly [number, number])[] = [];
  let ticks = 0;
  for (let at = 8; at + 8 <= bytes.length && times.length < most; at += 8) {
    const length = u32(bytes, at + 4);
    for (let left = u32(bytes, at); left > 0 && times.length < most; left--) {
      times.push([ticks, ticks + length]);
      ticks += length;
    }
  }
  return times;
}

async function offsetsOf(
  source: ByteSource,
  track: Track,
  most: number,
): Promise<readonly number[]> {
  const box = findBox(track.tables, 'stco') ?? findBox(track.tables, 'co64');
  if (box === undefined) return [];
  const bytes = await contentOf(source, box);
  const width = box.type === 'stco' ? 4 : 8;
  const offsets: number[] = [];
  for (let at = 8; at + width <= bytes.length && offsets.length < most; at += width) {
    offsets.push(width === 4 ? u32(bytes, at) : u64(bytes, at));
  }
  return offsets;
}

/** Chunks contain a number of samples each, one after the other. */
function readPlaces(
  tables: {
    readonly sizes: Uint8Array;
    readonly chunks: Uint8Array;
    readonly offsets: readonly number[];
  },
  most: number,
): readonly Pick<Sample, 'offset' | 'length'>[] {
  const { sizes, chunks, offsets } = tables;
  if (sizes.length < 12) return [];
  const common = u32(sizes, 4);
  const sizeOf = (sample: number): number =>
    common > 0 ? common : 16 + 4 * sample <= sizes.length ? u32(sizes, 12 + 4 * sample) : 0;
  const places: { offset: number; length: number }[] = [];
  let run = 8;
  offsets.forEach((start, chunk) => {
    while (run + 24 <= chunks.length && u32(chunks, run + 12) <= chunk + 1) run += 12;
    const count = run + 12 <= chunks.length ? u32(chunks, run + 4) : 0;
    let offset = start;
    for (let left = count; left > 0 && places.length < most; left--) {
      const length = sizeOf(places.length);
      places.push({ offset, length });
      offset += length;
    }
  });
  return places;
}
