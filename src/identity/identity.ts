import type { Database, Log, Queries } from '../../kernel/index.ts';
import type { Accounts, UserFollower } from '../accounts/index.ts';
import type { RecordAudit } from '../audit/index.ts';
import type { Clock } from '../clock.ts';
import type { NewId } from '../uuid-v7.ts';
import { createChallenges } from './challenges.ts';
import { removeLinksOfUser } from './link-store.ts';
import { createPassCheck } from './pass-check.ts';
import { createRequestRates, type RequestLimits } from './request-rates.ts';
import type { ServerIdentity } from './server-id.ts';
import { removeSessionsOfUser } from './session-store.ts';
import { createIdentitySessions, type IdentitySessions } from './sessions.ts';
import { createIdentitySignIn, type IdentitySignIn } from './sign-in.ts';

/** The server's half of the identity protocol. */
export interface Identity {
  readonly signIn: IdentitySignIn;
  readonly sessions: IdentitySessions;
  readonly serverId: string;
  /** Reads what it must know before the first request. */
  readonly open: () => Promise<void>;
  /** Waits for what is still being written. */
  readonly close: () => Promise<void>;
}

/** What it is made of. */
export interface IdentityParts {
  readonly database: Database;
  readonly accounts: Pick<Accounts, 'users' | 'confirm'>;
  readonly server: ServerIdentity;
  readonly audit: RecordAudit;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly limits?: RequestLimits;
  readonly random?: (count: number) => Buffer;
}

/** Creates it over the database. */
export function createIdentity(parts: IdentityParts): Identity {
  const { database, accounts, server, clock, limits } = parts;
  const { users } = accounts;
  const { serverId } = server;
  const assertFresh = (): void => undefined;
  const rates = createRequestRates(clock, limits);
  const sessions = createIdentitySessions({ ...parts, users, assertFresh });
  const passes = createPassCheck({
    read: database.read,
    findUser: users.find,
    serverId,
    assertFresh,
    clock,
  });
  const challenges = createChallenges(parts);
  const signIn = createIdentitySignIn({
    ...{ database, serverId, rates, challenges, passes, sessions, clock },
  });
  return {
    signIn,
    sessions,
    serverId,
    open: async () => (await sessions.networks()).forEach(rates.know),
    close: sessions.close,
  };
}

/** What goes when a user goes, or is switched off. */
export const identitiesOfUsers: UserFollower = {
  created: async () => undefined,
  updated: async (trx, { id, disabled }) => {
    if (disabled) await removeSessionsOfUser(trx, id);
  },
  removed: (trx, userId) => removeAllOf(trx, userId),
};

async function removeAllOf(trx: Queries, userId: string): Promise<void> {
  await removeSessionsOfUser(trx, userId);
  await removeLinksOfUser(trx, userId);
}
