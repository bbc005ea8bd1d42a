/** How H.264 and H.265 pack their units. */
import { indexOfBytes } from '../bytes/numbers.ts';

const startCode = [0, 0, 1];
const longestUnit = 4096;

/** Units between start codes, cut to a length that contains every header; at most 200. */
export function unitsByStartCode(bytes: Uint8Array): readonly Uint8Array[] {
  const units: Uint8Array[] = [];
  let start = indexOfBytes(bytes, startCode);
  while (start >= 0 && units.length < 200) {
    const from = start + startCode.length;
    const next = indexOfBytes(bytes, startCode, from);
    const end = next < 0 ? bytes.length : next;
    units.push(bytes.subarray(from, Math.min(end, from + longestUnit)));
    start = next;
  }
  return units;
}

/** A unit without its emulation prevention bytes. */
export function unescapeUnit(unit: Uint8Array): Uint8Array {
  const plain = new Uint8Array(unit.length);
  let length = 0;
  let zeros = 0;
  for (const byte of unit) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    plain[length++] = byte;
  }
  return plain.subarray(0, length);
}
