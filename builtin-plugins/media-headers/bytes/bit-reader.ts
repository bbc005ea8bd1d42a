import { malformed } from './probe-error.ts';

/** Bits of a header, high ones first. Reading past the end is refused. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Up to 32 bits. */
  bits(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left--) value = value * 2 + this.bit();
    return value;
  }

  bit(): number {
    const byte = this.#bytes[this.#at >> 3];
    if (byte === undefined) throw malformed('The header of a stream is cut short.');
    const bit = (byte >> (7 - (this.#at & 7))) & 1;
    this.#at++;
    return bit;
  }

  flag(): boolean {
    return this.bit() === 1;
  }

  skip(count: number): void {
    this.#at += count;
  }

  /** Unsigned Exp-Golomb code. */
  ue(): number {
    let zeros = 0;
    while (this.bit() === 0) {
      zeros++;
      if (zeros > 31) throw malformed('The header of a stream has a number that is too large.');
    }
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** Signed Exp-Golomb code. */
  se(): number {
    const code = this.ue();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }
}
