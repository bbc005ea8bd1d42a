/**
 * Ed25519 (RFC 8032) under one rule of our own, the same in server, broker, page and app. Libraries
 * differ at the edges: what one accepts with a crafted key another refuses. Here R and the key are
 * canonical and not of small order, S is below L, and the cofactored equation holds; anything that
 * throws is a refusal.
 */
import { getPublicKeyAsync, Point, signAsync, verifyAsync } from '@noble/ed25519';
import { fromHex32, isHex32, toHex } from './hex.ts';

const signatureBytes = 64;

/** Whether the key's owner signed exactly these bytes. Never rejects. */
export async function isSignedBy(
  publicKey: string,
  bytes: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if (!isHex32(publicKey) || signature.length !== signatureBytes) return false;
  try {
    if (Point.fromBytes(signature.subarray(0, 32), false).isSmallOrder()) return false;
    return await verifyAsync(signature, bytes, fromHex32(publicKey), { zip215: false });
  } catch {
    return false;
  }
}

/**
 * Whether a value is a public key that may be kept: a canonical point of the prime-order group. It
 * takes about a millisecond, so it is asked when a key is first stored, not at every signature.
 */
export function isUsableKey(publicKey: unknown): publicKey is string {
  if (!isHex32(publicKey)) return false;
  try {
    const point = Point.fromBytes(fromHex32(publicKey), false);
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    return false;
  }
}

/** A signature by a 32-byte private key, the seed of RFC 8032. */
export const signWith = async (
  seed: Uint8Array,
  bytes: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await signAsync(bytes, seed));

/** The public key of a private key, in hex. */
export const publicKeyOf = async (seed: Uint8Array): Promise<string> =>
  toHex(await getPublicKeyAsync(seed));
