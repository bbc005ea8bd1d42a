/**
 * Validates public keys, with the platform's X25519 where it exists. Multiplying a point by the
 * order of the group, to check that the result is the identity, takes BigInt arithmetic a
 * millisecond or more. X25519 of the platform needs a twentieth of that, but accepts only multiples
 * of the cofactor, and returns only the coordinate u, which a point shares with its negative.
 *
 * So it computes 5L - 1 times the point, a multiple of 8 with exactly the bits that X25519
 * requires. For P = S + T, where S is in the group of prime order L and T is of small order, the
 * result is -S, because 5L annihilates S, and the whole scalar annihilates T. It has the u of P if
 * and only if P is S or -S, and then T is the identity. A u that is not on the curve is on its
 * twist, whose points have orders that divide 4 times another prime: neither 5L nor 5L - 2, both
 * odd, annihilates one of them, so their u is never returned. Points of small order are refused by
 * their bytes before.
 *
 * As with signatures, the platform is used only to accept: when it refuses, the rule decides.
 */
import { etc } from '@noble/ed25519';
import { isUsableKey } from './ed25519.ts';
import { fromHex32, isHex32, toHex } from './hex.ts';
import { isPlainPoint } from './point-bytes.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** X25519 (RFC 7748) of the scalar {@link cofactorMultiple} and a u; it may reject. */
export type NativeX25519 = (u: Bytes) => Promise<Uint8Array>;

/** Gives the same result as `isUsableKey`. Never rejects. */
export type IsValidKey = (publicKey: unknown) => Promise<boolean>;

const fieldPrime = 2n ** 255n - 19n;
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

/** 5L - 1, least significant byte first. */
export const cofactorMultiple = toBytes(5n * groupOrder - 1n);

/** Creates the check with the platform's X25519; `null` = none. The results are the same. */
export const createIsValidKey =
  (native: NativeX25519 | null): IsValidKey =>
  async (publicKey) =>
    isHex32(publicKey) &&
    ((native !== null && (await accepts(native, fromHex32(publicKey)))) || isUsableKey(publicKey));

async function accepts(native: NativeX25519, key: Bytes): Promise<boolean> {
  if (!isPlainPoint(key)) return false;
  try {
    const u = montgomeryOf(key);
    return toHex(await native(u)) === toHex(u);
  } catch {
    return false;
  }
}

/** The u of a point, from its y; unique for each y of a valid point. */
function montgomeryOf(key: Bytes): Bytes {
  const bytes = new Uint8Array(key);
  bytes[31] = (bytes[31] ?? 0) & 0x7f;
  const y = BigInt(`0x${toHex(bytes.reverse())}`);
  const ratio = (1n + y) * etc.invert(etc.mod(1n - y, fieldPrime), fieldPrime);
  return toBytes(etc.mod(ratio, fieldPrime));
}

/** Least significant byte first. */
function toBytes(number: bigint): Bytes {
  return fromHex32(number.toString(16).padStart(64, '0')).reverse();
}

/** The prefix of the 32 bytes of an X25519 private key in PKCS #8 (RFC 8410). */
const beforeScalar = Uint8Array.from([
  ...[0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03],
  ...[0x2b, 0x65, 0x6e, 0x04, 0x22, 0x04, 0x20],
]);

/** X25519 of WebCrypto. */
export function createWebX25519(): NativeX25519 {
  let scalar: ReturnType<typeof globalThis.crypto.subtle.importKey> | null = null;
  return async (u) => {
    const { subtle } = globalThis.crypto;
    const pkcs8 = Uint8Array.from([...beforeScalar, ...cofactorMultiple]);
    scalar ??= subtle.importKey('pkcs8', pkcs8, 'X25519', false, ['deriveBits']);
    const point = await subtle.importKey('raw', u, 'X25519', false, []);
    const bits = await subtle.deriveBits({ name: 'X25519', public: point }, await scalar, 256);
    return new Uint8Array(bits);
  };
}

/** Some engines have no `crypto`, although its type says so. */
const hasWebCrypto = (): boolean =>
  (globalThis as { readonly crypto?: { readonly subtle?: unknown } }).crypto?.subtle !== undefined;

export const isValidKey: IsValidKey = createIsValidKey(hasWebCrypto() ? createWebX25519() : null);
