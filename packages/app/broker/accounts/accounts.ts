/**
 * Accounts of the broker: created with a passkey and a vault in one step, and entered by passkey
 * only. A user without passkeys recovers the account with the recovery code, of which the broker
 * stores a hash of a hash.
 */
import { isUniqueViolation, type Transaction } from '../../../../kernel/store/index.ts';
import { isShownName, isUsableKey } from '../../../lib/identity-protocol/index.ts';
import type { SignedInUser, StoredPasskey, User } from './account.ts';
import * as store from './account-store.ts';
import { creationOptions, requestOptions } from './browser-options.ts';
import { readBrowserReply } from './browser-reply.ts';
import type { Challenges } from './challenges.ts';
import { Refusal } from '../service/errors.ts';
import type { Core } from '../service/parts.ts';
import type { PasskeyCheck } from './passkey-check.ts';
import { hashOf } from '../service/secret-hashes.ts';
import type { Sessions } from './sessions.ts';
import { assertVault } from './vault-check.ts';
import type {
  Account,
  LoginOptions,
  RegisterOptions,
  RegisterVerify,
  SignedIn,
} from '../service/web-api.ts';

/** A reply with the token of the new session. */
export interface Opened<Reply> {
  readonly token: string;
  readonly reply: Reply;
}

/** Creates accounts and signs in to them. */
export type Accounts = ReturnType<typeof createAccounts>;

export interface AccountParts {
  readonly core: Core;
  readonly challenges: Challenges;
  readonly check: PasskeyCheck;
  readonly sessions: Sessions;
}

/** A user as shown to the user's own page. */
export const accountOf = ({ userId, handle, userPubKey }: User): Account => ({
  userId,
  handle,
  userPubKey,
});

export function createAccounts({ core, challenges, check, sessions }: AccountParts) {
  const { database, clock, random, site } = core;

  const subjectOf = (userId: string, handle: string): string => `${userId} ${handle}`;

  const beginRegister = async (handle: string): Promise<RegisterOptions> => {
    assertHandle(handle);
    if (await store.findUserByHandle(database.read, handle)) throw new Refusal('handle_taken');
    const userId = random(16).toString('base64url');
    const use = { purpose: 'register', subject: subjectOf(userId, handle) } as const;
    const challenge = await challenges.give(use);
    const asked = { site: site(), challenge, purpose: use.purpose, passkeys: [] };
    return { userId, options: creationOptions(asked, { userId, handle }) };
  };

  const register = async (body: RegisterVerify): Promise<Opened<SignedIn>> => {
    const { userId, handle, userPubKey, vault, recoveryAuth } = body;
    assertHandle(handle);
    if (!isUsableKey(userPubKey)) throw new Refusal('vault_invalid');
    const passkeys = [readBrowserReply(body.credential).id];
    await assertVault(vault, { userId, userPubKey, passkeys });
    const use = { purpose: 'register', subject: subjectOf(userId, handle) } as const;
    const passkey = await check.register(body.credential, use, userId);
    const now = clock.now();
    const user: User = {
      userId,
      handle,
      userPubKey,
      recoveryHash: hashOf(recoveryAuth),
      keyRevokedAt: null,
      createdAt: now,
    };
    const token = await database
      .write(async (trx) => {
        if (await store.findUserByHandle(trx, handle)) throw new Refusal('handle_taken');
        if (await store.isKeyInUse(trx, userPubKey)) throw new Refusal('key_mismatch');
        await store.insertUser(trx, user);
        await store.insertPasskey(trx, passkey);
        await store.insertVault(trx, userId, vault);
        return sessions.open(trx, userId);
      })
      .catch(passkeyTaken);
    return { token, reply: { account: accountOf(user), credentialId: passkey.id, vault, now } };
  };

  const beginLogin = async (): Promise<LoginOptions> => {
    const challenge = await challenges.give({ purpose: 'login', subject: '' });
    return {
      options: requestOptions({ site: site(), challenge, purpose: 'login', passkeys: [] }),
    };
  };

  /** `token` is that of the session that this one replaces. */
  const login = async (credential: unknown, before: string | null): Promise<Opened<SignedIn>> => {
    const { passkey } = await check.assert(credential, { purpose: 'login', subject: '' }, null);
    const token = await database.write(async (trx) => {
      if (before !== null) await store.removeSession(trx, hashOf(before));
      return sessions.open(trx, passkey.userId);
    });
    return { token, reply: await signedIn(core, passkey) };
  };

  return { beginRegister, register, beginLogin, login };
}

/** The reply to a sign-in with this passkey. */
export async function signedIn(
  { database, clock }: Core,
  { userId, id }: Pick<StoredPasskey, 'userId' | 'id'>,
): Promise<SignedIn> {
  const user = await store.findUser(database.read, userId);
  const vault = await store.findVault(database.read, userId);
  if (!user || !vault) throw new Refusal('signed_out');
  return { account: accountOf(user), credentialId: id, vault, now: clock.now() };
}

/** Stores a vault with a higher revision, or throws `vault_conflict`. */
export async function putVault(
  trx: Transaction,
  { user }: SignedInUser,
  vault: SignedIn['vault'],
): Promise<void> {
  const { userPubKey } = (await store.findUser(trx, user.userId)) ?? {};
  if (userPubKey !== vault.key.userPubKey) throw new Refusal('key_mismatch');
  if (!(await store.replaceVault(trx, user.userId, vault))) throw new Refusal('vault_conflict');
}

/**
 * Turns a unique violation into `passkey_taken`, the only cause that is left when name and key are
 * free.
 */
export function passkeyTaken(error: unknown): never {
  throw isUniqueViolation(error) ? new Refusal('passkey_taken') : error;
}

function assertHandle(handle: string): void {
  if (isShownName(handle) && handle.trim() === handle) return;
  throw new Refusal('invalid_request', {
    message: 'handle must be 1 to 64 visible characters, with no space at either end.',
  });
}
