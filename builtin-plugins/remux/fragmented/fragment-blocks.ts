/** The samples of fragments (`moof`) as blocks (ISO/IEC 14496-12, 8.8). */
import { i32, u24, u32, u64, u8 } from '../../media-headers/bytes/numbers.ts';
import { malformed } from '../../media-headers/bytes/probe-error.ts';
import { readBox } from '../../media-headers/mp4/boxes.ts';
import type { Block, BlockWalker } from '../blocks/block.ts';
import { mostFragmentBytes, mostPackets, overBudget } from '../limits.ts';
import type { FragmentDefaults } from '../mp4/movie.ts';
import { MemoryBoxes } from '../mp4/memory-boxes.ts';

/** What a track has where its fragments say nothing. */
export interface FragmentTrack extends FragmentDefaults {
  /** Ticks that are added to times. */
  readonly editShift: number;
}

const mostParts = 200;
const notSync = 0x10000;

/** Walks over fragments. A track without a time goes on where its last fragment ended. */
export function fragmentWalker(tracks: ReadonlyMap<number, FragmentTrack>): BlockWalker {
  return async (source, walk) => {
    const next = new Map<number, number>();
    const end = Math.min(walk.to, source.size);
    let at = walk.from;
    while (at + 8 <= end) {
      const place = await readBox(source, at, source.size);
      if (place === undefined || place.end <= at || place.end > source.size) break;
      if (place.type === 'moof') {
        const length = place.end - place.from;
        if (length > mostFragmentBytes) throw overBudget(`A fragment has ${length} bytes.`);
        const bytes = await source.read(place.from, length);
        const blocks = blocksOf(bytes, { start: at, tracks, wanted: walk.tracks, next });
        if (!blocks.every((block) => walk.visit(block))) break;
      }
      at = place.end;
    }
    return at;
  };
}

interface Moof {
  readonly start: number;
  readonly tracks: ReadonlyMap<number, FragmentTrack>;
  readonly wanted: ReadonlySet<number>;
  /** Decode times at which the next fragment of a track begins. */
  readonly next: Map<number, number>;
}

function blocksOf(bytes: Uint8Array, moof: Moof): readonly Block[] {
  let implied = moof.start;
  return new MemoryBoxes(bytes).contents('traf', mostParts).flatMap((content) => {
    const boxes = new MemoryBoxes(content);
    const header = boxes.content('tfhd');
    if (header === undefined) return [];
    const id = u32(header, 4);
    const defaults = moof.tracks.get(id);
    if (defaults === undefined) return [];
    const about = readHeader(header, defaults, { start: moof.start, implied });
    const time = boxes.content('tfdt');
    const from =
      time === undefined
        ? (moof.next.get(id) ?? 0)
        : u8(time, 0) === 1
          ? u64(time, 4)
          : u32(time, 4);
    const samples = readRuns(boxes.contents('trun', mostParts), about, from);
    implied = samples.dataEnd;
    moof.next.set(id, samples.end);
    const base = { track: id, cluster: moof.start };
    return moof.wanted.has(id) ? samples.blocks.map((block) => ({ ...block, ...base })) : [];
  });
}

interface Header extends FragmentTrack {
  /** Where offsets count from. */
  readonly base: number;
  readonly hasBase: boolean;
}

function readHeader(
  bytes: Uint8Array,
  defaults: FragmentTrack,
  { start, implied }: { readonly start: number; readonly implied: number },
): Header {
  const flags = u24(bytes, 1);
  let at = 8;
  const take = (flag: number, width: 4 | 8): number | undefined => {
    if ((flags & flag) === 0) return undefined;
    at += width;
    return width === 8 ? u64(bytes, at - 8) : u32(bytes, at - 4);
  };
  const base = take(1, 8);
  take(2, 4);
  const [duration, size, sampleFlags] = [take(8, 4), take(16, 4), take(32, 4)];
  const isFromStart = (flags & 0x20000) !== 0;
  return {
    base: base ?? (isFromStart ? start : implied),
    hasBase: base !== undefined || isFromStart,
    duration: duration ?? defaults.duration,
    size: size ?? defaults.size,
    flags: sampleFlags ?? defaults.flags,
    editShift: defaults.editShift,
  };
}

type Sample = Omit<Block, 'track' | 'cluster'>;

function readRuns(
  runs: readonly Uint8Array[],
  about: Header,
  from: number,
): { readonly blocks: readonly Sample[]; readonly end: number; readonly dataEnd: number } {
  const blocks: Sample[] = [];
  let [time, offset] = [from, about.base];
  for (const bytes of runs) {
    const flags = u24(bytes, 1);
    const count = u32(bytes, 4);
    let at = 8;
    const take = (flag: number): number | undefined => {
      if ((flags & flag) === 0) return undefined;
      at += 4;
      return u32(bytes, at - 4);
    };
    if ((flags & 1) !== 0) offset = about.base + i32(bytes, at);
    take(1);
    const first = take(4);
    if (blocks.length + count > mostPackets) throw overBudget('A fragment has too many samples.');
    for (let sample = 0; sample < count; sample++) {
      const duration = take(0x100) ?? about.duration;
      const size = take(0x200) ?? about.size;
      const own = take(0x400) ?? (sample === 0 ? first : undefined) ?? about.flags;
      const shift = (flags & 0x800) === 0 ? 0 : i32(bytes, at);
      take(0x800);
      blocks.push({
        ticks: time + shift + about.editShift,
        isKey: (own & notSync) === 0,
        frames: [{ offset, size }],
        length: duration,
      });
      time += duration;
      offset += size;
    }
  }
  if (!Number.isSafeInteger(time)) throw malformed('The times of a fragment are too large.');
  return { blocks, end: time, dataEnd: offset };
}
