/** The first packet of each track, from the beginning of the media. */
import type { ByteSource } from '../../media-headers/bytes/byte-source.ts';
import { readUpTo } from '../../media-headers/bytes/byte-source.ts';
import type { Block } from '../blocks/block.ts';
import { walkBlocks } from './blocks.ts';
import type { MkvTrack } from './mkv-tracks.ts';

/** The first block of a track, and the beginning of its first packet. */
export interface FirstPacket {
  readonly block: Block;
  readonly bytes: Uint8Array;
}

const mostBlocks = 400;
const packetBytes = 4096;
const shortBytes = 64;

/** The first block of each track that has one near the beginning. A picture must be a key picture. */
export async function readFirstPackets(
  source: ByteSource,
  { from, tracks }: { readonly from: number; readonly tracks: readonly MkvTrack[] },
): Promise<ReadonlyMap<number, FirstPacket>> {
  const waiting = new Map(tracks.map((track) => [track.number, track]));
  const numbers = new Set(waiting.keys());
  const blocks: Block[] = [];
  let count = 0;
  const visit = (block: Block): boolean => {
    const track = waiting.get(block.track);
    if (track !== undefined && (track.kind === 'audio' || block.isKey)) {
      blocks.push(block);
      waiting.delete(block.track);
    }
    return waiting.size > 0 && ++count < mostBlocks;
  };
  await walkBlocks(source, { from, to: source.size, tracks: numbers, visit });
  const found = new Map<number, FirstPacket>();
  for (const block of blocks) {
    const track = tracks.find(({ number }) => number === block.track);
    const [frame] = block.frames;
    if (track === undefined || frame === undefined) continue;
    const most = track.codecId === 'A_EAC3' ? packetBytes : shortBytes;
    const rest = await readUpTo(source, frame.offset, Math.min(most, frame.size));
    const prefix = track.prefix ?? new Uint8Array(0);
    found.set(block.track, { block, bytes: Uint8Array.of(...prefix, ...rest) });
  }
  return found;
}
