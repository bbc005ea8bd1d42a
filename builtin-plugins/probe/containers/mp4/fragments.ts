/** How long a fragmented MP4 is: by its header, its index of segments, or its map at the end. */
import { u16, u32, u64, u8 } from '../../bytes/numbers.ts';
import { ascii } from '../../bytes/text.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { contentOf, findBox, readBoxes, type Box } from './boxes.ts';
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

/** `mfra` at the very end has the time at which the last fragment begins. */
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
    const bytes = await contentOf(source, box);
    const id = u32(bytes, 4);
    const count = u32(bytes, 12);
    const isLong = u8(bytes, 0) === 1;
    const sizes = u32(bytes, 8);
    const entry = (isLong ? 16 : 8) + 3 + ((sizes >> 4) & 3) + ((sizes >> 2) & 3) + (sizes & 3);
    const last = 16 + entry * (count - 1);
    const scale = tracks.find((track) => track.id === id)?.scale ?? 0;
    if (count === 0 || scale === 0 || last + 8 > bytes.length) continue;
    // The last fragment is taken to be as long as the others are on average.
    const begins = isLong ? u64(bytes, last) : u32(bytes, last);
    const average = count > 1 ? begins / (count - 1) : 0;
    longest = Math.max(longest, (begins + average) / scale);
  }
  return longest > 0 ? longest : undefined;
}
