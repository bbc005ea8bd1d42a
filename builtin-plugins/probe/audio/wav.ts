/** WAV, RF64 and BW64. */
import { u16le, u32le, u64le } from '../../media-headers/bytes/numbers.ts';
import { malformed, truncated } from '../../media-headers/bytes/probe-error.ts';
import { codecOfWave } from '../../media-headers/codecs/microsoft.ts';
import { readChunks, type Chunk } from '../../media-headers/riff.ts';
import type { FormatReader, MediaSource, TagsDraft } from '../media.ts';
import { readId3 } from '../tags/id3v2.ts';
import { readInfoList } from '../tags/info-list.ts';

/** Placeholder for an unknown length, or one that needs more than 32 bits. */
const unknownLength = new Set([0, 0xffffffff]);

export const readWav: FormatReader = async (source) => {
  const chunks = await readChunks(source, 12, source.size, 200);
  const find = (id: string) => chunks.find((chunk) => chunk.id.toLowerCase() === id);
  const described = find('fmt ');
  if (described === undefined) throw malformed('The file does not say how its sound is stored.');
  const format = await source.read(described.from, Math.min(40, described.end - described.from));
  const bits = u16le(format, 14);
  const tag = u16le(format, 0) === 0xfffe ? u16le(format, 24) : u16le(format, 0);
  const perSecond = u32le(format, 8);
  const codec = codecOfWave(tag, bits);
  const id3 = await readTags(source, find('id3 '));
  const tags: TagsDraft = id3.tags;
  const list = find('info');
  if (list !== undefined) await readInfoList(source, list, tags);
  const length = await soundLength(source, find('data'), find('ds64'));
  return {
    container: 'wav',
    duration: perSecond > 0 ? length / perSecond : undefined,
    bitrate: perSecond * 8,
    streams: [
      {
        kind: 'audio',
        codec,
        channels: u16le(format, 2),
        sampleRate: u32le(format, 4),
        bitDepth: codec.startsWith('pcm') ? bits : undefined,
        bitrate: perSecond * 8,
      },
    ],
    tags,
    pictures: id3.pictures,
  };
};

async function soundLength(
  source: MediaSource,
  data: Chunk | undefined,
  large: Chunk | undefined,
): Promise<number> {
  if (data === undefined) throw truncated('The file has no sound; it was cut off.');
  const stated = data.end - data.from;
  const left = source.size - data.from;
  if (!unknownLength.has(stated)) {
    if (stated > left)
      throw truncated(`The file ends ${stated - left} bytes before its sound does.`);
    return stated;
  }
  const whole = large === undefined ? 0 : u64le(await source.read(large.from, 16), 8);
  if (whole > left) throw truncated(`The file ends ${whole - left} bytes before its sound does.`);
  return whole > 0 ? whole : left;
}

async function readTags(source: MediaSource, chunk: Chunk | undefined) {
  if (chunk === undefined || chunk.end > source.size) return { tags: {}, pictures: [] };
  return readId3(source, chunk.from);
}
