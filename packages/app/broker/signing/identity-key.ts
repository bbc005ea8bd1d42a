/**
 * The user's own key pair. The private key leaves this platform's key store only encrypted with the
 * vault key. The form that signs cannot be exported, not even by this page.
 */
import {
  bytesToSign,
  fromBase64url,
  isSignedBy,
  toBase64url,
  toHex,
} from '../../../lib/identity-protocol/index.ts';
import type { VaultKey } from '../service/web-api.ts';
import type { Key } from './crypto-key.ts';
import { randomBytes } from './random-bytes.ts';

/** A key that can sign as the user. */
export interface Identity {
  readonly userId: string;
  readonly userPubKey: string;
  readonly sign: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;
}

/** A new identity, with the encrypted key for its vault. */
export interface SealedIdentity {
  readonly identity: Identity;
  readonly key: VaultKey;
}

/** Creates a key pair and encrypts it; the returned key can only sign. */
export async function createIdentity(vaultKey: Key, userId: string): Promise<SealedIdentity> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new TypeError('Ed25519 is a pair of keys.');
  const userPubKey = toHex(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)));
  const key = await sealKey(vaultKey, pair.privateKey, { userId, userPubKey });
  const identity = await openIdentity(vaultKey, key, userId);
  if (identity === null) throw new TypeError('The new encrypted key cannot be decrypted.');
  return { identity, key };
}

/** Decrypts an identity; `null` when it was changed, or does not match its public key. */
export async function openIdentity(
  vaultKey: Key,
  { userPubKey, iv: ivText, ct: ctText }: VaultKey,
  userId: string,
): Promise<Identity | null> {
  const [iv, ct] = [fromBase64url(ivText), fromBase64url(ctText)];
  if (!iv || !ct) return null;
  const sealed = gcm(iv, { userId, userPubKey });
  const privateKey = await crypto.subtle
    .unwrapKey('pkcs8', ct, vaultKey, sealed, 'Ed25519', false, ['sign'])
    .catch(() => null);
  if (privateKey === null) return null;
  const sign = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, bytes));
  const probe = randomBytes(32);
  const isOwn = await isSignedBy(userPubKey, probe, await sign(probe));
  return isOwn ? { userId, userPubKey, sign } : null;
}

/**
 * Encrypts the same private key with another vault key. The key is exported only in wrapped form:
 * it is unwrapped only to be wrapped again immediately.
 */
export async function resealIdentity(
  from: Key,
  to: Key,
  { key, userId }: { readonly key: VaultKey; readonly userId: string },
): Promise<VaultKey | null> {
  const [iv, ct] = [fromBase64url(key.iv), fromBase64url(key.ct)];
  if (!iv || !ct) return null;
  const ids = { userId, userPubKey: key.userPubKey };
  const privateKey = await crypto.subtle
    .unwrapKey('pkcs8', ct, from, gcm(iv, ids), 'Ed25519', true, ['sign'])
    .catch(() => null);
  return privateKey && sealKey(to, privateKey, ids);
}

interface Ids {
  readonly userId: string;
  readonly userPubKey: string;
}

async function sealKey(vaultKey: Key, privateKey: Key, ids: Ids): Promise<VaultKey> {
  const iv = randomBytes(12);
  const ct = await crypto.subtle.wrapKey('pkcs8', privateKey, vaultKey, gcm(iv, ids));
  return {
    v: 1,
    userPubKey: ids.userPubKey,
    iv: toBase64url(iv),
    ct: toBase64url(new Uint8Array(ct)),
  };
}

/** Binds the encrypted key to its user and its public key. */
const gcm = (iv: Uint8Array<ArrayBuffer>, { userId, userPubKey }: Ids) => ({
  name: 'AES-GCM',
  iv,
  additionalData: bytesToSign({ kind: 'vault-key', userId, userPubKey, v: 1 }),
});
