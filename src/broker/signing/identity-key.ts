/**
 * The user's own key pair. Its private half exists outside of this platform's key store only sealed
 * by the vault key; the form that signs can never be taken out, not even by this page.
 */
import {
  bytesToSign,
  fromBase64url,
  isSignedBy,
  toBase64url,
  toHex,
} from '../../identity/primitives/index.ts';
import type { VaultKey } from '../web-api.ts';
import type { Key } from './crypto-key.ts';
import { randomBytes } from './random-bytes.ts';

/** Whoever can sign as the user. */
export interface Identity {
  readonly userId: string;
  readonly userPubKey: string;
  readonly sign: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;
}

/** An identity that was just made, and what a vault keeps of it. */
export interface SealedIdentity {
  readonly identity: Identity;
  readonly key: VaultKey;
}

/** Makes a key pair and seals it; what is handed on can sign and be nothing else. */
export async function createIdentity(vaultKey: Key, userId: string): Promise<SealedIdentity> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new TypeError('Ed25519 is a pair of keys.');
  const userPubKey = toHex(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)));
  const key = await sealKey(vaultKey, pair.privateKey, { userId, userPubKey });
  const identity = await openIdentity(vaultKey, key, userId);
  if (identity === null) throw new TypeError('The key that was just sealed does not open.');
  return { identity, key };
}

/** Opens what was sealed; `null` when it was changed, or does not belong to its public key. */
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
 * Seals the same private key under another vault key. The key passes through the platform in its
 * sealed form alone: it is opened only to be wrapped at once.
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

/** Binds the sealed key to its user and its public half. */
const gcm = (iv: Uint8Array<ArrayBuffer>, { userId, userPubKey }: Ids) => ({
  name: 'AES-GCM',
  iv,
  additionalData: bytesToSign({ kind: 'vault-key', userId, userPubKey, v: 1 }),
});
