/**
 * A secret that opens a vault: bytes from a passkey, a passphrase or a recovery code, which the
 * broker never receives. Each gives a key of its own, which wraps the vault key (section 2.3).
 */
import type { VaultWrap } from '../service/web-api.ts';
import type { Key } from './crypto-key.ts';

export interface VaultSecret {
  readonly type: VaultWrap['type'];
  /** Identifies it within its type: the credential's id, the passphrase's salt, `recovery`. */
  readonly ref: string;
  /** The secret bytes. */
  readonly ikm: Uint8Array<ArrayBuffer>;
  /** The argon2id parameters of a passphrase. */
  readonly kdf?: NonNullable<VaultWrap['kdf']>;
}

/** The PRF input for passkeys; constant, so that one request works with any passkey. */
export const prfInput = (): Promise<ArrayBuffer> =>
  crypto.subtle.digest('SHA-256', new TextEncoder().encode('media-identity/prf/v1'));

/** The secret of a passkey, from its PRF output for {@link prfInput}. */
export const passkeySecret = (credentialId: string, prf: Uint8Array<ArrayBuffer>): VaultSecret => ({
  type: 'prf',
  ref: credentialId,
  ikm: prf,
});

/** The key of a secret: it can only wrap and unwrap the vault key. */
export async function wrappingKey(
  { type, ikm }: Pick<VaultSecret, 'type' | 'ikm'>,
  salt: Uint8Array<ArrayBuffer>,
): Promise<Key> {
  const material = await crypto.subtle.importKey('raw', ikm, 'HKDF', false, ['deriveKey']);
  const info = new TextEncoder().encode(`media-identity/wrap/v1|${type}`);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['wrapKey', 'unwrapKey'],
  );
}
