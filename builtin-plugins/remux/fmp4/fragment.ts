/**
 * The fragment of a segment: `moof` and the head of `mdat`; the media behind it stays where it is in
 * the file.
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

/** The fragment of a segment. */
export interface FragmentInput {
  readonly packets: Packets;
  readonly kind: 'video' | 'audio';
  /** The number of the segment, from 0. */
  readonly number: number;
  /** See `InitTrack`. */
  readonly delay: number;
}

/** Makes the bytes before the media. */
export function makeFragment(input: FragmentInput): Uint8Array {
  const { packets, number, delay } = input;
  const prefix = packets.prefix?.length ?? 0;
  const dataBytes = packets.sizes.reduce((sum, size) => sum + size + prefix, 0);
  const clock = decodeTimes(packets, delay);
  // The length of `trun` does not depend on the offset in it.
  const make = (offset: number): Uint8Array =>
    box(
      'moof',
      fullBox('mfhd', {}, numbers(4, number + 1)),
      box(
        'traf',
        fullBox('tfhd', { flags: 0x020000 }, numbers(4, trackId)),
        fullBox('tfdt', { version: 1 }, numbers(8, clock.start)),
        runBox(input, clock, offset),
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

interface Clock {
  readonly start: number;
  /** The decode time of each packet, and the end of the last. */
  readonly times: readonly number[];
}

function decodeTimes({ times, end }: Packets, shift: number): Clock {
  const ordered = times.map((time) => Math.max(0, time + shift)).sort((one, other) => one - other);
  ordered.push(Math.max(end + shift, ordered.at(-1) ?? 0));
  return { start: ordered[0] ?? 0, times: ordered };
}

function runBox({ packets, kind }: FragmentInput, clock: Clock, offset: number): Uint8Array {
  const { sizes, times, isSync, prefix } = packets;
  const isVideo = kind === 'video';
  const width = isVideo ? 16 : 8;
  const table = new Uint8Array(8 + sizes.length * width);
  const view = new DataView(table.buffer);
  view.setUint32(0, sizes.length);
  view.setUint32(4, offset);
  sizes.forEach((size, index) => {
    const at = 8 + index * width;
    const decoded = clock.times[index] ?? 0;
    view.setUint32(at, (clock.times[index + 1] ?? decoded) - decoded);
    view.setUint32(at + 4, size + (prefix?.length ?? 0));
    if (!isVideo) return;
    view.setUint32(at + 8, isSync?.[index] === false ? otherFlags : syncFlags);
    view.setInt32(at + 12, (times[index] ?? 0) - decoded);
  });
  // Offset of the data, duration and size; for pictures also flags and composition offset.
  return fullBox('trun', { version: 1, flags: isVideo ? 0xf01 : 0x301 }, table);
}

/** The places of the packets; neighbours are one place. */
export function placesOf({ offsets, sizes, prefix, parts: whole }: Packets): readonly Part[] {
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
