/**
 * MPEG program streams, as on DVDs and from old cameras and recorders. The streams are those of the
 * packets at the beginning, and their details come from the first frames.
 */
import { joined } from '../../../media-headers/bytes/joined.ts';
import { readUpTo } from '../../../media-headers/bytes/byte-source.ts';
import { u16, u8 } from '../../../media-headers/bytes/numbers.ts';
import { truncated } from '../../../media-headers/bytes/probe-error.ts';
import { unitsByStartCode } from '../../../media-headers/codecs/nal-units.ts';
import { readMpegVideo } from '../../../media-headers/codecs/mpeg-video.ts';
import { packetsIn, type ProgramPacket } from '../../../media-headers/mpeg-ps/packets.ts';
import { streamOfType } from '../../../media-headers/mpeg-ts/program.ts';
import type { FormatReader, StreamDraft } from '../../media.ts';
import { readFirstFrames } from '../mpeg-ts/first-frames.ts';
import { readLength } from './runs.ts';

const headBytes = 384 * 1024;
/** Enough of one stream to contain any header. */
const gatheredBytes = 32 * 1024;
const mostStreams = 100;
const mapId = 0xbc;

/** The data of a stream at the beginning of the file. */
interface Gathered {
  readonly id: number;
  readonly parts: Uint8Array[];
  length: number;
}

/** A stream, and the id of its packets. */
export interface ProgramStream extends StreamDraft {
  readonly id: number;
}

export const readMpegPs: FormatReader = async (source) => {
  const head = await readUpTo(source, 0, headBytes);
  const streams = streamsIn(head);
  if (streams.length === 0) throw truncated('The file ends before its first frames.');
  const { firstTime, seconds, runs, warnings } = await readLength(source);
  const rate = streams.find(({ frameRate }) => frameRate !== undefined)?.frameRate;
  const pictures = rate === undefined ? 0 : runs / rate;
  return {
    container: 'mpeg',
    duration: seconds > 0 ? seconds + pictures : undefined,
    streams: streams.map(({ id: _, ...stream }) => stream),
    packets: streams.map(({ id }) => id),
    firstTime,
    warnings,
  };
};

/** In the order in which their packets come, which is the order of other readers, too. */
export function streamsIn(head: Uint8Array): readonly ProgramStream[] {
  const types = new Map<number, number>();
  const all = new Map<number, Gathered>();
  for (const packet of packetsIn(head)) {
    if (packet.id === mapId) readMap(packet.payload, types);
    else gather(all, packet);
  }
  return [...all.values()].flatMap(({ id, parts }) => {
    const bytes = joined(parts);
    const stream = streamOf(id, bytes, types.get(id));
    return stream === undefined ? [] : [{ ...stream, ...readFirstFrames(stream, bytes), id }];
  });
}

function gather(all: Map<number, Gathered>, { id, payload }: ProgramPacket): void {
  const gathered = all.get(id) ?? { id, parts: [], length: 0 };
  if (all.size >= mostStreams && !all.has(id)) return;
  all.set(id, gathered);
  if (gathered.length > gatheredBytes) return;
  gathered.parts.push(payload);
  gathered.length += payload.length;
}

/** The types of streams, where the file names them. */
function readMap(payload: Uint8Array, types: Map<number, number>): void {
  if (payload.length < 8) return;
  const from = 6 + u16(payload, 2);
  for (let at = from; at + 4 <= payload.length - 4; at += 4 + u16(payload, at + 2))
    types.set(u8(payload, at + 1), u8(payload, at));
}

function streamOf(id: number, bytes: Uint8Array, type: number | undefined) {
  const named = type === undefined ? undefined : streamOfType(type);
  if (id >= 0xe0 && id <= 0xef) return named ?? videoOf(bytes);
  if (id >= 0xc0 && id <= 0xdf) return named ?? soundOf(bytes);
  return id >> 8 === 0xbd ? privateStream(id & 0xff, bytes) : undefined;
}

function videoOf(bytes: Uint8Array): StreamDraft | undefined {
  const found = readMpegVideo(bytes);
  if (found !== undefined) return { kind: 'video', codec: found.codec };
  const units = unitsByStartCode(bytes);
  if (units.some((unit) => ((unit[0] ?? 0) & 0x9f) === 7)) return { kind: 'video', codec: 'h264' };
  if (units.some((unit) => unit[0] === 0x42)) return { kind: 'video', codec: 'hevc' };
  if (units.some((unit) => unit[0] === 0xb5 || unit[0] === 0xb6))
    return { kind: 'video', codec: 'mpeg4' };
  return undefined;
}

function soundOf(bytes: Uint8Array): StreamDraft {
  const isAdts = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0;
  return { kind: 'audio', codec: isAdts ? 'aac' : 'mp2' };
}

const rates = [48_000, 96_000, 44_100, 32_000];

/** Private streams of DVDs: the id of the part says the codec. */
function privateStream(part: number, bytes: Uint8Array): StreamDraft | undefined {
  if (part >= 0x20 && part <= 0x3f) return { kind: 'subtitle', codec: 'dvd_subtitle' };
  if (part >= 0x80 && part <= 0x87) return { kind: 'audio', codec: 'ac3' };
  if ((part >= 0x88 && part <= 0x8f) || (part >= 0x98 && part <= 0x9f))
    return { kind: 'audio', codec: 'dts' };
  if (part >= 0xb0 && part <= 0xbf) return { kind: 'audio', codec: 'truehd' };
  if (part >= 0xc0 && part <= 0xcf) return { kind: 'audio', codec: 'eac3' };
  if (part < 0xa0 || part > 0xaf) return undefined;
  const format = bytes[4] ?? 0;
  return {
    kind: 'audio',
    codec: 'pcm_dvd',
    bitDepth: 16 + 4 * Math.min(2, format >> 6),
    channels: (format & 7) + 1,
    sampleRate: rates[(format >> 4) & 3],
  };
}
