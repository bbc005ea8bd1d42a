/**
 * A signed object is `{payload, sig}`: base64url of canonical JSON, and a signature over its bytes.
 * A receiver uses only what it parsed from those bytes, never another copy.
 */
import { fromBase64url, toBase64url } from './base64url.ts';
import { canonicalText, decodeCanonical } from './canonical-text.ts';
import { isSignedBy } from './ed25519.ts';

/** The wire form. */
export interface SignedObject {
  readonly payload: string;
  readonly sig: string;
}

/** The parsed form: well-formed, but not verified. */
export interface OpenedObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly value: Readonly<Record<string, unknown>>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/**
 * The most characters of a payload; lists of servers and pages of a feed may have {@link
 * longestList}.
 */
export const longestPayload = 4096;
export const longestList = 65_536;

const signatureLength = 86;

/** Parses an object in its exact form; `null` when it is anything else. */
export function openSigned(object: unknown, maxLength = longestPayload): OpenedObject | null {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return null;
  const keys = Object.keys(object);
  if (keys.length !== 2 || !('payload' in object) || !('sig' in object)) return null;
  const { payload, sig } = object;
  if (typeof payload !== 'string' || typeof sig !== 'string') return null;
  const signature = sig.length === signatureLength ? fromBase64url(sig) : null;
  const opened = decodeCanonical(payload, maxLength);
  return signature && opened && { ...opened, signature };
}

/** Whether the key's owner signed the object. */
export const isSignedObjectBy = (publicKey: string, opened: OpenedObject): Promise<boolean> =>
  isSignedBy(publicKey, opened.bytes, opened.signature);

/** Creates a signed object; `sign` returns the 64-byte signature of the payload bytes. */
export async function sealSigned(
  value: Readonly<Record<string, unknown>>,
  sign: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>,
): Promise<SignedObject> {
  const bytes = new TextEncoder().encode(canonicalText(value));
  return { payload: toBase64url(bytes), sig: toBase64url(await sign(bytes)) };
}

/** The bytes of an object whose signature is sent separately. */
export const bytesToSign = (value: Readonly<Record<string, unknown>>): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(canonicalText(value));
