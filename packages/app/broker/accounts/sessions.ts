import type { Transaction } from '../../../../kernel/store/index.ts';
import type { SignedInUser, User } from './account.ts';
import * as store from './account-store.ts';
import { Refusal } from '../service/errors.ts';
import { hourMs, minuteMs, type Core } from '../service/parts.ts';
import { hashOf } from '../service/secret-hashes.ts';

/** Sessions of browsers: a random token in a cookie, stored here as its hash. */
export type Sessions = ReturnType<typeof createSessions>;

export const sessionLifetimeMs = 12 * hourMs;
const freshForMs = 5 * minuteMs;

export function createSessions({ database, clock, random }: Core) {
  return {
    /** Creates one in the transaction that signs the user in; returns the token. */
    open: async (
      trx: Transaction,
      userId: string,
      isRecovery: boolean = false,
    ): Promise<string> => {
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
    end: (token: string): Promise<void> =>
      database.write((trx) => store.removeSession(trx, hashOf(token))),
    /** The user of the token; rejects with `signed_out`. */
    find: async (token: string | null): Promise<SignedInUser> => {
      const session = token === null ? null : await store.findSession(database.read, hashOf(token));
      if (!session || session.expiresAt <= clock.now()) throw new Refusal('signed_out');
      const user: User | undefined = await store.findUser(database.read, session.userId);
      if (!user) throw new Refusal('signed_out');
      return { session, user };
    },
    /** Records a use of the passkey. */
    freshen: (trx: Transaction, hash: string): Promise<void> =>
      store.freshenSession(trx, hash, clock.now()),
    /** Throws `assertion_required` when the passkey was not used recently. */
    assertFresh: ({ session }: SignedInUser): void => {
      if (session.assertedAt > clock.now() - freshForMs) return;
      throw new Refusal('assertion_required');
    },
  };
}
