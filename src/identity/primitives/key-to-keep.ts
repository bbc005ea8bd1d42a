/**
 * Whether a key may be kept, by the machine where it can. To multiply a point by the order of the
 * group, in order to see that nothing is left of it, takes BigInts a millisecond and more; X25519 of
 * the machine does it in a twentieth, though it only takes multiples of the cofactor, and only tells
 * one coordinate, u, which a point shares with its negative alone.
 *
 * So it is asked for 5L - 1 times the point, a multiple of 8 of exactly the bits that X25519 demands.
 * Of P = S + T, where S is of the group of prime order L and T is of small order, that is -S, since
 * 5L vanishes on S and the whole on T. It has the u of P if and only if P is S or -S, and then T is
 * nothing. A u of no point of the curve is one of its twist, whose points have orders that divide
 * 4 times another prime: neither 5L nor 5L - 2, both odd, sends one of them to nothing, so their u
 * never comes back. Points of small order are refused by their bytes before.
 *
 * As with signatures, the machine may say yes, and never no: what it says no to is decided by the rule.
 */
import { etc } from '@noble/ed25519';
import { isUsableKey } from './ed25519.ts';
import { fromHex32, isHex32, toHex } from './hex.ts';
import { isPlainPoint } from './point-bytes.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** X25519 (RFC 7748) of the scalar {@link cofactorMultiple} and a u; it may reject. */
export type NativeX25519 = (u: Bytes) => Promise<Uint8Array>;

/** Says the same as `isUsableKey`. Never rejects. */
export type IsKeyToKeep = (publicKey: unknown) => Promise<boolean>;

const fieldPrime = 2n ** 255n - 19n;
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

/** 5L - 1, the least byte first. */
export const cofactorMultiple = toBytes(5n * groupOrder - 1n);

/** Creates the check over what the machine has; `null` = nothing. Both decide alike. */
export const createIsKeyToKeep =
  (native: NativeX25519 | null): IsKeyToKeep =>
  async (publicKey) =>
    isHex32(publicKey) &&
    ((native !== null && (await saysYes(native, fromHex32(publicKey)))) || isUsableKey(publicKey));

async function saysYes(native: NativeX25519, key: Bytes): Promise<boolean> {
  if (!isPlainPoint(key)) return false;
  try {
    const u = montgomeryOf(key);
    return toHex(await native(u)) === toHex(u);
  } catch {
    return false;
  }
}

/** The u of a point, by its y; there is one for each y of a plain point. */
function montgomeryOf(key: Bytes): Bytes {
  const bytes = new Uint8Array(key);
  bytes[31] = (bytes[31] ?? 0) & 0x7f;
  const y = BigInt(`0x${toHex(bytes.reverse())}`);
  const ratio = (1n + y) * etc.invert(etc.mod(1n - y, fieldPrime), fieldPrime);
  return toBytes(etc.mod(ratio, fieldPrime));
}

/** The least byte first. */
function toBytes(number: bigint): Bytes {
  return fromHex32(number.toString(16).padStart(64, '0')).reverse();
}

/** What stands before the 32 bytes of a private key for X25519 in PKCS #8 (RFC 8410). */
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

/** Some engines have no `crypto` at all, whatever the types say. */
const hasWebCrypto = (): boolean =>
  (globalThis as { readonly crypto?: { readonly subtle?: unknown } }).crypto?.subtle !== undefined;

export const isKeyToKeep: IsKeyToKeep = createIsKeyToKeep(
  hasWebCrypto() ? createWebX25519() : null,
);
