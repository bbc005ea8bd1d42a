/** The body for many ranges: for each its length as four bytes, then its bytes. */

/** The length that marks a range that could not be read. */
export const failedRange = 0xffffffff;

export const lengthBytes = 4;

/**
 * Packs ranges; `null` marks one that could not be read. `splitRanges` of plugin-api unpacks them.
 */
export function packRanges(ranges: readonly (Uint8Array | null)[]): Uint8Array<ArrayBuffer> {
  const total = ranges.reduce((sum, range) => sum + lengthBytes + (range?.length ?? 0), 0);
  const packed = new Uint8Array(total);
  const view = new DataView(packed.buffer);
  let end = 0;
  for (const range of ranges) {
    view.setUint32(end, range?.length ?? failedRange);
    end += lengthBytes;
    if (!range) continue;
    packed.set(range, end);
    end += range.length;
  }
  return packed;
}
