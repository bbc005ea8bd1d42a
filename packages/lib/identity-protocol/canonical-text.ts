/**
 * Signed objects are sent as base64url of their canonical JSON (RFC 8785). A reader accepts only
 * that exact form, so two readers cannot interpret one signature differently because of duplicate
 * keys, spaces, escapes or large numbers.
 */
import canonicalize from 'canonicalize';
import { fromBase64url } from './base64url.ts';

/** An object that was read from its canonical form. */
export interface CanonicalObject {
  /** The bytes that the signature covers. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly value: Readonly<Record<string, unknown>>;
}

const deepest = 8;

/**
 * The canonical text of a JSON object. Throws a TypeError for values that signed objects may not
 * contain.
 */
export function canonicalText(value: Readonly<Record<string, unknown>>): string {
  if (!isPlain(value, 0))
    throw new TypeError('The object contains a value that signed objects may not contain.');
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('The object has no canonical form.');
  return text;
}

/** Reads base64url of a canonical JSON object; `null` when it is anything else, or longer. */
export function decodeCanonical(payload: string, maxLength: number): CanonicalObject | null {
  if (payload.length > maxLength) return null;
  const bytes = fromBase64url(payload);
  if (bytes === null) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || canonicalText(value) !== text) return null;
    return { bytes, value };
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether it contains only texts, booleans, whole numbers, lists and objects. */
function isPlain(value: unknown, depth: number): boolean {
  if (depth > deepest) return false;
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0);
  if (Array.isArray(value)) return value.every((one) => isPlain(one, depth + 1));
  if (!isObject(value)) return false;
  return Object.entries(value).every(
    ([key, one]) => key !== '__proto__' && key.isWellFormed() && isPlain(one, depth + 1),
  );
}
