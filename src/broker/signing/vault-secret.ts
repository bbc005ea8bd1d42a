/**
 * What opens a vault: bytes that a passkey, a passphrase or a recovery code gives, and nothing that
 * the broker ever sees. Each gives a key of its own, which wraps the vault key (section 2.3).
 */
import type { VaultWrap } from '../web-api.ts';
import type { Key } from './crypto-key.ts';

/** One secret of the user. */
export interface VaultSecret {
  readonly type: VaultWrap['type'];
  /** Which of its type: the credential's id, the passphrase's salt, `recovery`. */
  readonly ref: string;
  /** The secret bytes. */
  readonly ikm: Uint8Array<ArrayBuffer>;
  /** Of a passphrase: what argon2id was told. */
  readonly kdf?: NonNullable<VaultWrap['kdf']>;
}

/** What the page asks a passkey for; always the same, so that any passkey answers in one gesture. */
export const prfInput = (): Promise<ArrayBuffer> =>
  crypto.subtle.digest('SHA-256', new TextEncoder().encode('media-identity/prf/v1'));

/** The secret of a passkey, from what its PRF gave for {@link prfInput}. */
export const passkeySecret = (credentialId: string, prf: Uint8Array<ArrayBuffer>): VaultSecret => ({
  type: 'prf',
  ref: credentialId,
  ikm: prf,
});

/** The key of a secret: it wraps and unwraps the vault key and can do nothing else. */
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
