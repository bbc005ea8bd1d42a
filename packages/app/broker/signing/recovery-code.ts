/**
 * The recovery code: 130 random bits that the page creates and shows once. One value that is
 * derived from it opens the vault and stays here; the other proves to the broker that the user has
 * the code.
 */
import { toBase64url } from '../../../lib/identity-protocol/index.ts';
import { randomBytes } from './random-bytes.ts';
import type { VaultSecret } from './vault-secret.ts';

/** Crockford's base 32: no letter that looks like a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 26;

/** A new code, 26 letters and digits. */
export const createRecoveryCode = (): string =>
  Array.from(randomBytes(length), (byte) => alphabet.charAt(byte & 31)).join('');

/** For display, in groups of four. */
export const groupRecoveryCode = (code: string): string => (code.match(/.{1,4}/g) ?? []).join('-');

/** Typed text in normal form; `null` when it is not a code. */
export function parseRecoveryCode(text: string): string | null {
  const code = text
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  return code.length === length && Array.from(code).every((one) => alphabet.includes(one))
    ? code
    : null;
}

/** The secret that opens the vault: the code's 26 letters, which need no slow derivation. */
export const recoverySecret = (code: string): VaultSecret => ({
  type: 'recovery',
  ref: 'recovery',
  ikm: new TextEncoder().encode(code),
});

/** The value for the broker: 32 bytes that reveal nothing about the key of the vault. */
export async function recoveryAuth(code: string): Promise<string> {
  const bytes = new TextEncoder().encode(code);
  const material = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveBits']);
  const info = new TextEncoder().encode('media-identity/recovery/v1|auth');
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info };
  return toBase64url(new Uint8Array(await crypto.subtle.deriveBits(parameters, material, 256)));
}
