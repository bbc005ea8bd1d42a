/** The packets of one track in a segment, from the blocks of a container. */
import { mostPackets, overBudget } from '../limits.ts';
import {
  sameCut,
  type AskedSegment,
  type MediaReader,
  type MediaTrack,
} from '../media/open-media.ts';
import type { Packets, Part } from '../media/packets.ts';
import type { Block, Frame } from './block.ts';
import type { BlockUnits } from './units.ts';
import type { CuePoints } from './cue-points.ts';

export interface PlayedTrack extends MediaTrack {
  /** Its number in blocks. */
  readonly number: number;
  /** Bytes with which each packet begins and that the file does not repeat. */
  readonly prefix?: Uint8Array | undefined;
  /** Ticks per second of its segments. */
  readonly scale: number;
  /** Ticks of a packet; 0 if they differ. */
  readonly usual: number;
  /** The time of a packet in ticks of its segments, from the start of the session. */
  readonly timeOf: (fileTicks: number) => number;
  /** Ticks of its segments for a length in those of its blocks. */
  readonly lengthOf: (fileTicks: number) => number;
  /** Ticks before the beginning; see `InitTrack`. */
  readonly delay: number;
  /** Ticks of its first packet, if that is known. */
  readonly first?: number;
}

/** Where packets are found. */
export interface PacketPlaces {
  readonly units: BlockUnits;
  readonly cues: CuePoints;
  /** Seconds of the session at which each key picture is shown. */
  readonly cueTimes: Float64Array;
}

/** The place of the last key picture at or before a time. */
function cueAt(times: Float64Array, seconds: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((times[middle] ?? 0) <= seconds + sameCut) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** A block, or a part of its packets. */
interface BlockPart extends Block {
  /** How many packets of the block are before these. */
  readonly skipped?: number;
}

interface Gathered {
  readonly blocks: BlockPart[];
  packets: number;
}

function gather(into: Gathered, block: BlockPart): void {
  into.blocks.push(block);
  into.packets += block.frames.length;
  if (into.packets > mostPackets) throw overBudget('A segment has too many packets.');
}

/** Pictures: from one key picture to the next, in the order of the file. */
export async function pictures(
  track: PlayedTrack,
  { units, cues, cueTimes }: PacketPlaces,
  asked: AskedSegment,
  reader: MediaReader,
): Promise<Packets> {
  const first = asked.number === 0 ? 0 : cueAt(cueTimes, asked.start);
  const isLast = !Number.isFinite(asked.end);
  const last = isLast ? -1 : cueAt(cueTimes, asked.end);
  const begin = units.unitOf(cues.clusters[first] ?? 0);
  const end = isLast ? units.count - 1 : units.unitOf(cues.clusters[last] ?? 0);
  const gathered: Gathered = { blocks: [], packets: 0 };
  let next = cues.ticks[last] ?? 0;
  for (let unit = begin; unit <= end; unit++) {
    const all = (await units.blocks(unit, reader)).filter((one) => one.track === track.number);
    const from = unit === begin ? keyPlace(all, cues.ticks[first]) : 0;
    const to = unit === end && !isLast ? keyPlace(all, cues.ticks[last]) : all.length;
    for (const block of all.slice(from, to)) gather(gathered, block);
    if (unit === end) next = Math.min(next, earliestFrom(all, to));
    if (asked.isKeyOnly && gathered.blocks.length > 0) break;
  }
  const shown = asked.isKeyOnly ? gathered.blocks.slice(0, 1) : gathered.blocks;
  return toPackets(track, shown, isLast ? undefined : track.timeOf(next));
}

/**
 * Ticks of the picture that is shown first from a key picture on. In an open group pictures behind the
 * key picture are shown before it, and the segment before it ends with them.
 */
function earliestFrom(blocks: readonly Block[], place: number): number {
  let earliest = Infinity;
  for (let at = place; at < blocks.length && (at === place || blocks[at]?.isKey !== true); at++)
    earliest = Math.min(earliest, blocks[at]?.ticks ?? Infinity);
  return earliest;
}

/** The place of the key picture with a time; without it, of the first later one. */
function keyPlace(blocks: readonly Block[], ticks = 0): number {
  const exact = blocks.findIndex((block) => block.isKey && block.ticks === ticks);
  if (exact >= 0) return exact;
  const later = blocks.findIndex((block) => block.isKey && block.ticks > ticks);
  return later < 0 ? blocks.length : later;
}

const mostBack = 4;
/** Sound that is this far behind the pictures in the file is still found. */
const behindSeconds = 5;

/**
 * Sound: the packets that begin between two times. It may lie before the key picture of the segment
 * in the file, which the first packet behind that picture tells. A block of several packets may begin
 * before a segment and end in it: each packet counts by its own time.
 */
export async function sound(
  track: PlayedTrack,
  { units, cues, cueTimes }: PacketPlaces,
  asked: AskedSegment,
  reader: MediaReader,
): Promise<Packets> {
  const from = asked.number === 0 ? -Infinity : Math.round(asked.start * track.scale);
  const to = Number.isFinite(asked.end) ? Math.round(asked.end * track.scale) : Infinity;
  const own = async (unit: number): Promise<readonly Block[]> =>
    (await units.blocks(unit, reader)).filter((one) => one.track === track.number);
  let unit =
    asked.number === 0 ? 0 : units.unitOf(cues.clusters[cueAt(cueTimes, asked.start)] ?? 0);
  for (let back = 0; back < mostBack && unit > 0; back++, unit--) {
    const blocks = await own(unit);
    const [first] = blocks;
    // Before a block of one packet only whole ones lie.
    const least = blocks.some(({ frames }) => frames.length > 1) ? 1 : track.usual;
    if (first !== undefined && track.timeOf(first.ticks) - least < from) break;
  }
  const limit = asked.end + behindSeconds;
  const gathered: Gathered = { blocks: [], packets: 0 };
  for (let done = false; unit < units.count && !done; unit++) {
    for (const block of await own(unit)) {
      const part = partBetween(track, block, { from, to });
      if (track.timeOf(block.ticks) >= to) done = true;
      else if (part !== undefined) gather(gathered, part);
    }
    const next = cueTimes[firstFrom(cues.clusters, units.startOf(unit + 1))];
    if (next !== undefined && next > limit) done = true;
  }
  return toPackets(track, gathered.blocks, undefined);
}

/** The packets of a block that begin between two times. */
function partBetween(
  track: PlayedTrack,
  block: Block,
  { from, to }: { readonly from: number; readonly to: number },
): BlockPart | undefined {
  const begins = track.timeOf(block.ticks);
  const isIn = (_: Frame, place: number): boolean => {
    const time = begins + place * track.usual;
    return time >= from && time < to;
  };
  const frames = block.frames.filter(isIn);
  if (frames.length === 0) return undefined;
  return { ...block, frames, skipped: block.frames.findIndex(isIn) };
}

/** The place of the first number at or after another. */
function firstFrom(sorted: Float64Array, wanted: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function toPackets(
  track: PlayedTrack,
  blocks: readonly BlockPart[],
  next: number | undefined,
): Packets {
  const frames: Frame[] = [];
  const times: number[] = [];
  const isSync: boolean[] = [];
  for (const block of blocks) {
    const begins = track.timeOf(block.ticks) + (block.skipped ?? 0) * track.usual;
    block.frames.forEach((frame, place) => {
      frames.push(frame);
      times.push(begins + place * track.usual);
      isSync.push(block.isKey);
    });
  }
  const last = times.reduce((most, time) => Math.max(most, time), 0);
  const end = next === undefined || next <= last ? last + lastLength(track, blocks, times) : next;
  return {
    offsets: frames.map(({ offset }) => offset),
    sizes: frames.map(({ size }) => size),
    parts: frames.some(({ parts }) => parts) ? frames.map(partsOf) : undefined,
    times,
    isSync,
    end,
    prefix: track.prefix,
  };
}

const partsOf = ({ offset, size, parts }: Frame): readonly Part[] => parts ?? [[offset, size]];

/** How long the packet that is shown last lasts: as long as the one before it, if nothing says more. */
function lastLength(
  track: PlayedTrack,
  blocks: readonly Block[],
  times: readonly number[],
): number {
  const shownLast = blocks.toSorted((one, other) => one.ticks - other.ticks).at(-1);
  // A block of sound may have several packets, whose length is known.
  if (track.kind === 'audio' && track.usual > 0) return track.usual;
  if (shownLast?.length !== undefined) return track.lengthOf(shownLast.length);
  if (track.usual > 0) return track.usual;
  const sorted = times.toSorted((one, other) => one - other);
  const [before, last] = sorted.slice(-2);
  return before === undefined || last === undefined ? 0 : last - before;
}
