/**
 * Ogg: pages of interleaved packets. The first packet of a stream identifies it, the second one has
 * the tags, and the last page of the file gives the duration.
 */
import {
  indexOfBytes,
  slice,
  u16,
  u16le,
  u24,
  u32,
  u32le,
  u64le,
  u8,
} from '../../media-headers/bytes/numbers.ts';
import { malformed, truncated } from '../../media-headers/bytes/probe-error.ts';
import { ascii } from '../../media-headers/bytes/text.ts';
import { readUpTo, type ByteSource } from '../../media-headers/bytes/byte-source.ts';
import { frameRate, shownSize } from '../../media-headers/codecs/video-format.ts';
import type { FormatReader, StreamDraft } from '../media.ts';
import { readVorbisComment, type VorbisComment } from '../tags/vorbis-comment.ts';
import { readStreamInformation } from './flac.ts';

interface LogicalStream {
  readonly serial: number;
  readonly stream: StreamDraft;
  /** The duration of one unit of a page's position. */
  readonly secondsAt: (position: number) => number;
  /** Start of the comment in the second packet; `undefined` when there is none. */
  readonly commentFrom: number | undefined;
}

const mostPages = 400;
const tailBytes = 64 * 1024;
const packetBytes = 768 * 1024;
const pageMark = [0x4f, 0x67, 0x67, 0x53];

export const readOgg: FormatReader = async (source) => {
  const packets = await readFirstPackets(source);
  const streams: LogicalStream[] = [];
  let comment: VorbisComment | undefined;
  for (const [serial, [first, second]] of packets) {
    const found = first && identify(serial, first);
    if (found === undefined) continue;
    streams.push(found);
    if (second === undefined || found.commentFrom === undefined) continue;
    comment ??= readVorbisComment(second.subarray(found.commentFrom));
  }
  if (streams.length === 0)
    throw malformed('The file begins as Ogg does and holds no known stream.');
  return {
    container: 'ogg',
    duration: await readDuration(source, streams),
    streams: streams.map(({ stream }) => stream),
    tags: comment?.tags,
    chapters: comment?.chapters,
    pictures: comment?.pictures,
  };
};

interface Page {
  readonly serial: number;
  readonly segments: Uint8Array;
  readonly from: number;
  readonly end: number;
  readonly isFirst: boolean;
}

async function readPage(source: ByteSource, at: number): Promise<Page | undefined> {
  const head = await readUpTo(source, at, 27 + 255);
  if (head.length < 28 || ascii(head, 0, 4) !== 'OggS') return undefined;
  const segments = slice(head, 27, u8(head, 26));
  const from = at + 27 + segments.length;
  const end = from + segments.reduce((sum, length) => sum + length, 0);
  return { serial: u32le(head, 14), segments, from, end, isFirst: (u8(head, 5) & 2) !== 0 };
}

/** The first two packets of each stream. */
async function readFirstPackets(
  source: ByteSource,
): Promise<ReadonlyMap<number, readonly Uint8Array[]>> {
  const packets = new Map<number, PacketGatherer>();
  for (let at = 0, count = 0; at < source.size && count < mostPages; count++) {
    const page = await readPage(source, at);
    if (page === undefined) break;
    if (page.end > source.size) throw truncated('The file ends inside of its headers.');
    const gatherer = packets.get(page.serial) ?? new PacketGatherer();
    packets.set(page.serial, gatherer);
    if (!gatherer.isDone) {
      gatherer.take(await source.read(page.from, page.end - page.from), page.segments);
    }
    if (!page.isFirst && [...packets.values()].every(({ isDone }) => isDone)) break;
    at = page.end;
  }
  return new Map([...packets].map(([serial, gatherer]) => [serial, gatherer.packets]));
}

/** Joins the first two packets of a stream. */
class PacketGatherer {
  readonly packets: Uint8Array[] = [];
  #parts: Uint8Array[] = [];
  #length = 0;

  get isDone(): boolean {
    return this.packets.length >= 2;
  }

  take(body: Uint8Array, segments: Uint8Array): void {
    let from = 0;
    let at = 0;
    for (const length of segments) {
      at += length;
      if (length === 255) continue;
      this.#add(body.subarray(from, at));
      this.#finish();
      from = at;
      if (this.isDone) return;
    }
    this.#add(body.subarray(from, at));
  }

  /** Longer packets are cut: tags come before the pictures that make them large. */
  #add(part: Uint8Array): void {
    if (this.#length + part.length > packetBytes) {
      this.#finish();
      return;
    }
    this.#parts.push(part);
    this.#length += part.length;
  }

  #finish(): void {
    const packet = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      packet.set(part, at);
      at += part.length;
    }
    this.packets.push(packet);
    this.#parts = [];
    this.#length = 0;
  }
}

function identify(serial: number, packet: Uint8Array): LogicalStream | undefined {
  const name = ascii(packet, 0, 8);
  if (name === 'OpusHead') return identifyOpus(serial, packet);
  if (name.startsWith('\x01vorbis')) return identifyVorbis(serial, packet);
  if (name.startsWith('\x7fFLAC')) return identifyFlac(serial, packet);
  if (name.startsWith('\x80theora')) return identifyTheora(serial, packet);
  if (name === 'Speex   ') return identifySpeex(serial, packet);
  return undefined;
}

function identifyOpus(serial: number, packet: Uint8Array): LogicalStream {
  const skipped = u16le(packet, 10);
  return {
    serial,
    stream: { kind: 'audio', codec: 'opus', channels: u8(packet, 9), sampleRate: 48000 },
    secondsAt: (position) => (position - skipped) / 48000,
    commentFrom: 8,
  };
}

function identifyVorbis(serial: number, packet: Uint8Array): LogicalStream {
  const rate = u32le(packet, 12);
  if (rate === 0) throw malformed('The sound has no sample rate.');
  const nominal = u32le(packet, 20) | 0;
  return {
    serial,
    stream: {
      kind: 'audio',
      codec: 'vorbis',
      channels: u8(packet, 11),
      sampleRate: rate,
      bitrate: nominal > 0 ? nominal : undefined,
    },
    secondsAt: (position) => position / rate,
    commentFrom: 7,
  };
}

function identifyFlac(serial: number, packet: Uint8Array): LogicalStream {
  const { stream } = readStreamInformation(slice(packet, 17, 34));
  const rate = stream.sampleRate ?? 1;
  return { serial, stream, secondsAt: (position) => position / rate, commentFrom: 4 };
}

function identifySpeex(serial: number, packet: Uint8Array): LogicalStream {
  const rate = u32le(packet, 36);
  return {
    serial,
    stream: { kind: 'audio', codec: 'speex', channels: u32le(packet, 48), sampleRate: rate },
    secondsAt: (position) => (rate > 0 ? position / rate : 0),
    commentFrom: 0,
  };
}

function identifyTheora(serial: number, packet: Uint8Array): LogicalStream {
  const [top, bottom] = [u32(packet, 22), u32(packet, 26)];
  const rate = bottom > 0 ? top / bottom : 0;
  const shift = ((u8(packet, 40) & 3) << 3) | (u8(packet, 41) >> 5);
  const size = { width: u24(packet, 14), height: u24(packet, 17) };
  const aspect = { across: u24(packet, 30), down: u24(packet, 33) };
  return {
    serial,
    stream: {
      kind: 'video',
      codec: 'theora',
      ...shownSize(size, aspect),
      frameRate: frameRate(rate),
    },
    // A position is the number of the last whole picture and the number of pictures since.
    secondsAt: (position) => {
      const key = Math.floor(position / 2 ** shift);
      return rate > 0 ? (key + (position % 2 ** shift)) / rate : 0;
    },
    commentFrom: 7,
  };
}

/** Reads the duration from the last page of each stream, at the end of the file. */
async function readDuration(
  source: ByteSource,
  streams: readonly LogicalStream[],
): Promise<number | undefined> {
  const from = Math.max(0, source.size - tailBytes);
  const tail = await readUpTo(source, from, tailBytes);
  const last = new Map<number, number>();
  for (let at = indexOfBytes(tail, pageMark); at >= 0; at = indexOfBytes(tail, pageMark, at + 4)) {
    if (at + 27 > tail.length) break;
    // A position with all bits set means that no packet ends on the page.
    const isOpen = u16(tail, at + 12) === 0xffff && u32(tail, at + 6) === 0xffffffff;
    if (!isOpen) last.set(u32le(tail, at + 14), u64le(tail, at + 6));
  }
  let longest: number | undefined;
  for (const { serial, secondsAt } of streams) {
    const position = last.get(serial);
    if (position !== undefined) longest = Math.max(longest ?? 0, secondsAt(position));
  }
  return longest;
}
