/** The duration of a fragmented MP4: from its header, its index of segments, or its map at the end. */
import { u16, u24, u32, u64, u8 } from '../../../media-headers/bytes/numbers.ts';
import { ascii } from '../../../media-headers/bytes/text.ts';
import type { ByteSource } from '../../../media-headers/bytes/byte-source.ts';
import {
  contentOf,
  findBox,
  readBox,
  readBoxes,
  type Box,
} from '../../../media-headers/mp4/boxes.ts';
import type { Track } from './track.ts';

export async function readFragmentedDuration(
  source: ByteSource,
  top: readonly Box[],
  movie: readonly Box[],
  tracks: readonly Track[],
  scale: number,
): Promise<number | undefined> {
  const extends_ = findBox(movie, 'mvex');
  if (extends_ === undefined) return undefined;
  const header = findBox(await readBoxes(source, extends_.from, extends_.end), 'mehd');
  if (header !== undefined && scale > 0) {
    const bytes = await contentOf(source, header);
    const ticks = u8(bytes, 0) === 1 ? u64(bytes, 4) : u32(bytes, 4);
    if (ticks > 0) return ticks / scale;
  }
  const index = findBox(top, 'sidx');
  const indexed = index && readSegmentIndex(await contentOf(source, index));
  return indexed ?? readFragmentMap(source, tracks);
}

function readSegmentIndex(bytes: Uint8Array): number | undefined {
  const scale = u32(bytes, 8);
  const isLong = u8(bytes, 0) === 1;
  const count = u16(bytes, isLong ? 30 : 22);
  let ticks = 0;
  for (let at = isLong ? 32 : 24, left = count; left > 0; left--, at += 12) {
    ticks += u32(bytes, at + 4);
  }
  return scale > 0 && ticks > 0 ? ticks / scale : undefined;
}

/** `mfra` at the end of the file gives the last fragment of each track. */
async function readFragmentMap(
  source: ByteSource,
  tracks: readonly Track[],
): Promise<number | undefined> {
  if (source.size < 16) return undefined;
  const tail = await source.read(source.size - 16, 16);
  const length = u32(tail, 12);
  if (ascii(tail, 4, 4) !== 'mfro' || length > source.size || length < 16) return undefined;
  const start = source.size - length;
  let longest = 0;
  for (const box of await readBoxes(source, start + 8, source.size)) {
    if (box.type !== 'tfra') continue;
    const place = lastPlace(await contentOf(source, box));
    const end = place === undefined ? 0 : await readFragmentEnd(source, place, tracks);
    longest = Math.max(longest, end);
  }
  return longest > 0 ? longest : undefined;
}

/** Entries have a time, a place, and three numbers of 1 to 4 bytes. */
function lastPlace(bytes: Uint8Array): number | undefined {
  const count = u32(bytes, 12);
  const width = u8(bytes, 0) === 1 ? 8 : 4;
  const sizes = u32(bytes, 8);
  const entry = width * 2 + 3 + ((sizes >> 4) & 3) + ((sizes >> 2) & 3) + (sizes & 3);
  const at = 16 + entry * (count - 1) + width;
  if (count === 0 || at + width > bytes.length) return undefined;
  return width === 8 ? u64(bytes, at) : u32(bytes, at);
}

/** Seconds at which the samples of a fragment end. */
async function readFragmentEnd(
  source: ByteSource,
  place: number,
  tracks: readonly Track[],
): Promise<number> {
  const fragment = await readBox(source, place, source.size);
  if (fragment?.type !== 'moof' || fragment.end > source.size) return 0;
  let longest = 0;
  for (const part of await readBoxes(source, fragment.from, fragment.end)) {
    if (part.type !== 'traf') continue;
    const boxes = await readBoxes(source, part.from, part.end);
    const content = async (type: string) => {
      const box = findBox(boxes, type);
      return box && contentOf(source, box);
    };
    const [header, base] = [await content('tfhd'), await content('tfdt')];
    if (header === undefined || base === undefined) continue;
    const scale = tracks.find((track) => track.id === u32(header, 4))?.scale ?? 0;
    let ticks = u8(base, 0) === 1 ? u64(base, 4) : u32(base, 4);
    for (const box of boxes) {
      if (box.type === 'trun')
        ticks += runLength(await contentOf(source, box), usualLength(header));
    }
    if (scale > 0) longest = Math.max(longest, ticks / scale);
  }
  return longest;
}

/** The default duration of a sample. */
function usualLength(header: Uint8Array): number {
  const flags = u24(header, 1);
  if ((flags & 8) === 0) return 0;
  return u32(header, 8 + ((flags & 1) !== 0 ? 8 : 0) + ((flags & 2) !== 0 ? 4 : 0));
}

function runLength(bytes: Uint8Array, usual: number): number {
  const flags = u24(bytes, 1);
  const count = u32(bytes, 4);
  if ((flags & 0x100) === 0) return count * usual;
  const entry = [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0).length * 4;
  let at = 8 + ((flags & 1) !== 0 ? 4 : 0) + ((flags & 4) !== 0 ? 4 : 0);
  let ticks = 0;
  for (let left = count; left > 0 && at + 4 <= bytes.length; left--, at += entry) {
    ticks += u32(bytes, at);
  }
  return ticks;
}
