/** The brands of a file in the form of ISO media: the major one, then those that it is compatible with (ISO/IEC 14496-12, 4.3). */

const mostBrands = 20;

/** Its brands; none when the bytes do not begin with `ftyp`. */
export function brandsOf(bytes: Uint8Array): ReadonlySet<string> {
  const nameAt = (at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (bytes.length < 16 || nameAt(4) !== 'ftyp') return new Set();
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const end = Math.min(length, bytes.length, 16 + mostBrands * 4);
  const brands = new Set([nameAt(8)]);
  for (let at = 16; at + 4 <= end; at += 4) brands.add(nameAt(at));
  return brands;
}
