/** An audiobook that no encoder has to make: the index of an M4B, with sound that is not there. */
import { soundEntry, streamDescription } from '../../../builtin-plugins/remux/formats/entries.ts';
import { box } from './media-patches.ts';

const rate = 44_100;
const samples = 1024;
const inChunk = 43;

const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => bytes.writeUInt32BE(value, at * 4));
  return bytes;
};

/** What stands before the sound, and how long the file is. */
export interface LongAudiobook {
  readonly head: Buffer;
  readonly size: number;
  readonly packets: number;
  /** Bytes of a packet. */
  readonly sizeOf: (packet: number) => number;
}

/** An index of so many hours whose sound begins at a place of the file. */
export function longAudiobook(hours: number, mediaAt: number): LongAudiobook {
  const packets = Math.floor((hours * 3600 * rate) / samples);
  const sizeOf = (packet: number): number => 170 + (packet % 13);
  const sizes = Buffer.alloc(12 + 4 * packets);
  sizes.writeUInt32BE(packets, 8);
  const chunks = Math.ceil(packets / inChunk);
  const places = Buffer.alloc(8 + 8 * chunks);
  places.writeUInt32BE(chunks, 4);
  let at = mediaAt;
  for (let packet = 0; packet < packets; packet++) {
    if (packet % inChunk === 0) places.writeBigUInt64BE(BigInt(at), 8 + (packet / inChunk) * 8);
    sizes.writeUInt32BE(sizeOf(packet), 12 + 4 * packet);
    at += sizeOf(packet);
  }
  const setup = streamDescription(0x40, Uint8Array.of(0x12, 0x10));
  const entry = Buffer.from(soundEntry('mp4a', { channels: 2, sampleRate: rate }, setup));
  const tables = Buffer.concat([
    box('stsd', Buffer.concat([words(0, 1), entry])),
    box('stts', words(0, 1, packets, samples)),
    box('stsc', words(0, 1, 1, inChunk, 1)),
    box('stsz', sizes),
    box('co64', places),
  ]);
  const handler = box('hdlr', Buffer.concat([words(0, 0), Buffer.from('soun'), Buffer.alloc(13)]));
  const time = box('mdhd', words(0, 0, 0, rate, packets * samples, 0));
  const media = box('mdia', Buffer.concat([time, handler, box('minf', box('stbl', tables))]));
  const track = box('trak', Buffer.concat([box('tkhd', Buffer.alloc(84)), media]));
  const movie = box('moov', Buffer.concat([box('mvhd', words(0, 0, 0, 1000, 0)), track]));
  const type = box('ftyp', Buffer.from('M4B '));
  const gap = Buffer.alloc(16);
  gap.writeUInt32BE(1, 0);
  gap.write('mdat', 4, 'latin1');
  gap.writeBigUInt64BE(BigInt(at - type.length - movie.length), 8);
  return { head: Buffer.concat([type, movie, gap]), size: at, packets, sizeOf };
}
