/** The part of a sequence header (VUI) that begins alike in H.264 and H.265: aspect and colour. */
import type { BitReader } from '../bytes/bit-reader.ts';

/** Aspect ratios of a pixel by number. */
const aspects: readonly (readonly [number, number])[] = [
  [1, 1],
  [1, 1],
  [12, 11],
  [10, 11],
  [16, 11],
  [40, 33],
  [24, 11],
  [20, 11],
  [32, 11],
  [80, 33],
  [18, 11],
  [15, 11],
  [64, 33],
  [160, 99],
  [4, 3],
  [3, 2],
  [2, 1],
];

export interface Usability {
  readonly across: number;
  readonly down: number;
  readonly transfer: number;
}

/** Leaves the reader after the position of the chroma samples. */
export function readUsability(bits: BitReader): Usability {
  let [across, down] = [1, 1];
  let transfer = 2;
  if (bits.flag()) {
    const number = bits.bits(8);
    [across, down] = number === 255 ? [bits.bits(16), bits.bits(16)] : (aspects[number] ?? [1, 1]);
  }
  if (bits.flag()) bits.skip(1); // overscan
  if (bits.flag()) {
    bits.skip(4); // format, range
    if (bits.flag()) {
      bits.skip(8); // primaries
      transfer = bits.bits(8);
      bits.skip(8); // matrix
    }
  }
  if (bits.flag()) {
    bits.ue();
    bits.ue();
  }
  return { across, down, transfer };
}
