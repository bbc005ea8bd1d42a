/** FLAC: a list of blocks before the sound. */
import { u16, u24, u32, u8 } from '../../media-headers/bytes/numbers.ts';
import { malformed, truncated } from '../../media-headers/bytes/probe-error.ts';
import { ascii } from '../../media-headers/bytes/text.ts';
import { readUpTo, type ByteSource } from '../../media-headers/bytes/byte-source.ts';
import {
  storedPicture,
  type FormatReader,
  type FoundChapter,
  type FoundPicture,
  type StreamDraft,
  type TagsDraft,
} from '../media.ts';
import { addMissing } from '../tags/known-tags.ts';
import { readId3 } from '../tags/id3v2.ts';
import { readPictureHead, readVorbisComment } from '../tags/vorbis-comment.ts';

const mostBlocks = 500;
const commentBytes = 256 * 1024;

export const readFlac: FormatReader = async (source) => {
  const id3 = await readId3(source);
  if (ascii(await source.read(id3.length, 4), 0, 4) !== 'fLaC') {
    throw malformed('The file is named as FLAC and is not FLAC.');
  }
  const blocks = await readFlacBlocks(source, id3.length + 4);
  const { stream, duration, tags } = blocks;
  if (stream === undefined) throw malformed('The file lacks the header of FLAC.');
  addMissing(tags, id3.tags);
  return {
    container: 'flac',
    duration,
    streams: [stream],
    tags,
    chapters: blocks.chapters,
    pictures: blocks.pictures.length > 0 ? blocks.pictures : id3.pictures,
  };
};

interface FlacBlocks extends Partial<ReturnType<typeof readStreamInformation>> {
  tags: TagsDraft;
  chapters: readonly FoundChapter[];
  pictures: FoundPicture[];
}

async function readFlacBlocks(source: ByteSource, from: number): Promise<FlacBlocks> {
  const found: FlacBlocks = { tags: {}, chapters: [], pictures: [] };
  for (let at = from, count = 0; count < mostBlocks; count++) {
    const head = await source.read(at, 4);
    const kind = u8(head, 0) & 127;
    const length = u24(head, 1);
    if (at + 4 + length > source.size) throw truncated('The file ends inside of its headers.');
    await readBlock(source, { kind, from: at + 4, length }, found);
    at += 4 + length;
    if ((u8(head, 0) & 128) === 0) continue;
    if (at + (found.leastSound ?? 0) > source.size)
      throw truncated('The file ends before its sound does.');
    break;
  }
  return found;
}

async function readBlock(
  source: ByteSource,
  { kind, from, length }: { readonly kind: number; readonly from: number; readonly length: number },
  found: FlacBlocks,
): Promise<void> {
  if (kind === 0) Object.assign(found, readStreamInformation(await source.read(from, length)));
  if (kind === 4) {
    const comment = readVorbisComment(await source.read(from, Math.min(length, commentBytes)));
    found.tags = comment.tags;
    found.chapters = comment.chapters;
    found.pictures.push(...comment.pictures);
  }
  if (kind === 6) {
    const head = readPictureHead(await readUpTo(source, from, Math.min(length, 2048)));
    if (head === undefined) return;
    // The length of the block cannot hold pictures above 16 MiB; then the picture's own length
    // counts.
    const place = { offset: from + head.from, length: Math.min(head.size, length - head.from) };
    found.pictures.push(storedPicture(source, place, head));
  }
}

/** STREAMINFO (RFC 9639, section 8.2). */
export function readStreamInformation(block: Uint8Array): {
  readonly stream: StreamDraft;
  readonly duration?: number;
  /** Bytes that the sound has at least; some writers leave the last, shorter block out. */
  readonly leastSound: number;
} {
  const rate = u24(block, 10) >> 4;
  const samples = (u8(block, 13) & 15) * 0x100000000 + u32(block, 14);
  if (rate === 0) throw malformed('The sound has no sample rate.');
  const [largestBlock, leastBytes] = [u16(block, 2), u24(block, 4)];
  const blocks = largestBlock === 0 ? 0 : Math.floor(samples / largestBlock);
  return {
    stream: {
      kind: 'audio',
      codec: 'flac',
      sampleRate: rate,
      channels: ((u8(block, 12) >> 1) & 7) + 1,
      bitDepth: ((u16(block, 12) >> 4) & 31) + 1,
    },
    ...(samples > 0 && { duration: samples / rate }),
    leastSound: blocks * leastBytes,
  };
}
