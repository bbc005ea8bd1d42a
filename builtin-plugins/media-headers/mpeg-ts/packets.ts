/** Packets of a transport stream: the stream of each packet, and its content. */
import { u8 } from '../bytes/numbers.ts';

/** The layout of packets: 188 bytes, or with four bytes of time before or sixteen of parity after. */
export interface PacketLayout {
  readonly length: number;
  /** The position of the first sync byte. */
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

/** The packets in bytes that begin with one; places without a sync byte are skipped. */
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

/** The presentation time in seconds of a packet of an elementary stream. */
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
