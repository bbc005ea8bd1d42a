/**
 * Walks over the packets of a transport stream and puts their payloads together (ISO/IEC 13818-1,
 * 2.4.3). What begins between two places is read to its end, also behind the second place.
 */
import type { ByteSource } from '../../media-headers/bytes/byte-source.ts';
import type { PacketLayout } from '../../media-headers/mpeg-ts/packets.ts';
import { Elementary } from './elementary.ts';

/** A piece of a stream that begins with a header of its own (PES). */
export interface StreamPiece {
  readonly pid: number;
  /** Where its first packet is. */
  readonly start: number;
  /** Ticks of 90 kHz, in 33 bits; `undefined` when it has none. */
  readonly time: number | undefined;
  readonly content: Elementary;
}

export interface PacketWalk {
  readonly layout: PacketLayout;
  readonly from: number;
  readonly to: number;
  readonly pids: ReadonlySet<number>;
  /** Bytes of a piece that are kept. */
  readonly mostBytes: number;
  /** Called for each piece when it is complete; `false` ends the walk. */
  readonly visit: (piece: StreamPiece) => boolean;
  /** Called at the start of a piece behind the end; whether it is still read. */
  readonly isWantedBehind: (pid: number) => boolean;
}

const mark = 0x47;
const readBytes = 188 * 1024;
const behindBytes = 8 * 1024 * 1024;

interface Gathering {
  readonly start: number;
  readonly time: number | undefined;
  readonly content: Elementary;
}

/** Walks, and returns where it ended. */
export async function walkPackets(source: ByteSource, walk: PacketWalk): Promise<number> {
  const { layout, pids, visit } = walk;
  const open = new Map<number, Gathering>();
  const close = (pid: number): boolean => {
    const piece = open.get(pid);
    open.delete(pid);
    return piece === undefined || visit({ pid, ...piece });
  };
  const step = Math.floor(readBytes / layout.length) * layout.length;
  const last = Math.min(source.size, walk.to + behindBytes);
  let at = walk.from;
  while (at + 188 <= last) {
    const bytes = await source.read(at, Math.min(step, source.size - at));
    for (let place = 0; place + 188 <= bytes.length; place += layout.length) {
      const start = at + place;
      const isBehind = start >= walk.to;
      if (isBehind && open.size === 0 && ![...pids].some(walk.isWantedBehind)) return start;
      if (bytes[place] !== mark) continue;
      const pid = (((bytes[place + 1] ?? 0) & 0x1f) << 8) | (bytes[place + 2] ?? 0);
      if (!pids.has(pid)) continue;
      const packet = bytes.subarray(place, place + 188);
      const payload = payloadAt(packet);
      if (((packet[1] ?? 0) & 0x40) !== 0) {
        if (!close(pid)) return start;
        const head = headOf(packet, payload);
        if (head === undefined || (isBehind && !walk.isWantedBehind(pid))) continue;
        const content = new Elementary();
        open.set(pid, { start, time: head.time, content });
        if (head.end < 188) content.add(start + head.end, packet.slice(head.end));
      } else {
        const piece = open.get(pid);
        if (piece === undefined || payload >= 188) continue;
        if (piece.content.length < walk.mostBytes) {
          piece.content.add(start + payload, packet.slice(payload));
        }
      }
    }
    at += step;
  }
  for (const pid of [...open.keys()]) if (!close(pid)) break;
  return Math.min(at, source.size);
}

/** Where the payload of a packet begins. */
function payloadAt(packet: Uint8Array): number {
  const control = ((packet[3] ?? 0) >> 4) & 3;
  if ((control & 1) === 0) return 188;
  return (control & 2) === 0 ? 4 : 5 + (packet[4] ?? 0);
}

/** The time in the header of a piece, and where the header ends. */
function headOf(
  packet: Uint8Array,
  at: number,
): { readonly time: number | undefined; readonly end: number } | undefined {
  if (at + 9 > 188 || packet[at] !== 0 || packet[at + 1] !== 0 || packet[at + 2] !== 1) {
    return undefined;
  }
  const end = at + 9 + (packet[at + 8] ?? 0);
  if (((packet[at + 7] ?? 0) & 0x80) === 0 || at + 14 > 188) return { time: undefined, end };
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = packet.subarray(at + 9, at + 14);
  const time = ((a >> 1) & 7) * 2 ** 30 + (((b << 8) | c) >> 1) * 2 ** 15 + (((d << 8) | e) >> 1);
  return { time, end };
}
