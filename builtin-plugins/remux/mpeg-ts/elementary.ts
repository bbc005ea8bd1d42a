/** The bytes of one elementary stream, with the place of each in the file. */
import type { Part } from '../media/packets.ts';

/** Bytes that are gathered from packets. */
export class Elementary {
  readonly #chunks: { readonly offset: number; readonly bytes: Uint8Array }[] = [];
  length = 0;

  add(offset: number, bytes: Uint8Array): void {
    this.#chunks.push({ offset, bytes });
    this.length += bytes.length;
  }

  /** All bytes, one after the other. */
  get bytes(): Uint8Array {
    const all = new Uint8Array(this.length);
    let at = 0;
    for (const { bytes } of this.#chunks) {
      all.set(bytes, at);
      at += bytes.length;
    }
    return all;
  }

  /** The places of some of the bytes. */
  places(from: number, to: number): readonly Part[] {
    const places: Part[] = [];
    let at = 0;
    for (const { offset, bytes } of this.#chunks) {
      const [begin, end] = [Math.max(from, at), Math.min(to, at + bytes.length)];
      if (begin < end) places.push([offset + begin - at, end - begin]);
      at += bytes.length;
      if (at >= to) break;
    }
    return places;
  }

  /** Adds all of another. */
  addAll(other: Elementary): void {
    for (const { offset, bytes } of other.#chunks) this.add(offset, bytes);
  }

  /** The bytes from a place on. */
  rest(from: number): Elementary {
    const left = new Elementary();
    let at = 0;
    for (const { offset, bytes } of this.#chunks) {
      const skipped = Math.max(0, from - at);
      if (skipped < bytes.length) left.add(offset + skipped, bytes.subarray(skipped));
      at += bytes.length;
    }
    return left;
  }
}
