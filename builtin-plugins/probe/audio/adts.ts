/** AAC frames one after the other, without a container. */
import { malformed } from '../../media-headers/bytes/probe-error.ts';
import { readUpTo } from '../../media-headers/bytes/byte-source.ts';
import { readAdtsFrame, type AdtsFrame } from '../../media-headers/codecs/aac.ts';
import type { FormatReader, MediaSource } from '../media.ts';
import { readId3 } from '../tags/id3v2.ts';

const sampleBytes = 64 * 1024;
const samples = 4;

export const readAdts: FormatReader = async (source) => {
  const id3 = await readId3(source);
  const head = await readUpTo(source, id3.length, sampleBytes);
  const at = findAdts(head);
  const frame = at === undefined ? undefined : readAdtsFrame(head, at);
  if (frame === undefined) throw malformed('There is no sound where AAC must have it.');
  const length = source.size - id3.length - (at ?? 0);
  const bytesPerSecond = await averageRate(source, id3.length + (at ?? 0), frame);
  return {
    container: 'aac',
    duration: length / bytesPerSecond,
    bitrate: bytesPerSecond * 8,
    streams: [
      {
        kind: 'audio',
        codec: 'aac',
        profile: frame.profile,
        channels: frame.channels,
        sampleRate: frame.sampleRate,
        bitrate: bytesPerSecond * 8,
      },
    ],
    tags: id3.tags,
    chapters: id3.chapters,
    pictures: id3.pictures,
  };
};

/** A header counts if another one follows at its frame's end, or the file ends there. */
export function findAdts(bytes: Uint8Array): number | undefined {
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const frame = readAdtsFrame(bytes, at);
    if (frame === undefined) continue;
    const next = readAdtsFrame(bytes, at + frame.length);
    if (next?.sampleRate === frame.sampleRate) return at;
    if (at === 0 && at + frame.length === bytes.length) return at;
  }
  return undefined;
}

/** Exact for a file that is read whole; else measured at a few places, evenly spread. */
async function averageRate(source: MediaSource, from: number, first: AdtsFrame): Promise<number> {
  const length = source.size - from;
  const step = Math.max(sampleBytes, Math.floor(length / samples));
  let bytes = 0;
  let seconds = 0;
  for (let at = from; at < source.size && at < from + step * samples; at += step) {
    const part = await readUpTo(source, at, sampleBytes);
    for (let place = findAdts(part) ?? part.length; place < part.length;) {
      const frame = readAdtsFrame(part, place);
      if (frame?.sampleRate !== first.sampleRate) break;
      if (place + frame.length > part.length) break;
      bytes += frame.length;
      seconds += frame.samples / frame.sampleRate;
      place += frame.length;
    }
  }
  if (seconds === 0) throw malformed('There is no sound where AAC must have it.');
  return bytes / seconds;
}
