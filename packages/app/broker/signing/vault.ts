/**
 * The vault: data that the broker stores for a user and cannot decrypt. The vault key is wrapped
 * once per secret of the user, and encrypts the identity key. The identity key signs each revision,
 * with its number and a hash of its wraps, so that neither a thief nor a malicious broker can add a
 * wrap or mix revisions. The return of a whole older vault is detected by a browser that has seen a
 * newer one.
 */
import { sealSigned } from '../../../lib/identity-protocol/index.ts';
import type { Vault, VaultKey, VaultWrap } from '../service/web-api.ts';
import type { Key } from './crypto-key.ts';
import {
  createIdentity,
  openIdentity,
  resealIdentity,
  type Identity,
  type SealedIdentity,
} from './identity-key.ts';
import { isVault, isVaultProven, wrapsHash } from './vault-shape.ts';
import type { VaultSecret } from './vault-secret.ts';
import { createVaultKey, unwrapVaultKey, wrapVaultKey } from './vault-wrap.ts';

/** A vault and its decrypted content. */
export interface OpenedVault {
  readonly vault: Vault;
  readonly identity: Identity;
  readonly vaultKey: Key;
}

/**
 * Why a vault does not open: no wrap for this secret, a wrong secret, or not the form that the user
 * signed.
 */
export type VaultFault = 'vault_locked' | 'wrong_secret' | 'vault_altered';

/** Creates a new identity in a new vault that each of the secrets opens. */
export async function createVault(
  userId: string,
  secrets: readonly VaultSecret[],
): Promise<OpenedVault> {
  const vaultKey = await createVaultKey();
  const { identity, key } = await createIdentity(vaultKey, userId);
  const wraps = await Promise.all(secrets.map((one) => wrapVaultKey(vaultKey, one, userId)));
  return { vault: await signed(identity, { rev: 1, wraps, key }), identity, vaultKey };
}

export interface OpenVaultParts {
  /** The expected owner of the vault. */
  readonly account: { readonly userId: string; readonly userPubKey: string };
  readonly secret: VaultSecret;
  /** `change` gives a vault key that can be wrapped again; `sign` gives one that cannot. */
  readonly purpose: 'sign' | 'change';
}

/** Opens a vault with one secret. The vault is untrusted input from the broker. */
export async function openVault(
  vault: Vault,
  { account, secret, purpose }: OpenVaultParts,
): Promise<OpenedVault | VaultFault> {
  if (!isVault(vault)) return 'vault_altered';
  const wrap = wrapOf(vault, secret);
  if (wrap === undefined) return 'vault_locked';
  const { userId, userPubKey } = account;
  const isExtractable = purpose === 'change';
  const vaultKey = await unwrapVaultKey(wrap, secret, { userId, isExtractable });
  if (vaultKey === null) return 'wrong_secret';
  if (vault.key.userPubKey !== userPubKey) return 'vault_altered';
  const identity = await openIdentity(vaultKey, vault.key, userId);
  if (identity === null || !(await isVaultProven(vault, account))) return 'vault_altered';
  return { vault, identity, vaultKey };
}

/**
 * The next revision, which this secret opens as well; it replaces an earlier code or passphrase.
 */
export async function withSecret(opened: OpenedVault, secret: VaultSecret): Promise<OpenedVault> {
  const { vault, identity, vaultKey } = opened;
  const wrap = await wrapVaultKey(vaultKey, secret, identity.userId);
  const kept = vault.wraps.filter(
    ({ type, ref }) => type !== secret.type || (type === 'prf' && ref !== secret.ref),
  );
  return next(opened, { wraps: [...kept, wrap] });
}

/** The next revision, without the wrap of this passkey; unchanged if there is none. */
export const withoutPasskey = (opened: OpenedVault, credentialId: string): Promise<OpenedVault> =>
  next(opened, {
    wraps: opened.vault.wraps.filter(({ type, ref }) => type !== 'prf' || ref !== credentialId),
  });

/**
 * The next revision with a new vault key, which only these secrets open: an attacker who opened an
 * older revision cannot open later ones.
 */
export async function withNewVaultKey(
  opened: OpenedVault,
  secrets: readonly VaultSecret[],
): Promise<OpenedVault> {
  const { vault, identity, vaultKey: old } = opened;
  const { userId } = identity;
  const vaultKey = await createVaultKey();
  const key = await resealIdentity(old, vaultKey, { key: vault.key, userId });
  if (key === null) throw new TypeError('The opened vault has no extractable key.');
  const wraps = await Promise.all(secrets.map((one) => wrapVaultKey(vaultKey, one, userId)));
  return { ...(await next(opened, { wraps, key })), vaultKey };
}

/** The next revision with a new identity key, which signs it. */
export async function withNewIdentity(opened: OpenedVault): Promise<OpenedVault> {
  const { vault, identity, vaultKey } = opened;
  const sealed: SealedIdentity = await createIdentity(vaultKey, identity.userId);
  const { key } = sealed;
  const { rev, wraps } = vault;
  const proven = await signed(sealed.identity, { rev: rev + 1, wraps, key });
  return { vault: proven, identity: sealed.identity, vaultKey };
}

/** The wrap that this secret opens. */
export const wrapOf = (
  { wraps }: Vault,
  { type, ref }: Pick<VaultSecret, 'type' | 'ref'>,
): VaultWrap | undefined => wraps.find((wrap) => wrap.type === type && wrap.ref === ref);

interface Changes {
  readonly wraps: readonly VaultWrap[];
  readonly key?: VaultKey;
}

async function next(opened: OpenedVault, { wraps, key }: Changes): Promise<OpenedVault> {
  const { vault, identity } = opened;
  const { rev } = vault;
  const proven = await signed(identity, { rev: rev + 1, wraps, key: key ?? vault.key });
  return { ...opened, vault: proven };
}

async function signed(identity: Identity, vault: Omit<Vault, 'proof'>): Promise<Vault> {
  const { userId, userPubKey, sign } = identity;
  const wraps = await wrapsHash(vault.wraps);
  const claims = { kind: 'vault', v: 1, rev: vault.rev, userId, userPubKey, wraps };
  return { ...vault, proof: await sealSigned(claims, sign) };
}
