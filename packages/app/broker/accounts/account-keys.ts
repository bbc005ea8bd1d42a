/** Access to an account: its vault, its passkeys, and its recovery code. */
import { fromBase64url } from '../../../lib/identity-protocol/index.ts';
import type { SignedInUser, StoredPasskey } from './account.ts';
import * as store from './account-store.ts';
import { accountOf, passkeyTaken, putVault, signedIn, type Opened } from './accounts.ts';
import type { AccountParts } from './accounts.ts';
import { creationOptions } from './browser-options.ts';
import { readBrowserReply } from './browser-reply.ts';
import { networkKeyOf } from '../service/client-address.ts';
import { Refusal } from '../service/errors.ts';
import { hourMs } from '../service/parts.ts';
import { createRate } from '../service/request-rates.ts';
import { hashOf, isSameHash } from '../service/secret-hashes.ts';
import { assertVault } from './vault-check.ts';
import type {
  AddPasskey,
  CreationOptionsJson,
  NewRecovery,
  PasskeyView,
  Recovery,
  RecoverVerify,
  SignedIn,
  Vault,
} from '../service/web-api.ts';

/** Access to an account. */
export type AccountKeys = ReturnType<typeof createAccountKeys>;

/** An attempt with a recovery code. */
export interface RecoveryAttempt {
  readonly handle: string;
  readonly auth: string;
  /** The address of the client. */
  readonly address: string;
}

const mostPasskeys = 20;

export function createAccountKeys({ core, challenges, check, sessions }: AccountParts) {
  const { database, clock, limits, site } = core;
  const wrongRecoveries = createRate(clock, [{ most: limits.recoveriesPerHour, inMs: hourMs }]);

  const passkeysOf = (userId: string): Promise<readonly StoredPasskey[]> =>
    store.passkeysOf(database.read, userId);

  /** Checks that the vault belongs to the user and has wraps for exactly these passkeys. */
  const checked = async ({ user }: SignedInUser, vault: Vault, ids: readonly string[]) =>
    assertVault(vault, { userId: user.userId, userPubKey: user.userPubKey, passkeys: ids });

  const optionsFor = async (
    { user, session }: SignedInUser,
    purpose: 'passkey' | 'recover',
  ): Promise<CreationOptionsJson> => {
    const challenge = await challenges.give({ purpose, subject: session.hash });
    const passkeys = await passkeysOf(user.userId);
    return creationOptions({ site: site(), challenge, purpose, passkeys }, user);
  };

  const add = async (
    caller: SignedInUser,
    { credential, vault }: AddPasskey,
  ): Promise<PasskeyView> => {
    const { user, session } = caller;
    const ids = (await passkeysOf(user.userId)).map(({ id }) => id);
    const wanted = await checked(caller, vault, [...ids, readBrowserReply(credential).id]);
    const use = { purpose: 'passkey', subject: session.hash } as const;
    const passkey = await check.register(credential, use, user.userId);
    await database
      .write(async (trx) => {
        if ((await store.passkeysOf(trx, user.userId)).length >= mostPasskeys)
          throw new Refusal('too_many');
        await store.insertPasskey(trx, passkey);
        await keepVault(trx, caller, wanted);
      })
      .catch(passkeyTaken);
    return viewOf(passkey);
  };

  /** A passkey that cannot open the vault leaves the vault unchanged. */
  const keepVault: typeof putVault = async (trx, caller, vault) => {
    const known = await store.findVault(trx, caller.user.userId);
    if (known?.rev === vault.rev && JSON.stringify(known.proof) === JSON.stringify(vault.proof))
      return;
    await putVault(trx, caller, vault);
  };

  const remove = async (caller: SignedInUser, id: string, vault: Vault): Promise<void> => {
    const { userId } = caller.user;
    const left = (await passkeysOf(userId)).filter((passkey) => passkey.id !== id);
    const wanted = await checked(
      caller,
      vault,
      left.map((passkey) => passkey.id),
    );
    await database.write(async (trx) => {
      const isThere = await store.removePasskey(trx, userId, id);
      if (!isThere) throw new Refusal('not_found');
      if ((await store.passkeysOf(trx, userId)).length === 0) throw new Refusal('last_passkey');
      await keepVault(trx, caller, wanted);
    });
  };

  /**
   * With the recovery code; rejects with `recovery_refused`. A code has 130 bits, so a right one
   * is accepted after any number of wrong ones: an attacker cannot lock a user out. Wrong codes
   * are counted per network; above the limit it rejects with `rate_limited`.
   */
  const recover = async ({ handle, auth, address }: RecoveryAttempt): Promise<Opened<Recovery>> => {
    const user = await store.findUserByHandle(database.read, handle);
    const isRight = isSameHash(user?.recoveryHash ?? hashOf('nobody'), hashOf(auth));
    if (!user || !isRight) {
      wrongRecoveries.take(networkKeyOf(address));
      throw new Refusal('recovery_refused');
    }
    const vault = await store.findVault(database.read, user.userId);
    if (!vault) throw new Refusal('recovery_refused');
    const token = await database.write((trx) => sessions.open(trx, user.userId, true));
    const caller = await sessions.find(token);
    const options = await optionsFor(caller, 'recover');
    return { token, reply: { account: accountOf(user), vault, options, now: clock.now() } };
  };

  /** Finishes a recovery with a new passkey, and ends every other session. */
  const finishRecovery = async (
    caller: SignedInUser,
    body: RecoverVerify,
  ): Promise<Opened<SignedIn>> => {
    const { user, session } = caller;
    if (!session.isRecovery) throw new Refusal('signed_out');
    const ids = (await passkeysOf(user.userId)).map(({ id }) => id);
    const wanted = await checked(caller, body.vault, [
      ...ids,
      readBrowserReply(body.credential).id,
    ]);
    const use = { purpose: 'recover', subject: session.hash } as const;
    const passkey = await check.register(body.credential, use, user.userId);
    const token = await database
      .write(async (trx) => {
        await store.insertPasskey(trx, passkey);
        await putVault(trx, caller, wanted);
        await store.setRecovery(trx, user.userId, hashOf(body.recoveryAuth));
        await store.removeSessionsOf(trx, user.userId);
        return sessions.open(trx, user.userId);
      })
      .catch(passkeyTaken);
    return { token, reply: await signedIn(core, passkey) };
  };

  return {
    vault: async ({ user }: SignedInUser): Promise<Vault> => {
      const vault = await store.findVault(database.read, user.userId);
      if (vault) return vault;
      throw new Refusal('not_found');
    },
    putVault: async (caller: SignedInUser, vault: Vault): Promise<void> => {
      const ids = (await passkeysOf(caller.user.userId)).map(({ id }) => id);
      const wanted = await checked(caller, vault, ids);
      await database.write((trx) => putVault(trx, caller, wanted));
    },
    passkeys: async ({ user }: SignedInUser): Promise<readonly PasskeyView[]> =>
      (await passkeysOf(user.userId)).map(viewOf),
    beginAdding: (caller: SignedInUser): Promise<CreationOptionsJson> =>
      optionsFor(caller, 'passkey'),
    add,
    remove,
    setRecovery: async (
      caller: SignedInUser,
      { vault, recoveryAuth }: NewRecovery,
    ): Promise<void> => {
      const ids = (await passkeysOf(caller.user.userId)).map(({ id }) => id);
      const wanted = await checked(caller, vault, ids);
      await database.write(async (trx) => {
        await putVault(trx, caller, wanted);
        await store.setRecovery(trx, caller.user.userId, hashOf(recoveryAuth));
      });
    },
    recover,
    finishRecovery,
  };
}

const viewOf = (passkey: StoredPasskey): PasskeyView => ({
  id: passkey.id,
  createdAt: passkey.createdAt,
  lastUsedAt: passkey.lastUsedAt,
  backedUp: passkey.backedUp,
  transports: passkey.transports,
});

/** Whether a text is 32 bytes, which a page derives from the recovery code. */
export const isRecoveryAuth = (text: string): boolean => fromBase64url(text)?.length === 32;
