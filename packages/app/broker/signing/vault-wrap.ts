/** The vault key, wrapped once for each secret that opens it. */
import { bytesToSign, fromBase64url, toBase64url } from '../../../lib/identity-protocol/index.ts';
import type { VaultWrap } from '../service/web-api.ts';
import type { Key } from './crypto-key.ts';
import { randomBytes } from './random-bytes.ts';
import { wrappingKey, type VaultSecret } from './vault-secret.ts';

const aes = { name: 'AES-GCM', length: 256 } as const;
const uses = ['wrapKey', 'unwrapKey'] as const;

/** A new vault key. It is extractable, because it must be wrapped. */
export const createVaultKey = (): Promise<Key> => crypto.subtle.generateKey(aes, true, [...uses]);

/** Wraps the vault key for this secret, bound to the user and the kind of secret. */
export async function wrapVaultKey(
  vaultKey: Key,
  secret: VaultSecret,
  userId: string,
): Promise<VaultWrap> {
  const [salt, iv] = [randomBytes(32), randomBytes(12)];
  const kek = await wrappingKey(secret, salt);
  const ct = await crypto.subtle.wrapKey('raw', vaultKey, kek, gcm(iv, secret, userId));
  const { type, ref, kdf } = secret;
  return {
    v: 1,
    type,
    ref,
    salt: toBase64url(salt),
    iv: toBase64url(iv),
    ct: toBase64url(new Uint8Array(ct)),
    ...(kdf !== undefined && { kdf }),
  };
}

/**
 * Opens a wrap; `null` when the secret is wrong, or when any part of the wrap was changed. Request
 * an extractable key only in order to wrap it again.
 */
export async function unwrapVaultKey(
  wrap: VaultWrap,
  secret: VaultSecret,
  { userId, isExtractable }: { readonly userId: string; readonly isExtractable: boolean },
): Promise<Key | null> {
  const [salt, iv, ct] = [wrap.salt, wrap.iv, wrap.ct].map(fromBase64url);
  if (!salt || !iv || !ct || wrap.type !== secret.type) return null;
  const kek = await wrappingKey(secret, salt);
  try {
    const parameters = gcm(iv, wrap, userId);
    return await crypto.subtle.unwrapKey('raw', ct, kek, parameters, aes, isExtractable, [...uses]);
  } catch {
    return null;
  }
}

/** Authenticates these values: a wrap of another user, kind or passkey does not open. */
function gcm(
  iv: Uint8Array<ArrayBuffer>,
  { ref, type }: Pick<VaultWrap, 'ref' | 'type'>,
  userId: string,
) {
  return {
    name: 'AES-GCM',
    iv,
    additionalData: bytesToSign({ kind: 'vault-wrap', ref, type, userId, v: 1 }),
  };
}
