import type { Pixels } from '../pixels.ts';

/**
 * How many rows at the end were not decoded. libjpeg fills what is missing with the last colour of
 * each component, which makes all rows after the last decoded one equal.
 */
export function emptyRows({ width, height, data }: Pixels): number {
  const words = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const last = (height - 1) * width;
  for (let row = height - 1; row > 0; row--) {
    for (let x = 0; x < width; x++) {
      if (words[(row - 1) * width + x] !== words[last + x]) return height - row;
    }
  }
  return height;
}
