/**
 * Ed25519 (RFC 8032) with one exact rule, the same in server, broker, page and app. Libraries
 * differ at the edges: with a crafted key one accepts a signature that another refuses. The rule: R
 * and the key are canonical and not of small order, S is below L, and the cofactored equation
 * holds. An exception counts as a refusal.
 *
 * Where WebCrypto exists, it is used only to accept. It checks the equation without the cofactor or
 * with it, depending on the platform. The first implies the second, so together with the three byte
 * checks its acceptance satisfies the rule. When it refuses, or fails, the rule itself decides,
 * which takes fifteen times as long; that happens for invalid signatures only.
 */
import { getPublicKey, hashes, Point, sign, verify } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { fromHex32, isHex32, toHex } from './hex.ts';
import { isPlainPoint, isReducedScalar } from './point-bytes.ts';

// React Native has no WebCrypto, so the hash function is bundled.
hashes.sha512 = sha512;

const signatureBytes = 64;

type Bytes = Uint8Array<ArrayBuffer>;

/** The platform's verification of a signature; it may reject. */
export type NativeVerify = (key: Bytes, signature: Bytes, bytes: Bytes) => Promise<boolean>;

/** Whether the key's owner signed exactly these bytes. Never rejects. */
export type IsSignedBy = (
  publicKey: string,
  bytes: Uint8Array,
  signature: Uint8Array,
) => Promise<boolean>;

/** Creates the check with the platform's verification; `null` = none. The results are the same. */
export const createIsSignedBy =
  (native: NativeVerify | null): IsSignedBy =>
  async (publicKey, bytes, signature) => {
    if (!isHex32(publicKey) || signature.length !== signatureBytes) return false;
    const key = fromHex32(publicKey);
    const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
    if (!isPlainPoint(r) || !isPlainPoint(key) || !isReducedScalar(s)) return false;
    if (native && (await accepts(native, key, { signature, bytes }))) return true;
    return isSignedByRule(key, bytes, signature);
  };

async function accepts(
  native: NativeVerify,
  key: Bytes,
  { signature, bytes }: Readonly<Record<'signature' | 'bytes', Uint8Array>>,
): Promise<boolean> {
  try {
    return await native(key, new Uint8Array(signature), new Uint8Array(bytes));
  } catch {
    return false;
  }
}

function isSignedByRule(key: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  try {
    if (Point.fromBytes(signature.subarray(0, 32), false).isSmallOrder()) return false;
    return verify(signature, bytes, key, { zip215: false });
  } catch {
    return false;
  }
}

/** Engines without Ed25519 reject; they are tried again each time. */
const webCrypto: NativeVerify = async (key, signature, bytes) => {
  const { subtle } = globalThis.crypto;
  const imported = await subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
  return subtle.verify('Ed25519', imported, signature, bytes);
};

/** Some engines have no `crypto`, although its type says so. */
const hasWebCrypto = (): boolean =>
  (globalThis as { readonly crypto?: { readonly subtle?: unknown } }).crypto?.subtle !== undefined;

export const isSignedBy: IsSignedBy = createIsSignedBy(hasWebCrypto() ? webCrypto : null);

/**
 * Whether a value is a valid public key: a canonical point of the prime-order group. The check
 * takes about a millisecond, so it runs when a key is first stored, not at every signature.
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

/** A signature with a 32-byte private key, the seed of RFC 8032. */
export const signWith = async (
  seed: Uint8Array,
  bytes: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(sign(bytes, seed));

/** The public key of a private key, in hex. */
export const publicKeyOf = async (seed: Uint8Array): Promise<string> => toHex(getPublicKey(seed));
