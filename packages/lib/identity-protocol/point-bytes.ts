/** Checks of signatures and keys by their bytes alone. */
import { fromHex32 } from './hex.ts';

/** 2^255 - 19, least significant byte first. */
const fieldPrime = fromHex32(`ed${'ff'.repeat(30)}7f`);
/** The order of the group, L, least significant byte first. */
const groupOrder = fromHex32('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');

/** The y of every point of small order, with either sign of x. */
const smallOrders = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
].map(fromHex32);

/**
 * Whether the bytes, if they encode a point, are its canonical encoding, and the point is not of
 * small order. (The encodings whose x is zero with the wrong sign also have the y of a small
 * order.)
 */
export function isPlainPoint(bytes: Uint8Array): boolean {
  const y = new Uint8Array(bytes);
  y[31] = (y[31] ?? 0) & 0x7f;
  return isBelow(y, fieldPrime) && !smallOrders.some((small) => isSame(y, small));
}

/** Whether a scalar is in its canonical form. */
export const isReducedScalar = (bytes: Uint8Array): boolean => isBelow(bytes, groupOrder);

function isBelow(bytes: Uint8Array, limit: Uint8Array): boolean {
  for (let at = 31; at >= 0; at -= 1) {
    const difference = (bytes[at] ?? 0) - (limit[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.every((byte, at) => byte === other[at]);
