/** Packets of a program stream: the stream of each packet, its content and its time. */
import { u16, u8 } from '../bytes/numbers.ts';

/** Times are counted in 33 bits. */
export const wrapSeconds = 2 ** 33 / 90_000;

/** A packet of an elementary stream. */
export interface ProgramPacket {
  /** The id of the stream; of private streams 0xbd00 and the id of the part. */
  readonly id: number;
  /** When it is shown or heard, in seconds. */
  readonly time: number | undefined;
  readonly payload: Uint8Array;
}

const packCode = 0xba;
const endCode = 0xb9;
const mapCode = 0xbc;
const privateCode = 0xbd;

/** The next start code of a system; -1 when there is none. */
function nextCode(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(1, from + 2); at >= 2; at = bytes.indexOf(1, at + 1))
    if (bytes[at - 1] === 0 && bytes[at - 2] === 0 && (bytes[at + 1] ?? 0) >= endCode)
      return at - 2;
  return -1;
}

/** A head of packets, where one begins there. */
export interface Pack {
  /** Seconds of the clock. */
  readonly clock: number;
  readonly length: number;
}

/** The head of packets at a place; `undefined` when there is none, or when it is cut off. */
export function packAt(bytes: Uint8Array, at: number): Pack | undefined {
  if (at < 0 || at + 18 > bytes.length || nextCode(bytes.subarray(at, at + 4), 0) !== 0)
    return undefined;
  if (bytes[at + 3] !== packCode) return undefined;
  const first = u8(bytes, at + 4);
  const isSecond = (first & 0xc4) === 0x44;
  if (!isSecond && (first & 0xf1) !== 0x21) return undefined;
  const length = isSecond ? 14 + (u8(bytes, at + 13) & 7) : 12;
  const follows = at + length;
  if (follows + 4 <= bytes.length && nextCode(bytes.subarray(follows, follows + 4), 0) !== 0)
    return undefined;
  return { clock: isSecond ? secondClock(bytes, at + 4) : timeAt(bytes, at + 4), length };
}

/** Where a head of packets begins, from a place on; -1 when none does. */
export function findPack(bytes: Uint8Array, from = 0): number {
  let at = nextCode(bytes, from);
  while (at >= 0 && packAt(bytes, at) === undefined) at = nextCode(bytes, at + 1);
  return at;
}

/** Whether the bytes begin as a program stream does, perhaps in the middle of a packet. */
export const isProgramStream = (head: Uint8Array): boolean => findPack(head) >= 0;

/** A time of 33 bits, with marks between them. */
function timeAt(bytes: Uint8Array, at: number): number {
  const high = (u8(bytes, at) >> 1) & 7;
  return (
    (high * 2 ** 30 + (u16(bytes, at + 1) >> 1) * 2 ** 15 + (u16(bytes, at + 3) >> 1)) / 90_000
  );
}

function secondClock(bytes: Uint8Array, at: number): number {
  const high = (u8(bytes, at) >> 3) & 7;
  const middle = ((u8(bytes, at) & 3) << 13) | (u8(bytes, at + 1) << 5) | (u8(bytes, at + 2) >> 3);
  const low = ((u8(bytes, at + 2) & 3) << 13) | (u8(bytes, at + 3) << 5) | (u8(bytes, at + 4) >> 3);
  return (high * 2 ** 30 + middle * 2 ** 15 + low) / 90_000;
}

/** The packets of video, sound and subtitles in bytes; places without a start code are skipped. */
export function* packetsIn(bytes: Uint8Array): Generator<ProgramPacket> {
  for (let at = nextCode(bytes, 0); at >= 0 && at + 9 < bytes.length; at = nextCode(bytes, at)) {
    const code = u8(bytes, at + 3);
    if (code === packCode) {
      at += packAt(bytes, at)?.length ?? 4;
      continue;
    }
    if (code === endCode) {
      at += 4;
      continue;
    }
    const end = at + 6 + u16(bytes, at + 4);
    const isElementary = code === privateCode || (code >= 0xc0 && code <= 0xef);
    if (isElementary || code === mapCode) {
      const packet = bytes.subarray(at, Math.min(end, bytes.length));
      const found =
        code === mapCode ? { id: mapCode, payload: packet.subarray(6) } : bodyOf(packet);
      if (found !== undefined) yield { time: undefined, ...found };
    }
    at = end;
  }
}

/** Without the head of the packet, and for a private stream without the id of its part. */
function bodyOf(packet: Uint8Array): ProgramPacket | undefined {
  const { from, time } = headOf(packet);
  const code = u8(packet, 3);
  if (from >= packet.length) return undefined;
  const payload = packet.subarray(from);
  if (code !== privateCode) return { id: code, time, payload };
  // Broadcasts have the frames of AC-3 without the four bytes that discs put before them.
  const isPlain = payload[0] === 0x0b && payload[1] === 0x77;
  const part = isPlain ? 0x80 : u8(payload, 0);
  return { id: privateCode * 0x100 + part, time, payload: isPlain ? payload : payload.subarray(1) };
}

function headOf(packet: Uint8Array): { readonly from: number; readonly time: number | undefined } {
  if ((u8(packet, 6) & 0xc0) === 0x80) {
    const hasTime = (u8(packet, 7) & 0x80) !== 0 && packet.length >= 14;
    return { from: 9 + u8(packet, 8), time: hasTime ? timeAt(packet, 9) : undefined };
  }
  let at = 6;
  while (at < 22 && packet[at] === 0xff) at += 1;
  if (((packet[at] ?? 0) & 0xc0) === 0x40) at += 2;
  const mark = (packet[at] ?? 0) >> 4;
  const hasTime = (mark === 2 || mark === 3) && at + 5 <= packet.length;
  const length = mark === 2 ? 5 : mark === 3 ? 10 : 1;
  return { from: at + length, time: hasTime ? timeAt(packet, at) : undefined };
}
