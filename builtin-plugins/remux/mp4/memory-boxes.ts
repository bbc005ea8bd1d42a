/** Boxes in memory, found by name. They are searched and never listed: a part may have millions. */
import { u32 } from '../../media-headers/bytes/numbers.ts';

const mostBoxes = 20_000;

/** The boxes in some bytes. A box that does not fit ends them. */
export class MemoryBoxes {
  readonly #bytes: Uint8Array;
  readonly #from: number;

  constructor(bytes: Uint8Array, from = 0) {
    this.#bytes = bytes;
    this.#from = from;
  }

  /** The content of the first box with this name. */
  content(type: string): Uint8Array | undefined {
    return this.contents(type, 1)[0];
  }

  /** The boxes in the first box with this name. */
  inner(type: string): MemoryBoxes | undefined {
    const content = this.content(type);
    return content && new MemoryBoxes(content);
  }

  /** The content of each box with this name, up to a number of them. */
  contents(type: string, most: number): readonly Uint8Array[] {
    const bytes = this.#bytes;
    const wanted = nameOf(type);
    const found: Uint8Array[] = [];
    let at = this.#from;
    for (let count = 0; at + 8 <= bytes.length && count < mostBoxes; count++) {
      const size = u32(bytes, at);
      const end = size === 0 ? bytes.length : at + size;
      if ((size !== 0 && size < 8) || end > bytes.length) break;
      if (u32(bytes, at + 4) === wanted) found.push(bytes.subarray(at + 8, end));
      if (found.length === most) break;
      at = end;
    }
    return found;
  }
}

function nameOf(type: string): number {
  return [0, 1, 2, 3].reduce((sum, at) => sum * 256 + type.charCodeAt(at), 0);
}
