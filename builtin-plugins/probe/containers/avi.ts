/** AVI: a list of headers in front, then the media. */
import { u16le, u32le } from '../../media-headers/bytes/numbers.ts';
import { malformed, truncated } from '../../media-headers/bytes/probe-error.ts';
import { ascii, untilZero } from '../../media-headers/bytes/text.ts';
import { decodeAlone } from '../../media-headers/charsets/decode-text.ts';
import { codecOfWave, videoCodecOfFourcc } from '../../media-headers/codecs/microsoft.ts';
import { readMpeg4Profile } from '../../media-headers/codecs/mpeg4-visual.ts';
import { frameRate } from '../../media-headers/codecs/video-format.ts';
import type { FormatReader, StreamDraft, TagsDraft } from '../media.ts';
import { readUpTo } from '../../media-headers/bytes/byte-source.ts';
import { readInfoList } from '../tags/info-list.ts';
import { chunksIn, readChunks, type Chunk } from '../../media-headers/riff.ts';

const headerBytes = 256 * 1024;
/** The first frame is at the beginning of the media. */
const firstFrameBytes = 8 * 1024;

export const readAvi: FormatReader = async (source) => {
  const parts = await readChunks(source, 12, source.size, 100);
  const headers = parts.find((part) => part.id === 'hdrl');
  if (headers === undefined) throw truncated('The file has no headers; it was cut off.');
  const bytes = await source.read(headers.from, Math.min(headers.end - headers.from, headerBytes));
  const inside = chunksIn(bytes);
  const main = inside.find((chunk) => chunk.id === 'avih');
  if (main === undefined) throw malformed('The file has no main header.');
  const streams = inside
    .filter((chunk) => chunk.id === 'strl')
    .map((list) => readStream(bytes, list));
  const media = parts.find((part) => part.id === 'movi');
  if (media === undefined || media.end > source.size + 2) {
    throw truncated('The file ends before its media does.');
  }
  const tags: TagsDraft = {};
  for (const part of parts) {
    if (part.id === 'INFO') await readInfoList(source, part, tags);
  }
  const extended = readExtendedFrames(bytes, inside);
  const perFrame = u32le(bytes, main.from) / 1e6;
  const frames = extended ?? u32le(bytes, main.from + 16);
  const video = streams.find(({ stream }) => stream.kind === 'video');
  const byVideo = frames * (video?.secondsPerUnit ?? perFrame);
  const longest = Math.max(byVideo, ...streams.map(({ duration }) => duration), 0);
  const first = await readUpTo(source, media.from, firstFrameBytes);
  return {
    container: 'avi',
    duration: longest,
    streams: streams.map(({ stream }) =>
      stream.codec === 'mpeg4' ? { ...stream, ...readMpeg4Profile(first) } : stream,
    ),
    tags,
  };
};

interface AviStream {
  readonly stream: StreamDraft;
  readonly duration: number;
  readonly secondsPerUnit: number | undefined;
}

function readStream(bytes: Uint8Array, list: Chunk): AviStream {
  const chunks = chunksIn(bytes.subarray(list.from, list.end));
  const part = (id: string): Uint8Array => {
    const chunk = chunks.find((one) => one.id === id);
    return chunk === undefined
      ? new Uint8Array(0)
      : bytes.subarray(list.from + chunk.from, list.from + chunk.end);
  };
  const header = part('strh');
  const [scale, rate, length] = [u32le(header, 20), u32le(header, 24), u32le(header, 32)];
  const isTimed = scale > 0 && rate > 0;
  const title = decodeAlone(untilZero(part('strn')));
  const kind = ascii(header, 0, 4);
  return {
    duration: isTimed ? (length * scale) / rate : 0,
    secondsPerUnit: isTimed ? scale / rate : undefined,
    stream: {
      title,
      isDefault: (u32le(header, 8) & 1) === 0,
      ...(kind === 'vids' && readVideo(header, part('strf'), isTimed ? rate / scale : 0)),
      ...(kind === 'auds' && readAudio(part('strf'))),
      ...(kind === 'txts' && { kind: 'subtitle', codec: 'subrip' }),
      ...(!/^(vids|auds|txts)$/.test(kind) && { kind: 'data', codec: kind.trim() }),
    } as StreamDraft,
  };
}

function readVideo(header: Uint8Array, format: Uint8Array, rate: number): StreamDraft {
  const known = format.length >= 20;
  const fourcc = known ? ascii(format, 16, 4) : ascii(header, 4, 4);
  return {
    kind: 'video',
    codec: videoCodecOfFourcc(fourcc),
    width: known ? u32le(format, 4) : undefined,
    height: known ? Math.abs(u32le(format, 8) | 0) : undefined,
    frameRate: frameRate(rate),
  };
}

function readAudio(format: Uint8Array): StreamDraft {
  if (format.length < 16) return { kind: 'audio', codec: 'unknown' };
  const bits = u16le(format, 14);
  const codec = codecOfWave(u16le(format, 0), bits);
  return {
    kind: 'audio',
    codec,
    channels: u16le(format, 2),
    sampleRate: u32le(format, 4),
    bitrate: u32le(format, 8) * 8,
    bitDepth: codec.startsWith('pcm') ? bits : undefined,
  };
}

/** Frames in all parts of a file above 1 GB. */
function readExtendedFrames(bytes: Uint8Array, inside: readonly Chunk[]): number | undefined {
  const list = inside.find((chunk) => chunk.id === 'odml');
  if (list === undefined) return undefined;
  const inner = chunksIn(bytes.subarray(list.from, list.end)).find((chunk) => chunk.id === 'dmlh');
  const frames = inner === undefined ? 0 : u32le(bytes, list.from + inner.from);
  return frames === 0 ? undefined : frames;
}
