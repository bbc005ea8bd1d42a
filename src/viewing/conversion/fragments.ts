/**
 * Splits what a transcoder writes into its head and its fragments. A transcoder that was taken over by
 * a media file can write anything, so sizes are limited and nothing is read but box sizes and the time
 * of each fragment (ISO/IEC 14496-12, sections 4.2 and 8.8.12).
 */

/** `ftyp` and `moov`: what a player needs before any fragment. */
export interface FoundHead {
  readonly kind: 'head';
  readonly bytes: Buffer;
}

/** `moof` and `mdat`. */
export interface FoundFragment {
  readonly kind: 'fragment';
  /** The time of its first packet, in the units of its track; before 0 for what an encoder needs first. */
  readonly time: number;
  readonly bytes: Buffer;
  /** Where the packets begin in `bytes`. */
  readonly packetsAt: number;
}

/** What a transcoder wrote is not fragmented MP4. */
export class NotFragments extends Error {}

const mostBoxBytes = 128 * 1024 * 1024;
const mostHeadBytes = 1024 * 1024;
const boxHead = 8;

/** The head and the fragments, as they arrive. Throws `NotFragments` for anything else. */
export async function* fragmentsOf(
  output: AsyncIterable<Buffer>,
): AsyncGenerator<FoundHead | FoundFragment, void> {
  const head: Buffer[] = [];
  let index: Buffer | null = null;
  for await (const { type, bytes } of boxesOf(output)) {
    if (type === 'ftyp' || type === 'moov') {
      head.push(bytes);
      if (type === 'moov') yield { kind: 'head', bytes: Buffer.concat(head.splice(0)) };
    } else if (type === 'moof') index = bytes;
    else if (type === 'mdat' && index !== null) {
      const whole = Buffer.concat([index, bytes]);
      yield {
        kind: 'fragment',
        time: timeOf(index),
        bytes: whole,
        packetsAt: index.length + boxHead,
      };
      index = null;
    } else throw new NotFragments(`There is a box ${JSON.stringify(type)} out of place.`);
  }
}

interface Box {
  readonly type: string;
  readonly bytes: Buffer;
}

async function* boxesOf(output: AsyncIterable<Buffer>): AsyncGenerator<Box, void> {
  let parts: Buffer[] = [];
  let have = 0;
  let wanted = boxHead;
  for await (const part of output) {
    parts.push(part);
    have += part.length;
    if (have < wanted) continue;
    let bytes = Buffer.concat(parts);
    for (wanted = boxHead; bytes.length >= wanted;) {
      const type = bytes.toString('latin1', 4, boxHead);
      const size = bytes.readUInt32BE(0);
      if (size < boxHead || size > (type === 'mdat' ? mostBoxBytes : mostHeadBytes))
        throw new NotFragments(`There is a box of ${size} bytes.`);
      if (bytes.length < size) {
        wanted = size;
        break;
      }
      yield { type, bytes: bytes.subarray(0, size) };
      bytes = bytes.subarray(size);
    }
    parts = [bytes];
    have = bytes.length;
  }
  if (have > 0) throw new NotFragments('The last box is not whole.');
}

/** `tfdt` in the first `traf`. */
function timeOf(moof: Buffer): number {
  const traf = childOf(moof, 'traf');
  const box = traf === null ? null : childOf(traf, 'tfdt');
  if (box === null || box.length < 16) throw new NotFragments('A fragment has no time.');
  if (box.readUInt8(boxHead) === 0) return box.readInt32BE(12);
  if (box.length < 20) throw new NotFragments('The time of a fragment is not whole.');
  const time = Number(box.readBigInt64BE(12));
  if (!Number.isSafeInteger(time)) throw new NotFragments('The time of a fragment is too large.');
  return time;
}

function childOf(box: Buffer, type: string): Buffer | null {
  for (let at = boxHead; at + boxHead <= box.length;) {
    const size = box.readUInt32BE(at);
    if (size < boxHead || at + size > box.length) return null;
    if (box.toString('latin1', at + 4, at + boxHead) === type) return box.subarray(at, at + size);
    at += size;
  }
  return null;
}
