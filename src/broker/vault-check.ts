/**
 * What the broker can say of a vault that it cannot open: it has the shape of one, the user's own key
 * has signed which wraps belong to it, and there is more than one way in.
 */
import { Refusal } from './errors.ts';
import { isVault, isVaultProven } from './signing/vault-shape.ts';
import type { Vault, VaultWrap } from './web-api.ts';

/** Whose vault it must be. */
export interface VaultOwner {
  readonly userId: string;
  readonly userPubKey: string;
  /** Ids of the user's passkeys. */
  readonly passkeys: readonly string[];
}

/** What a page derives a passphrase's key with, at the least: less would be quick to guess. */
const leastKdf = { m: 65_536, t: 3, p: 1 };

/** Whether a wrap is of a passkey that is known, or slow enough to guess at. */
function isAllowed({ type, ref, kdf }: VaultWrap, passkeys: readonly string[]): boolean {
  switch (type) {
    case 'prf':
      return passkeys.includes(ref);
    case 'recovery':
      return true;
    case 'passphrase':
      return kdf !== undefined && kdf.m >= leastKdf.m && kdf.t >= leastKdf.t && kdf.p >= leastKdf.p;
  }
}

/** Throws `vault_invalid`, which says why. */
export async function assertVault(
  vault: unknown,
  { userId, userPubKey, passkeys }: VaultOwner,
): Promise<Vault> {
  if (!isVault(vault)) throw invalid('It is not of the form of one.');
  if (!vault.wraps.every((wrap) => isAllowed(wrap, passkeys)))
    throw invalid(
      'A wrap is of a passkey that is not yours, or of a passphrase too quick to guess.',
    );
  if (vault.wraps.length < 2 || !vault.wraps.some(({ type }) => type === 'recovery'))
    throw invalid('It needs one wrap for recovery, and at least one other.');
  if (await isVaultProven(vault, { userId, userPubKey })) return vault;
  throw invalid('Its proof is not that of this key, revision and wraps.');
}

const invalid = (message: string): Refusal => new Refusal('vault_invalid', { message });
