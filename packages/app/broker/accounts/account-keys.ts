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

/** An attempt with a recovery code. */
export interface RecoveryAttempt {
  readonly handle: string;
  readonly auth: string;
  /** The address of the client. */
  readonly address: string;
}

const mostPasskeys = 20;

/** Access to an account. */
export class AccountKeys {
  readonly #parts: AccountParts;
  readonly #database: AccountParts['core']['database'];
  readonly #clock: AccountParts['core']['clock'];
  readonly #site: AccountParts['core']['site'];
  readonly #wrongRecoveries: ReturnType<typeof createRate>;

  constructor(parts: AccountParts) {
    this.#parts = parts;
    const { database, clock, limits, site } = parts.core;
    this.#database = database;
    this.#clock = clock;
    this.#site = site;
    this.#wrongRecoveries = createRate(clock, [{ most: limits.recoveriesPerHour, inMs: hourMs }]);
  }

  #passkeysOf(userId: string): Promise<readonly StoredPasskey[]> {
    return store.passkeysOf(this.#database.read, userId);
  }

  async #optionsFor(
    { user, session }: SignedInUser,
    purpose: 'passkey' | 'recover',
  ): Promise<CreationOptionsJson> {
    const challenge = await this.#parts.challenges.give({ purpose, subject: session.hash });
    const passkeys = await this.#passkeysOf(user.userId);
    return creationOptions({ site: this.#site(), challenge, purpose, passkeys }, user);
  }

  readonly add = async (
    caller: SignedInUser,
    { credential, vault }: AddPasskey,
  ): Promise<PasskeyView> => {
    const { user, session } = caller;
    const ids = (await this.#passkeysOf(user.userId)).map(({ id }) => id);
    const wanted = await checked(caller, vault, [...ids, readBrowserReply(credential).id]);
    const use = { purpose: 'passkey', subject: session.hash } as const;
    const passkey = await this.#parts.check.register(credential, use, user.userId);
    await this.#database
      .write(async (trx) => {
        if ((await store.passkeysOf(trx, user.userId)).length >= mostPasskeys)
          throw new Refusal('too_many');
        await store.insertPasskey(trx, passkey);
        await keepVault(trx, caller, wanted);
      })
      .catch(passkeyTaken);
    return viewOf(passkey);
  };

  readonly remove = async (caller: SignedInUser, id: string, vault: Vault): Promise<void> => {
    const { userId } = caller.user;
    const left = (await this.#passkeysOf(userId)).filter((passkey) => passkey.id !== id);
    const wanted = await checked(
      caller,
      vault,
      left.map((passkey) => passkey.id),
    );
    await this.#database.write(async (trx) => {
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
  readonly recover = async ({
    handle,
    auth,
    address,
  }: RecoveryAttempt): Promise<Opened<Recovery>> => {
    const { sessions } = this.#parts;
    const user = await store.findUserByHandle(this.#database.read, handle);
    const isRight = isSameHash(user?.recoveryHash ?? hashOf('nobody'), hashOf(auth));
    if (!user || !isRight) {
      this.#wrongRecoveries.take(networkKeyOf(address));
      throw new Refusal('recovery_refused');
    }
    const vault = await store.findVault(this.#database.read, user.userId);
    if (!vault) throw new Refusal('recovery_refused');
    const token = await this.#database.write((trx) => sessions.open(trx, user.userId, true));
    const caller = await sessions.find(token);
    const options = await this.#optionsFor(caller, 'recover');
    return { token, reply: { account: accountOf(user), vault, options, now: this.#clock.now() } };
  };

  /** Finishes a recovery with a new passkey, and ends every other session. */
  readonly finishRecovery = async (
    caller: SignedInUser,
    body: RecoverVerify,
  ): Promise<Opened<SignedIn>> => {
    const { user, session } = caller;
    if (!session.isRecovery) throw new Refusal('signed_out');
    const ids = (await this.#passkeysOf(user.userId)).map(({ id }) => id);
    const wanted = await checked(caller, body.vault, [
      ...ids,
      readBrowserReply(body.credential).id,
    ]);
    const use = { purpose: 'recover', subject: session.hash } as const;
    const passkey = await this.#parts.check.register(body.credential, use, user.userId);
    const token = await this.#database
      .write(async (trx) => {
        await store.insertPasskey(trx, passkey);
        await putVault(trx, caller, wanted);
        await store.setRecovery(trx, user.userId, hashOf(body.recoveryAuth));
        await store.removeSessionsOf(trx, user.userId);
        return this.#parts.sessions.open(trx, user.userId);
      })
      .catch(passkeyTaken);
    return { token, reply: await signedIn(this.#parts.core, passkey) };
  };

  readonly vault = async ({ user }: SignedInUser): Promise<Vault> => {
    const vault = await store.findVault(this.#database.read, user.userId);
    if (vault) return vault;
    throw new Refusal('not_found');
  };

  readonly putVault = async (caller: SignedInUser, vault: Vault): Promise<void> => {
    const ids = (await this.#passkeysOf(caller.user.userId)).map(({ id }) => id);
    const wanted = await checked(caller, vault, ids);
    await this.#database.write((trx) => putVault(trx, caller, wanted));
  };

  readonly passkeys = async ({ user }: SignedInUser): Promise<readonly PasskeyView[]> =>
    (await this.#passkeysOf(user.userId)).map(viewOf);

  readonly beginAdding = (caller: SignedInUser): Promise<CreationOptionsJson> =>
    this.#optionsFor(caller, 'passkey');

  readonly setRecovery = async (
    caller: SignedInUser,
    { vault, recoveryAuth }: NewRecovery,
  ): Promise<void> => {
    const ids = (await this.#passkeysOf(caller.user.userId)).map(({ id }) => id);
    const wanted = await checked(caller, vault, ids);
    await this.#database.write(async (trx) => {
      await putVault(trx, caller, wanted);
      await store.setRecovery(trx, caller.user.userId, hashOf(recoveryAuth));
    });
  };
}

/** Checks that the vault belongs to the user and has wraps for exactly these passkeys. */
const checked = async ({ user }: SignedInUser, vault: Vault, ids: readonly string[]) =>
  assertVault(vault, { userId: user.userId, userPubKey: user.userPubKey, passkeys: ids });

/** A passkey that cannot open the vault leaves the vault unchanged. */
const keepVault: typeof putVault = async (trx, caller, vault) => {
  const known = await store.findVault(trx, caller.user.userId);
  if (known?.rev === vault.rev && JSON.stringify(known.proof) === JSON.stringify(vault.proof))
    return;
  await putVault(trx, caller, vault);
};

const viewOf = (passkey: StoredPasskey): PasskeyView => ({
  id: passkey.id,
  createdAt: passkey.createdAt,
  lastUsedAt: passkey.lastUsedAt,
  backedUp: passkey.backedUp,
  transports: passkey.transports,
});

/** Whether a text is 32 bytes, which a page derives from the recovery code. */
export const isRecoveryAuth = (text: string): boolean => fromBase64url(text)?.length === 32;
