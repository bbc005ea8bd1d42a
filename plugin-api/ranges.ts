const failed = 0xffffffff;

/**
 * Parses the answer of `host.fs.readRanges`: the bytes of each range in order, `null` for a range
 * that could not be read. The bytes are views of the answer, not copies.
 */
export function splitRanges(answer: Uint8Array): readonly (Uint8Array | null)[] {
  const view = new DataView(answer.buffer, answer.byteOffset, answer.byteLength);
  const ranges: (Uint8Array | null)[] = [];
  for (let at = 0; at + 4 <= answer.byteLength;) {
    const length = view.getUint32(at);
    at += 4;
    if (length === failed) {
      ranges.push(null);
      continue;
    }
    ranges.push(answer.subarray(at, at + length));
    at += length;
  }
  return ranges;
}
