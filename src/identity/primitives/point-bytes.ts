/** What can be said of the two halves of a signature, and of a key, by their bytes alone. */

const fieldPrime = 2n ** 255n - 19n;
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;
const signBit = 2n ** 255n;

/** The y of every point of small order; with either sign of x. */
const smallOrders: ReadonlySet<bigint> = new Set([
  0n,
  1n,
  fieldPrime - 1n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
]);

/**
 * Whether the bytes, if they spell a point at all, spell it in its only form, and one that is not of
 * small order. (The forms whose x is zero with the wrong sign have the y of a small order, too.)
 */
export function isPlainPoint(bytes: Uint8Array): boolean {
  const y = littleEndian(bytes) % signBit;
  return y < fieldPrime && !smallOrders.has(y);
}

/** Whether a scalar is in its only form. */
export const isReducedScalar = (bytes: Uint8Array): boolean => littleEndian(bytes) < groupOrder;

function littleEndian(bytes: Uint8Array): bigint {
  let hex = '0x';
  for (let at = bytes.length - 1; at >= 0; at -= 1)
    hex += (bytes[at] ?? 0).toString(16).padStart(2, '0');
  return BigInt(hex);
}
