/**
 * Checks a vault without opening it: it has the right shape, the user's own key signed its wraps,
 * and there is more than one way to open it.
 */
import { Refusal } from '../service/errors.ts';
import { isVault, isVaultProven } from '../signing/vault-shape.ts';
import type { Vault, VaultWrap } from '../service/web-api.ts';

/** The expected owner of the vault. */
export interface VaultOwner {
  readonly userId: string;
  readonly userPubKey: string;
  /** Ids of the user's passkeys. */
  readonly passkeys: readonly string[];
}

/** The minimum parameters for a passphrase; weaker ones would be quick to guess. */
const leastKdf = { m: 65_536, t: 3, p: 1 };

/** Whether a wrap belongs to a registered passkey, or has strong enough parameters. */
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

/** Throws `vault_invalid`, which gives the reason. */
export async function assertVault(
  vault: unknown,
  { userId, userPubKey, passkeys }: VaultOwner,
): Promise<Vault> {
  if (!isVault(vault)) throw invalid('It does not have the shape of a vault.');
  if (!vault.wraps.every((wrap) => isAllowed(wrap, passkeys)))
    throw invalid(
      'A wrap is for a passkey that is not yours, or for a passphrase with weak parameters.',
    );
  if (vault.wraps.length < 2 || !vault.wraps.some(({ type }) => type === 'recovery'))
    throw invalid('It needs one wrap for recovery, and at least one other.');
  if (await isVaultProven(vault, { userId, userPubKey })) return vault;
  throw invalid('Its proof does not match this key, revision and wraps.');
}

const invalid = (message: string): Refusal => new Refusal('vault_invalid', { message });
