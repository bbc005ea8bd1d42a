import { fromHex32, toHex } from '../../../lib/identity-protocol/index.ts';
import { sha256 } from './sha256.ts';

/**
 * The fingerprint of a key for comparison by users: the first 16 hex digits of the SHA-256 of its
 * 32 bytes, in groups of four separated by spaces (`0123 4567 89ab cdef`).
 */
export async function fingerprint(publicKey: string): Promise<string> {
  const digits = toHex((await sha256(fromHex32(publicKey))).subarray(0, 8));
  return (digits.match(/.{4}/g) ?? []).join(' ');
}
