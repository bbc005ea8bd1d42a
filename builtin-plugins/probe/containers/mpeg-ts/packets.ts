/** Packets of a transport stream: of which program part each is, and what it carries. */
import { u8 } from '../../bytes/numbers.ts';

/** How packets lie in the file: 188 bytes, or with four of time before or sixteen of parity behind. */
export interface PacketLayout {
  readonly length: number;
  /** Where the first packet's mark stands. */
  readonly first: number;
}

const mark = 0x47;
const lengths = [188, 192, 204];

/** `undefined` when there are no packets. A recording may begin in the middle of one. */
export function findLayout(head: Uint8Array): PacketLayout | undefined {
  for (let first = head.indexOf(mark); first >= 0 && first < 1024;) {
    for (const length of lengths) {
      const following = [1, 2, 3, 4].map((count) => first + count * length);
      const seen = following.filter((at) => at < head.length);
      if (seen.length > 0 && seen.every((at) => head[at] === mark)) return { length, first };
    }
    first = head.indexOf(mark, first + 1);
  }
  return undefined;
}

export interface Packet {
  readonly pid: number;
  readonly isStart: boolean;
  readonly payload: Uint8Array;
}

/** The packets in bytes that begin with one; places that have lost their mark are passed over. */
export function* packetsIn(bytes: Uint8Array, { length, first }: PacketLayout): Generator<Packet> {
  for (let at = first; at + 188 <= bytes.length; at += length) {
    if (bytes[at] !== mark) continue;
    const control = (u8(bytes, at + 3) >> 4) & 3;
    let from = at + 4;
    if ((control & 2) !== 0) from += 1 + u8(bytes, at + 4);
    if ((control & 1) === 0 || from >= at + 188) continue;
    yield {
      pid: ((u8(bytes, at + 1) & 0x1f) << 8) | u8(bytes, at + 2),
      isStart: (u8(bytes, at + 1) & 0x40) !== 0,
      payload: bytes.subarray(from, at + 188),
    };
  }
}

/** Seconds at which the pictures or sounds of an elementary stream's packet are due. */
export function presentationTime(payload: Uint8Array): number | undefined {
  if (payload.length < 14 || payload[0] !== 0 || payload[1] !== 0 || payload[2] !== 1) {
    return undefined;
  }
  if ((u8(payload, 7) & 0x80) === 0) return undefined;
  const high = (u8(payload, 9) >> 1) & 7;
  const middle = ((u8(payload, 10) << 8) | u8(payload, 11)) >> 1;
  const low = ((u8(payload, 12) << 8) | u8(payload, 13)) >> 1;
  return (high * 2 ** 30 + middle * 2 ** 15 + low) / 90_000;
}
