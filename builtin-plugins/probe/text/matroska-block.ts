/** A block of a Matroska track. */
import { i16 } from '../../media-headers/bytes/numbers.ts';
import { Element } from '../../media-headers/matroska/elements.ts';
import { ids } from '../../media-headers/matroska/ids.ts';

/** A block as it is found: ticks, and the bytes behind its head. */
export interface FoundBlock {
  readonly ticks: number;
  readonly length: number | undefined;
  readonly bytes: Uint8Array;
}

/** Reads a block group or a simple block; `undefined` when it is of another track. */
export function parseBlock(id: number, bytes: Uint8Array, track: number): FoundBlock | undefined {
  const group = id === ids.blockGroup ? new Element(bytes) : undefined;
  const block = group === undefined ? bytes : group.find(ids.block)?.content;
  if (block === undefined || trackOf(block) !== track) return undefined;
  const from = (block[0] ?? 0) >= 0x80 ? 1 : 2;
  if (block.length < from + 3) return undefined;
  const length = group?.uint(ids.blockDuration);
  return { ticks: i16(block, from), length, bytes: block.subarray(from + 3) };
}

/** One or two bytes; more tracks than that no file has. */
export function trackOf(block: Uint8Array): number | undefined {
  const [first = 0, second = 0] = block;
  if (first >= 0x80) return first & 0x7f;
  return first >= 0x40 ? (first & 0x3f) * 256 + second : undefined;
}
