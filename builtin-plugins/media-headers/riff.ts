/** RIFF, the form of AVI, WAV and WebP: chunks with a name and a length, lists of them. */
import { u32le } from './bytes/numbers.ts';
import type { ByteSource } from './bytes/byte-source.ts';
import { ascii } from './bytes/text.ts';

/** A chunk, or a list by its own name. `end` may be beyond the file. */
export interface Chunk {
  readonly id: string;
  readonly from: number;
  readonly end: number;
}

/** The chunks between two places; a chunk that exceeds them is the last. */
export async function readChunks(
  source: ByteSource,
  from: number,
  end: number,
  atMost: number,
): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = [];
  for (let at = from; at + 8 <= end && chunks.length < atMost;) {
    const head = await source.read(at, Math.min(12, end - at));
    const chunk = toChunk(head, at);
    chunks.push(chunk);
    at = next(chunk);
  }
  return chunks;
}

/** Chunks in memory; a chunk that does not fit ends the list. */
export function chunksIn(bytes: Uint8Array): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const chunk = toChunk(bytes.subarray(at, at + 12), at);
    if (chunk.end > bytes.length) break;
    chunks.push(chunk);
    at = next(chunk);
  }
  return chunks;
}

function toChunk(head: Uint8Array, at: number): Chunk {
  const id = ascii(head, 0, 4);
  const end = at + 8 + u32le(head, 4);
  const isList = (id === 'LIST' || id === 'RIFF') && head.length >= 12;
  return isList ? { id: ascii(head, 8, 4), from: at + 12, end } : { id, from: at + 8, end };
}

/** Chunks begin at even offsets. */
function next({ end, from }: Chunk): number {
  return Math.max(end + ((end - from) & 1), from);
}
