/** Lacing: several packets in one block (RFC 9559, 10.3). */
import { u8 } from '../../media-headers/bytes/numbers.ts';
import { readUpTo, type ByteSource } from '../../media-headers/bytes/byte-source.ts';
import { malformed } from '../../media-headers/bytes/probe-error.ts';
import type { Frame } from '../blocks/block.ts';

const lacingBits = 0x06;
const sizesBytes = 4096;

/** The packets between two places. */
export async function readFrames(
  source: ByteSource,
  { from, end, flags }: { readonly from: number; readonly end: number; readonly flags: number },
): Promise<readonly Frame[]> {
  const kind = (flags & lacingBits) >> 1;
  if (kind === 0) return [{ offset: from, size: Math.max(0, end - from) }];
  const head = await readUpTo(source, from, Math.min(sizesBytes, end - from));
  const count = u8(head, 0) + 1;
  const reader = new SizeReader(head);
  const sizes = kind === 2 ? equalSizes(end - from - 1, count) : reader.sizes(kind, count - 1);
  let offset = from + (kind === 2 ? 1 : reader.at);
  const frames = sizes.map((size) => {
    const frame = { offset, size };
    offset += size;
    return frame;
  });
  if (kind !== 2) frames.push({ offset, size: end - offset });
  if (offset > end) throw malformed('The packets of a block are longer than the block.');
  return frames;
}

function equalSizes(bytes: number, count: number): readonly number[] {
  if (bytes % count !== 0) throw malformed('The packets of a block are not of one size.');
  return Array.from({ length: count }, () => bytes / count);
}

/** The sizes of all packets but the last, whose size is what is left. */
class SizeReader {
  readonly #bytes: Uint8Array;
  at = 1;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  sizes(kind: number, count: number): readonly number[] {
    const sizes: number[] = [];
    for (let place = 0; place < count; place++) {
      const size = kind === 1 ? this.#sum() : this.#next(sizes.at(-1));
      if (size < 0) throw malformed('A packet of a block has a negative size.');
      sizes.push(size);
    }
    return sizes;
  }

  /** Bytes of 255 and one that is less. */
  #sum(): number {
    let size = 0;
    for (;;) {
      const byte = u8(this.#bytes, this.at++);
      size += byte;
      if (byte < 255) return size;
    }
  }

  /** The first size, and then differences around the middle of their range. */
  #next(before: number | undefined): number {
    const width = Math.clz32(u8(this.#bytes, this.at)) - 23;
    if (width > 4) throw malformed('A size in a block is too long.');
    let value = u8(this.#bytes, this.at) & (0xff >> width);
    for (let byte = 1; byte < width; byte++) {
      value = value * 256 + u8(this.#bytes, this.at + byte);
    }
    this.at += width;
    return before === undefined ? value : before + value - (2 ** (7 * width - 1) - 1);
  }
}
