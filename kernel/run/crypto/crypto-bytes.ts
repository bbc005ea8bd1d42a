import type { CryptoBytes } from '../../../plugin-api/index.ts';
import { KernelError } from '../../errors.ts';

/**
 * The bytes of one field of a call. Throws for text that has no bytes of its own: Node.js would skip
 * or replace it, and two inputs would have one digest. `field` is as in `hmac: key`.
 */
export function bytesOf(bytes: CryptoBytes, field: string): Buffer {
  if (typeof bytes === 'string') {
    if (bytes.isWellFormed()) return Buffer.from(bytes);
    throw wrong(field, 'has half of a surrogate pair, so it is not text');
  }
  return 'hex' in bytes ? ofHex(bytes.hex, field) : ofBase64(bytes.base64, field);
}

/** The bytes of base64 (RFC 4648, section 4, with padding). */
export function ofBase64(text: string, field: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') === text) return bytes;
  throw wrong(field, 'is not base64 with padding');
}

function ofHex(text: string, field: string): Buffer {
  const bytes = Buffer.from(text, 'hex');
  if (bytes.length * 2 === text.length) return bytes;
  throw wrong(field, 'is not hexadecimal with two digits for each byte');
}

/** The same, for a field of one length only. */
export function bytesOfLength(bytes: CryptoBytes, field: string, length: number): Buffer {
  const found = bytesOf(bytes, field);
  if (found.length === length) return found;
  throw wrong(field, `has ${found.length} bytes; it needs ${length}`);
}

/** The refusal of one field. */
export const wrong = (field: string, what: string): KernelError =>
  new KernelError('invalid_argument', `host.crypto.${field} ${what}.`);
