import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../../kernel/index.ts';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import type { Audit } from '../../platform/audit/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import type { ProfileResolver, Viewer } from '../viewer/index.ts';
import { createApiKeys, type ApiKeys } from './api-keys.ts';
import {
  createAttemptGate,
  type AttemptGate,
  createAuthenticate,
  createSpentChallenges,
  type Authenticate,
  type Credentials,
  createLinkTokens,
  type LinkTokens,
  createPasswords,
  type Passwords,
} from '../credentials/index.ts';
import type { CheckUserAccess } from './new-user.ts';
import { createOutsideChanges } from './outside-changes.ts';
import { createChallenges } from './passkeys/challenges.ts';
import { createPasskeyProof } from './passkeys/passkey-proof.ts';
import { createPasskeys, type Passkeys } from './passkeys/passkeys.ts';
import { relyingPartyOf, type RelyingParty } from './passkeys/relying-party.ts';
import { createPairings, type Pairings } from './pairing/pairings.ts';
import { createPasswordCheck, type PasswordCheck } from './password-check.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createSetup, type Setup } from './setup.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import type { UserFollower } from './user.ts';
import { createUsers, type Users } from './users.ts';

/** Users, their credentials and sign-in. */
export interface Accounts {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly apiKeys: ApiKeys;
  readonly passkeys: Passkeys;
  /** Devices that a person lets in from another one. */
  readonly pairings: Pairings;
  readonly passwords: Passwords;
  readonly signIn: SignIn;
  readonly setup: Setup;
  /** Sessions of identity apps, where identities are supported. */
  readonly identitySessions?: ForeignSessions;
  /** Asks for the password again; for other domains. */
  readonly confirm: PasswordCheck['confirm'];
  readonly authenticate: Authenticate;
  /** Tokens of links to media. */
  readonly linkTokens: LinkTokens;
  /** Whether a credential of any kind is still valid. */
  readonly isValid: (credentialId: string) => Promise<boolean>;
  /** Reports credentials that ended, and users whose rights changed. */
  readonly onRevocation: (listener: (revocation: Revocation) => void) => Undo;
  /** Waits for pending writes. */
  readonly close: () => Promise<void>;
}

/** Sessions that another domain opens. */
export interface ForeignSessions extends Credentials {
  /** Ends the session of the request. */
  readonly end: (viewer: Viewer) => Promise<void>;
}

/** The users and credentials whose connections must be closed, because their rights changed. */
export interface Revocation {
  readonly userId: string | null;
  readonly credentialIds: readonly string[];
}

export interface AccountsParts {
  readonly database: Database;
  readonly audit: Pick<Audit, 'inTransaction' | 'tally'>;
  /** Resolves the profile of each request. */
  readonly activeProfiles: ProfileResolver;
  readonly checkUserAccess: CheckUserAccess;
  /** Whether an API key can be limited to this library. */
  readonly hasLibrary: (id: string) => boolean;
  readonly assertRoom: (trx: Transaction, usersNow: number) => Promise<void>;
  readonly followers: readonly UserFollower[];
  /** The address at which clients reach the server, once it listens. */
  readonly publicUrl: () => string;
  /** Signs links to media; a new key makes all older links invalid. */
  readonly linkKey?: Buffer;
  /** Seals the challenges of passkeys; all servers of one database have the same. */
  readonly challengeKey?: Buffer;
  /** Applies, before each request, the changes of other servers on the same database. */
  readonly catchUp?: () => Promise<void>;
  /** Sessions of identity apps (`vti_`), where identities are supported. */
  readonly identitySessions?: ForeignSessions;
  /** Throttles guesses; one of its own when absent. */
  readonly gate?: AttemptGate;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly passwords?: Passwords;
  readonly random?: (count: number) => Buffer;
}

export function createAccounts(parts: AccountsParts): Accounts {
  const { database, activeProfiles, clock, random = randomBytes, publicUrl } = parts;
  const { inTransaction: audit, tally } = parts.audit;
  const passwords = parts.passwords ?? createPasswords({ random });
  const common = { ...parts, audit, passwords, random };
  const users = createUsers(common);
  const withUsers = { ...common, users };
  const sessions = createSessions(withUsers);
  const apiKeys = createApiKeys(withUsers);
  const identities = parts.identitySessions;
  const gate = parts.gate ?? createAttemptGate(clock);
  const check = createPasswordCheck({ ...common, sessions, gate, tally });
  const challenges = createChallenges({
    key: parts.challengeKey ?? random(32),
    spent: createSpentChallenges(parts),
    clock,
    random,
  });
  const relyingParty = (): RelyingParty => relyingPartyOf(publicUrl()) ?? noHostName();
  const prove = createPasskeyProof({ database, challenges, relyingParty, clock });
  const { confirm } = check;
  const outside = createOutsideChanges({ database, clock, changed: users.changed });
  const catchUp = parts.catchUp ?? outside.catchUp;
  const linkTokens = createLinkTokens({
    key: parts.linkKey ?? random(32),
    clock,
    principalOfId: byKind([
      sessions.principalOfId,
      apiKeys.principalOfId,
      async (id) => identities?.principalOfId(id) ?? null,
    ]),
  });
  const credentials = {
    vtk_: apiKeys,
    vts_: sessions,
    vtl_: linkTokens,
    ...(identities && { vti_: identities }),
  };
  const authenticate = createAuthenticate({ credentials, activeProfiles });

  const onRevocation: Accounts['onRevocation'] = (listener) => {
    const ofCredentials = (credentialIds: readonly string[]): void =>
      listener({ userId: null, credentialIds });
    const undos = [
      users.onChange((userId) => listener({ userId, credentialIds: [] })),
      sessions.onEnd(ofCredentials),
      apiKeys.onEnd(ofCredentials),
    ];
    return () => undos.forEach((undo) => undo());
  };

  return {
    users,
    sessions,
    apiKeys,
    passkeys: createPasskeys({ ...common, challenges, relyingParty, confirm }),
    pairings: createPairings({ ...withUsers, sessions, gate, tally }),
    passwords,
    signIn: createSignIn({ ...withUsers, sessions, check, prove }),
    setup: createSetup({ ...withUsers, sessions, apiKeys }),
    confirm,
    authenticate: async (headers) => {
      await catchUp();
      return authenticate(headers);
    },
    linkTokens,
    ...(identities && { identitySessions: identities }),
    isValid: async (id) =>
      (await sessions.isValid(id)) ||
      (await apiKeys.isValid(id)) ||
      ((await identities?.isValid(id)) ?? false),
    onRevocation,
    close: async () => {
      await Promise.all([sessions.close(), apiKeys.close()]);
    },
  };
}

const mostKinds = 1000;

/** Asks each kind of credential; the kind of an id never changes, so later only the right one. */
function byKind(kinds: readonly Credentials['principalOfId'][]): Credentials['principalOfId'] {
  const known = new LRUCache<string, Credentials['principalOfId']>({ max: mostKinds });
  return async (id) => {
    for (const find of [known.get(id) ?? kinds].flat()) {
      const principal = await find(id);
      if (principal === null) continue;
      known.set(id, find);
      return principal;
    }
    return null;
  };
}

function noHostName(): never {
  throw new AppError('passkeys_unavailable', {});
}
