/**
 * The fragments of a segment: `moof` and the head of `mdat`; the media behind each stays where it is in
 * the file. Pictures are several fragments, since players show nothing of one before all of it is there.
 *
 * The decode times are the times at which the packets are shown, in ascending order. So a segment is
 * made without knowledge of the one before it, and begins exactly where that one ends. A picture that
 * is shown before its decode time has a negative composition offset, as in CMAF (ISO/IEC 23000-19).
 */
import type { Packets, Part } from '../media/packets.ts';
import { joined } from '../../media-headers/bytes/joined.ts';
import { box, fullBox, numbers } from './boxes.ts';
import { trackId } from './init-segment.ts';

const syncFlags = 0x02000000;
const otherFlags = 0x01010000;

/** The packets of a segment. */
export interface SegmentInput {
  readonly packets: Packets;
  readonly kind: 'video' | 'audio';
  /** The number of the segment, from 0. */
  readonly number: number;
  /** Ticks per second. */
  readonly scale: number;
  /** See `InitTrack`. */
  readonly delay: number;
}

/** Seconds of pictures in the first fragment of a segment; each is twice as long as the one before it. */
const firstSeconds = 0.4;
/** A segment has fewer fragments: the fortieth alone would be longer than any film. */
const mostFragments = 64;

/** The parts of a segment: its fragments, each before its media. */
export function fragmentsOf({
  packets,
  kind,
  number,
  scale,
  delay,
}: SegmentInput): readonly Part[] {
  const times = decodeTimes(packets, delay);
  const ends = kind === 'video' ? fragmentEnds(times, scale) : [packets.sizes.length];
  return ends.flatMap((to, place) => {
    const from = ends[place - 1] ?? 0;
    const own = packetsBetween(packets, from, to);
    const sequence = number * mostFragments + place + 1;
    const head = makeFragment({ packets: own, times: times.slice(from, to + 1), kind, sequence });
    return [head, ...placesOf(own)];
  });
}

/** The number of packets before the end of each fragment. */
function fragmentEnds(times: readonly number[], scale: number): readonly number[] {
  const count = times.length - 1;
  const ends: number[] = [];
  let length = firstSeconds * scale;
  let next = (times[0] ?? 0) + length;
  for (let at = 1; at < count && ends.length < mostFragments - 1; at++) {
    const time = times[at] ?? 0;
    if (time < next) continue;
    ends.push(at);
    length *= 2;
    next = time + length;
  }
  return [...ends, count];
}

const packetsBetween = (all: Packets, from: number, to: number): Omit<Packets, 'end'> => ({
  offsets: all.offsets.slice(from, to),
  sizes: all.sizes.slice(from, to),
  parts: all.parts?.slice(from, to),
  times: all.times.slice(from, to),
  ...(all.isSync !== undefined && { isSync: all.isSync.slice(from, to) }),
  prefix: all.prefix,
});

interface FragmentInput {
  readonly packets: Omit<Packets, 'end'>;
  /** The decode time of each packet, and the end of the last. */
  readonly times: readonly number[];
  readonly kind: 'video' | 'audio';
  readonly sequence: number;
}

/** Makes the bytes before the media. */
function makeFragment(input: FragmentInput): Uint8Array {
  const { packets, times, sequence } = input;
  const prefix = packets.prefix?.length ?? 0;
  const dataBytes = packets.sizes.reduce((sum, size) => sum + size + prefix, 0);
  // The length of `trun` does not depend on the offset in it.
  const make = (offset: number): Uint8Array =>
    box(
      'moof',
      fullBox('mfhd', {}, numbers(4, sequence)),
      box(
        'traf',
        fullBox('tfhd', { flags: 0x020000 }, numbers(4, trackId)),
        fullBox('tfdt', { version: 1 }, numbers(8, times[0] ?? 0)),
        runBox(input, offset),
      ),
    );
  const head = mediaHead(dataBytes);
  const length = make(0).length + head.length;
  return joined([make(length), head]);
}

function mediaHead(dataBytes: number): Uint8Array {
  const plain = dataBytes + 8;
  if (plain < 0x100000000) return joined([numbers(4, plain), box('mdat').subarray(4)]);
  return joined([numbers(4, 1), box('mdat').subarray(4), numbers(8, dataBytes + 16)]);
}

/** The decode time of each packet, and the end of the last. */
function decodeTimes({ times, end }: Packets, shift: number): readonly number[] {
  const ordered = times.map((time) => Math.max(0, time + shift)).sort((one, other) => one - other);
  return [...ordered, Math.max(end + shift, ordered.at(-1) ?? 0)];
}

function runBox({ packets, times: decoding, kind }: FragmentInput, offset: number): Uint8Array {
  const { sizes, times, isSync, prefix } = packets;
  const isVideo = kind === 'video';
  const width = isVideo ? 16 : 8;
  const table = new Uint8Array(8 + sizes.length * width);
  const view = new DataView(table.buffer);
  view.setUint32(0, sizes.length);
  view.setUint32(4, offset);
  sizes.forEach((size, index) => {
    const at = 8 + index * width;
    const decoded = decoding[index] ?? 0;
    view.setUint32(at, (decoding[index + 1] ?? decoded) - decoded);
    view.setUint32(at + 4, size + (prefix?.length ?? 0));
    if (!isVideo) return;
    view.setUint32(at + 8, isSync?.[index] === false ? otherFlags : syncFlags);
    view.setInt32(at + 12, (times[index] ?? 0) - decoded);
  });
  // Offset of the data, duration and size; for pictures also flags and composition offset.
  return fullBox('trun', { version: 1, flags: isVideo ? 0xf01 : 0x301 }, table);
}

/** The places of the packets; neighbours are one place. */
export function placesOf({
  offsets,
  sizes,
  prefix,
  parts: whole,
}: Omit<Packets, 'times' | 'end'>): readonly Part[] {
  if (whole !== undefined) return whole.flat();
  const parts: Part[] = [];
  let [from, length] = [0, 0];
  sizes.forEach((size, index) => {
    const offset = offsets[index] ?? 0;
    if (prefix !== undefined) parts.push(prefix, [offset, size]);
    else if (offset === from + length && length > 0) length += size;
    else {
      if (length > 0) parts.push([from, length]);
      [from, length] = [offset, size];
    }
  });
  if (length > 0) parts.push([from, length]);
  return parts;
}
