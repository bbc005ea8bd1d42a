/**
 * Counts the pixels that the LZW codes of a frame give (GIF 89a, appendix F), without making them: so it
 * is known how many rows of a file that ends early are there.
 */

const longestCode = 12;

/** `bits` are those of a pixel, as the frame states them; a wrong code ends the count. */
export function countPixels(codes: Uint8Array, bits: number): number {
  const clear = 1 << bits;
  /** The pixels of each code. */
  const lengths = new Uint16Array(1 << longestCode).fill(1, 0, clear);
  let [next, width, last, count] = [clear + 2, bits + 1, -1, 0];
  for (let at = 0; at + width <= codes.length * 8;) {
    const code = codeAt(codes, at, width);
    at += width;
    if (code === clear) {
      [next, width, last] = [clear + 2, bits + 1, -1];
      continue;
    }
    if (code === clear + 1 || code > next || (code === next && last < 0)) break;
    if (last >= 0 && next < lengths.length) {
      lengths[next] = (lengths[last] ?? 0) + 1;
      next += 1;
      if (next === 1 << width && width < longestCode) width += 1;
    }
    count += lengths[code] ?? 0;
    last = code;
  }
  return count;
}

/** The code of `width` bits at a bit, the lowest bit first. */
function codeAt(codes: Uint8Array, bit: number, width: number): number {
  const at = bit >> 3;
  const word = (codes[at] ?? 0) | ((codes[at + 1] ?? 0) << 8) | ((codes[at + 2] ?? 0) << 16);
  return (word >> (bit & 7)) & ((1 << width) - 1);
}
