/**
 * Blocks of clusters: which track, when, and where. Only their heads are read. Clusters are not
 * entered: what is in them is walked like what stands beside them, so their sizes need not be known.
 */
import { i16 } from '../../media-headers/bytes/numbers.ts';
import { readUpTo, type ByteSource } from '../../media-headers/bytes/byte-source.ts';
import { malformed } from '../../media-headers/bytes/probe-error.ts';
import { placeIn, type ElementPlace } from '../../media-headers/matroska/elements.ts';
import { ids } from '../../media-headers/matroska/ids.ts';
import type { Block, BlockWalker, Walk } from '../blocks/block.ts';
import { readFrames } from './lacing.ts';

const headBytes = 32;

/** Walks from element to element. Returns where it ended. */
export const walkBlocks: BlockWalker = async (source, walk) => {
  const end = Math.min(walk.to, source.size);
  let [at, cluster, time] = [walk.from, walk.from, 0];
  while (at < end) {
    const part = readUpTo(source, at, headBytes);
    const head = part instanceof Uint8Array ? part : await part;
    const place = placeIn(head, 0);
    if (place === undefined) break;
    if (place.id === ids.cluster || place.id === ids.segment) {
      cluster = at;
      at += place.from;
      continue;
    }
    if (at + place.end > source.size) break;
    if (place.id === ids.timestamp) time = numberIn(head.subarray(place.from, place.end));
    else if (place.id === ids.simpleBlock || place.id === ids.blockGroup) {
      const block = await readBlock(source, { head, place, at, walk });
      if (block !== undefined && !walk.visit({ ...block, ticks: time + block.ticks, cluster }))
        break;
    }
    at += place.end;
  }
  return at;
};

function numberIn(content: Uint8Array): number {
  if (content.length > 8) throw malformed('The time of a cluster is too long.');
  return content.reduce((sum, byte) => sum * 256 + byte, 0);
}

interface FoundElement {
  readonly head: Uint8Array;
  readonly place: ElementPlace;
  readonly at: number;
  readonly walk: Walk;
}

type ReadBlock = Omit<Block, 'cluster'>;

async function readBlock(
  source: ByteSource,
  { head, place, at, walk }: FoundElement,
): Promise<ReadBlock | undefined> {
  if (place.id === ids.simpleBlock) {
    const start = startOf(head.subarray(place.from));
    if (start === undefined || !walk.tracks.has(start.track)) return undefined;
    const from = at + place.from + start.length;
    const frames = await readFrames(source, { from, end: at + place.end, flags: start.flags });
    return { ...start, isKey: (start.flags & 0x80) !== 0, frames, length: undefined };
  }
  return readGroup(source, { from: at + place.from, end: at + place.end, tracks: walk.tracks });
}

interface BlockStart {
  readonly track: number;
  readonly ticks: number;
  readonly flags: number;
  /** Bytes before the packets. */
  readonly length: number;
}

/** Track, time and flags. */
function startOf(bytes: Uint8Array): BlockStart | undefined {
  const [first = 0, second = 0] = bytes;
  const width = first >= 0x80 ? 1 : first >= 0x40 ? 2 : 0;
  if (width === 0 || bytes.length < width + 3) return undefined;
  const track = width === 1 ? first & 0x7f : (first & 0x3f) * 256 + second;
  return { track, ticks: i16(bytes, width), flags: bytes[width + 2] ?? 0, length: width + 3 };
}

const mostChildren = 64;

/** A block with further elements: one that refers to another is not a key picture. */
async function readGroup(
  source: ByteSource,
  { from, end, tracks }: { from: number; end: number; tracks: ReadonlySet<number> },
): Promise<ReadBlock | undefined> {
  let found: ReadBlock | undefined;
  let [isKey, length]: [boolean, number | undefined] = [true, undefined];
  for (let at = from, count = 0; at < end && count < mostChildren; count++) {
    const head = await readUpTo(source, at, Math.min(headBytes, end - at));
    const place = placeIn(head, 0);
    if (place === undefined || at + place.end > end) break;
    const content = head.subarray(place.from, place.end);
    if (place.id === ids.referenceBlock) isKey = false;
    if (place.id === ids.blockDuration) length = numberIn(content);
    if (place.id === ids.block) {
      const start = startOf(content);
      if (start === undefined || !tracks.has(start.track)) return undefined;
      const begins = at + place.from + start.length;
      const frames = await readFrames(source, {
        from: begins,
        end: at + place.end,
        flags: start.flags,
      });
      found = { ...start, isKey: true, frames, length: undefined };
    }
    at += place.end;
  }
  return found && { ...found, isKey, length };
}
