/**
 * The only place that accepts a password. Neither the reply nor its time reveals whether a name
 * exists: the same queries run, a hash of the same cost is computed, and failures are counted
 * alike.
 */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Database } from '../../../kernel/store/index.ts';
import type { Audit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { householdOf, plainAddress, siteOf } from '../../platform/networks.ts';
import type {
  Attempt,
  AttemptGate,
  AttemptLimit,
  HashFor,
  Passwords,
} from '../credentials/index.ts';
import { isAddressKnown } from './session-store.ts';
import type { Sessions } from './sessions.ts';
import { keyOfName } from './user-name.ts';
import { findUser, findUserByName, type StoredUser } from './user-store.ts';
import type { Viewer } from '../viewer/index.ts';

export type PasswordCheck = ReturnType<typeof createPasswordCheck>;

export interface PasswordCheckParts {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly gate: AttemptGate;
  readonly sessions: Pick<Sessions, 'startedAt'>;
  readonly tally: Audit['tally'];
  readonly clock: Clock;
}

const freePerAccount = 5;
const freePerAddress = 20;
const freePerSite = 100;
const momentMs = 15 * 60_000;

export function createPasswordCheck(parts: PasswordCheckParts) {
  const { database, passwords, gate, sessions, tally, clock } = parts;

  /** The user with that name and password; rejects with `sign_in_failed` or `too_many_attempts`. */
  const signIn = async ({
    name,
    password,
    address,
  }: {
    readonly name: string;
    readonly password: string;
    readonly address: string | null;
  }): Promise<StoredUser> => {
    const user = await findUserByName(database.read, name);
    const isKnown = await isKnownAt(user, address);
    const account = accountKey(name, isKnown ? address : null);
    const attempt = await gate.begin([
      { key: account, free: freePerAccount },
      ...(address === null ? [] : limitsOf(address)),
    ]);
    const of: HashFor =
      user && isKnown ? { purpose: 'sign-in', userId: user.id } : { purpose: 'sign-in', address };
    const isRight = await checked(
      passwords.verify(password, user?.passwordHash ?? null, of),
      attempt,
    );
    if (!user || !isRight) {
      const target = user ? { type: 'user', id: user.id } : null;
      tally({ actor: 'nobody', action: 'session.refused', target });
      throw new AppError('sign_in_failed', {});
    }
    await attempt.succeeded([account]);
    return user;
  };

  /** Whether the user is signed in at that address. An unknown name costs the same query. */
  const isKnownAt = (user: StoredUser | undefined, address: string | null): Promise<boolean> => {
    const nowAt = toTimestamp(clock.now());
    return isAddressKnown(database.read, {
      userId: user?.id ?? '',
      address: address ?? '',
      nowAt,
    });
  };

  /**
   * Authenticates a user again before a way to sign in is added or removed: with the password or,
   * without one, by a recent sign-in.
   */
  const confirm = async (viewer: Viewer, password: string | null): Promise<StoredUser> => {
    const user = await findUser(database.read, viewer.userId);
    if (!user) throw new AppError('sign_in_again', {});
    if (user.passwordHash === null) {
      const startedAt = await sessions.startedAt(viewer);
      const isRecent = startedAt !== null && clock.now() - Date.parse(startedAt) <= momentMs;
      if (!isRecent) throw new AppError('sign_in_again', {});
      return user;
    }
    const key = `confirm:${user.id}`;
    const attempt = await gate.begin([{ key, free: freePerAccount }]);
    const of = { purpose: 'password', userId: user.id } as const;
    if (!(await checked(passwords.verify(password ?? '', user.passwordHash, of), attempt))) {
      throw new AppError('wrong_password', {});
    }
    await attempt.succeeded([key]);
    return user;
  };

  return { signIn, confirm };
}

/** What the check says; without an answer, the attempt does not count. */
const checked = (verified: Promise<boolean>, attempt: Attempt): Promise<boolean> =>
  verified.catch(async (error: unknown) => {
    await attempt.unchecked();
    throw error;
  });

/**
 * The key of the account. An address where the user is signed in has a key of its own, so guesses
 * from other addresses do not lock the user out.
 */
function accountKey(name: string, knownAddress: string | null): string {
  const account = createHash('sha256').update(keyOfName(name)).digest('base64url');
  return `account:${account}${knownAddress === null ? '' : `@${knownAddress}`}`;
}

/** The limits of an address: of its household, and of a site of IPv6, where a household has many. */
const limitsOf = (address: string): readonly AttemptLimit[] => [
  { key: `address:${householdOf(address)}`, free: freePerAddress },
  ...(isIP(plainAddress(address)) === 6
    ? [{ key: `site:${siteOf(address)}`, free: freePerSite }]
    : []),
];
