/**
 * Ed25519 over canonical JSON (RFC 8785), for packages, indexes and key rotations. The rules are
 * those of identity passes: R and the key are canonical and not of small order, S is below L, the
 * cofactored equation holds, and any exception is a refusal. The signed value is a flat object whose
 * `signature` covers the canonical text of all other members.
 */
import { Point, verifyAsync } from '@noble/ed25519';
import canonicalize from 'canonicalize';

/** Signs with a private key. */
export interface Signer {
  /** 64 lower-case hex digits. */
  readonly publicKey: string;
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

/** An object without its signature. */
export type Unsigned = Readonly<Record<string, unknown>>;

const signatureBytes = 64;

/** The canonical text of a JSON object. */
export function canonicalText(value: Unsigned): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('The object has no canonical form.');
  return text;
}

/** Whether two JSON values are equal, in any order of keys. */
export const sameJson = (one: object, other: object): boolean =>
  canonicalText({ one }) === canonicalText({ one: other });

/** The object with its signature added. */
export function signed<Fields extends Unsigned>(
  fields: Fields,
  signer: Signer,
): Fields & { readonly signature: string } {
  const signature = Buffer.from(signer.sign(bytesOf(fields))).toString('base64url');
  return { ...fields, signature };
}

/** Whether the owner of the key signed all members except `signature`. Never rejects. */
export async function isSigned(value: Unsigned, publicKey: string): Promise<boolean> {
  const { signature, ...fields } = value;
  const bytes = fromBase64url(signature);
  if (bytes === null || !isHexKey(publicKey)) return false;
  try {
    const key = Buffer.from(publicKey, 'hex');
    if (Point.fromBytes(bytes.subarray(0, 32), false).isSmallOrder()) return false;
    return await verifyAsync(bytes, bytesOf(fields), key, { zip215: false });
  } catch {
    return false;
  }
}

/** Whether a value may be pinned as a public key: a canonical point of the prime-order group. */
export function isUsableKey(value: unknown): value is string {
  if (!isHexKey(value)) return false;
  try {
    const point = Point.fromBytes(Buffer.from(value, 'hex'), false);
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    return false;
  }
}

const isHexKey = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

const bytesOf = (fields: Unsigned): Uint8Array => Buffer.from(canonicalText(fields));

/** The 64 bytes of their one spelling without padding. */
function fromBase64url(text: unknown): Uint8Array | null {
  if (typeof text !== 'string' || text.length > 100) return null;
  const bytes = Buffer.from(text, 'base64url');
  const isExact = bytes.length === signatureBytes && bytes.toString('base64url') === text;
  return isExact ? new Uint8Array(bytes) : null;
}
