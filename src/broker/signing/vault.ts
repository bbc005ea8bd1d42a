/**
 * The vault: what the broker keeps for a user and cannot open. The vault key is wrapped once per
 * secret of the user, and seals the identity key. Each revision is signed by the identity key, with
 * its number and a hash of its wraps, so that a thief or a lying broker can neither slip in a wrap
 * nor mix revisions. Bringing back a whole older vault is seen by a browser that knew a newer one.
 */
import { sealSigned } from '../../identity/primitives/index.ts';
import type { Vault, VaultKey, VaultWrap } from '../web-api.ts';
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

/** A vault and what was in it. */
export interface OpenedVault {
  readonly vault: Vault;
  readonly identity: Identity;
  readonly vaultKey: Key;
}

/** Why a vault stays shut: no wrap of this secret, another secret, or not as the user signed it. */
export type VaultFault = 'vault_locked' | 'wrong_secret' | 'vault_altered';

/** A new identity in a new vault, which each of the secrets opens. */
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
  /** Whose vault it has to be. */
  readonly account: { readonly userId: string; readonly userPubKey: string };
  readonly secret: VaultSecret;
  /** `change` gives a vault key that can be wrapped again; `sign` gives one that cannot. */
  readonly purpose: 'sign' | 'change';
}

/** Opens a vault with one secret. It is taken as the broker sent it, whatever that is. */
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

/** The next revision, which this secret opens, too; instead of another code or passphrase. */
export async function withSecret(opened: OpenedVault, secret: VaultSecret): Promise<OpenedVault> {
  const { vault, identity, vaultKey } = opened;
  const wrap = await wrapVaultKey(vaultKey, secret, identity.userId);
  const kept = vault.wraps.filter(
    ({ type, ref }) => type !== secret.type || (type === 'prf' && ref !== secret.ref),
  );
  return next(opened, { wraps: [...kept, wrap] });
}

/** The next revision, which this passkey does not open; the same as before when it never did. */
export const withoutPasskey = (opened: OpenedVault, credentialId: string): Promise<OpenedVault> =>
  next(opened, {
    wraps: opened.vault.wraps.filter(({ type, ref }) => type !== 'prf' || ref !== credentialId),
  });

/**
 * The next revision under a new vault key, which only these secrets open: whoever opened an older
 * revision learns nothing of what comes after it.
 */
export async function rekeyed(
  opened: OpenedVault,
  secrets: readonly VaultSecret[],
): Promise<OpenedVault> {
  const { vault, identity, vaultKey: old } = opened;
  const { userId } = identity;
  const vaultKey = await createVaultKey();
  const key = await resealIdentity(old, vaultKey, { key: vault.key, userId });
  if (key === null) throw new TypeError('An opened vault holds its key.');
  const wraps = await Promise.all(secrets.map((one) => wrapVaultKey(vaultKey, one, userId)));
  return { ...(await next(opened, { wraps, key })), vaultKey };
}

/** The next revision with a new identity key in it, which signs it. */
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
