import type { Transaction } from '../../../kernel/storage/index.ts';
import type { SignedInUser, User } from './account.ts';
import * as store from './account-store.ts';
import { Refusal } from '../service/errors.ts';
import { hourMs, minuteMs, type Core } from '../service/parts.ts';
import { hashOf } from '../service/secret-hashes.ts';

/** Sessions of browsers: a random token in a cookie, stored here as its hash. */
export interface Sessions {
  /** Creates one in the transaction that signs the user in; returns the token. */
  readonly open: (trx: Transaction, userId: string, isRecovery?: boolean) => Promise<string>;
  readonly end: (token: string) => Promise<void>;
  /** The user of the token; rejects with `signed_out`. */
  readonly find: (token: string | null) => Promise<SignedInUser>;
  /** Records a use of the passkey. */
  readonly freshen: (trx: Transaction, hash: string) => Promise<void>;
  /** Throws `assertion_required` when the passkey was not used recently. */
  readonly assertFresh: (caller: SignedInUser) => void;
}

export const sessionLifetimeMs = 12 * hourMs;
const freshForMs = 5 * minuteMs;

export function createSessions({ database, clock, random }: Core): Sessions {
  return {
    open: async (trx, userId, isRecovery = false) => {
      const token = random(32).toString('base64url');
      const now = clock.now();
      await store.insertSession(trx, {
        hash: hashOf(token),
        userId,
        assertedAt: isRecovery ? 0 : now,
        isRecovery,
        expiresAt: now + (isRecovery ? hourMs : sessionLifetimeMs),
      });
      return token;
    },
    end: (token) => database.write((trx) => store.removeSession(trx, hashOf(token))),
    find: async (token) => {
      const session = token === null ? null : await store.findSession(database.read, hashOf(token));
      if (!session || session.expiresAt <= clock.now()) throw new Refusal('signed_out');
      const user: User | undefined = await store.findUser(database.read, session.userId);
      if (!user) throw new Refusal('signed_out');
      return { session, user };
    },
    freshen: (trx, hash) => store.freshenSession(trx, hash, clock.now()),
    assertFresh: ({ session }) => {
      if (session.assertedAt > clock.now() - freshForMs) return;
      throw new Refusal('assertion_required');
    },
  };
}
