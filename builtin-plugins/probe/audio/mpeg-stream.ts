/** MP3 and older layers: tags at both ends, and the duration of the sound between them. */
import { indexOfBytes, u16, u32 } from '../../media-headers/bytes/numbers.ts';
import { malformed, truncated } from '../../media-headers/bytes/probe-error.ts';
import { ascii } from '../../media-headers/bytes/text.ts';
import { readUpTo, type ByteSource } from '../../media-headers/bytes/byte-source.ts';
import { readMpegAudioFrame, type MpegAudioFrame } from '../../media-headers/codecs/mpeg-audio.ts';
import type { FormatReader, FoundPicture } from '../media.ts';
import { readApeTag } from '../tags/ape-tag.ts';
import { id3v1Bytes, readId3v1 } from '../tags/id3v1.ts';
import { readId3 } from '../tags/id3v2.ts';

const searchedBytes = 64 * 1024;
const blockBytes = 64 * 1024;
/** A table of contents may be a few frames off; a file that lacks more was cut off. */
const leastShare = 0.9;

export const readMpegAudio: FormatReader = async (source) => {
  const id3 = await readId3(source);
  const tags = { ...id3.tags };
  let end = source.size;
  const pictures: FoundPicture[] = [...id3.pictures];
  // The end is read if it costs nothing, or if the front has no title.
  if (source.size <= blockBytes || tags.title === undefined) {
    const tail = await readTail(source, tags);
    end = tail.end;
    pictures.push(...tail.pictures);
  }
  const start = await skipFurtherTags(source, id3.length);
  const head = await readUpTo(source, start, searchedBytes);
  if (head.length === 0) throw truncated('The file has tags and no sound.');
  const at = findFrame(head);
  if (at === undefined) throw malformed('There is no sound where MP3 must have it.');
  const frame = frameAt(head, at);
  const timing = timingOf(head, at, frame, end - start - at);
  return {
    container: frame.codec,
    duration: timing.duration,
    bitrate: timing.bitrate,
    streams: [
      {
        kind: 'audio',
        codec: frame.codec,
        channels: frame.channels,
        sampleRate: frame.sampleRate,
        bitrate: timing.bitrate,
      },
    ],
    tags,
    chapters: id3.chapters,
    pictures,
  };
};

/** Some programs put a tag before an existing tag. */
async function skipFurtherTags(source: ByteSource, from: number): Promise<number> {
  let at = from;
  for (let count = 0; count < 4 && at > 0; count++) {
    const { length } = await readId3(source, at);
    if (length === 0) return at;
    at += length;
  }
  return at;
}

async function readTail(
  source: ByteSource,
  tags: Parameters<typeof readId3v1>[1],
): Promise<{ readonly end: number; readonly pictures: readonly FoundPicture[] }> {
  const length = Math.min(source.size, id3v1Bytes);
  const last = await source.read(source.size - length, length);
  const hasOld = ascii(last, last.length - id3v1Bytes, 3) === 'TAG';
  const end = source.size - (hasOld ? id3v1Bytes : 0);
  const ape = await readApeTag(source, end, tags);
  readId3v1(last, tags);
  return { end: end - ape.length, pictures: ape.pictures };
}

/** A header counts if another one follows at its frame's end, or the file ends there. */
function findFrame(bytes: Uint8Array): number | undefined {
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const frame = readMpegAudioFrame(bytes, at);
    if (frame === undefined) continue;
    const next = readMpegAudioFrame(bytes, at + frame.length);
    if (next?.codec === frame.codec && next.sampleRate === frame.sampleRate) return at;
    if (at === 0 && at + frame.length + 4 > bytes.length) return at;
  }
  return undefined;
}

function frameAt(bytes: Uint8Array, at: number): MpegAudioFrame {
  const frame = readMpegAudioFrame(bytes, at);
  if (frame === undefined) throw malformed('There is no sound where MP3 must have it.');
  return frame;
}

interface Timing {
  readonly duration: number | undefined;
  readonly bitrate: number | undefined;
}

function timingOf(head: Uint8Array, at: number, frame: MpegAudioFrame, bytes: number): Timing {
  const counted = readFrameCount(head.subarray(at, at + frame.length), frame);
  if (counted !== undefined) {
    if (counted.bytes !== undefined && counted.bytes * leastShare > bytes) {
      throw truncated(`The file ends ${counted.bytes - bytes} bytes before its sound does.`);
    }
    const samples = counted.frames * frame.samples - counted.padding;
    const duration = samples / frame.sampleRate;
    const sound = counted.bytes ?? bytes;
    return { duration, bitrate: Math.round((sound * 8) / duration) };
  }
  const bitrate = averageBitrate(head, at);
  return { duration: (bytes * 8) / bitrate, bitrate: Math.round(bitrate) };
}

/** The first frame may be a table of contents: Xing, Info or VBRI. */
function readFrameCount(
  bytes: Uint8Array,
  frame: MpegAudioFrame,
):
  | { readonly frames: number; readonly bytes: number | undefined; readonly padding: number }
  | undefined {
  const side =
    frame.version === 1 ? (frame.channels === 1 ? 17 : 32) : frame.channels === 1 ? 9 : 17;
  const mark = ascii(bytes, 4 + side, 4);
  if (mark === 'Xing' || mark === 'Info') {
    const flags = u32(bytes, 8 + side);
    if ((flags & 1) === 0) return undefined;
    const frames = u32(bytes, 12 + side);
    const length = (flags & 2) === 0 ? undefined : u32(bytes, 16 + side);
    return frames === 0
      ? undefined
      : { frames, bytes: length, padding: paddingOf(bytes, side, flags) };
  }
  const at = indexOfBytes(bytes.subarray(0, 40), [0x56, 0x42, 0x52, 0x49]);
  if (at < 0 || at + 18 > bytes.length) return undefined;
  return { frames: u32(bytes, at + 14), bytes: u32(bytes, at + 10), padding: 0 };
}

/** Samples that the encoder added at both ends, if it recorded them. */
function paddingOf(bytes: Uint8Array, side: number, flags: number): number {
  const at =
    12 +
    side +
    ((flags & 1) !== 0 ? 4 : 0) +
    ((flags & 2) !== 0 ? 4 : 0) +
    ((flags & 4) !== 0 ? 100 : 0) +
    ((flags & 8) !== 0 ? 4 : 0);
  if (at + 24 > bytes.length || !/^(LAME|Lav[cf])/.test(ascii(bytes, at, 4))) return 0;
  const delays = (u16(bytes, at + 21) << 8) | (bytes[at + 23] ?? 0);
  return (delays >> 12) + (delays & 0xfff);
}

/** Over the frames at the beginning; exact when all have the same rate. */
function averageBitrate(head: Uint8Array, from: number): number {
  let frames = 0;
  let sum = 0;
  for (let at = from; ;) {
    const frame = readMpegAudioFrame(head, at);
    if (frame === undefined) break;
    frames++;
    sum += frame.bitrate;
    at += frame.length;
  }
  return sum / Math.max(frames, 1);
}
