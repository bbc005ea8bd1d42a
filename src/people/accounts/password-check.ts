/**
 * The only place that accepts a password. Neither the reply nor its time reveals whether a name
 * exists: the same queries run, a hash of the same cost is computed, and failures are counted
 * alike.
 */
import { createHash } from 'node:crypto';
import type { Database } from '../../../kernel/storage/index.ts';
import type { Audit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { AttemptGate, AttemptLimit, Passwords } from '../credentials/index.ts';
import { isAddressKnown } from './session-store.ts';
import type { Sessions } from './sessions.ts';
import { keyOfName } from './user-name.ts';
import { findUser, findUserByName, type StoredUser } from './user-store.ts';
import type { Viewer } from '../viewer/index.ts';

/** Checks passwords. */
export interface PasswordCheck {
  /** The user with that name and password; rejects with `sign_in_failed` or `too_many_attempts`. */
  readonly signIn: (attempt: {
    readonly name: string;
    readonly password: string;
    readonly address: string | null;
  }) => Promise<StoredUser>;
  /**
   * Authenticates a user again before a way to sign in is added or removed: with the password or,
   * without one, by a recent sign-in.
   */
  readonly confirm: (viewer: Viewer, password: string | null) => Promise<StoredUser>;
}

/** The dependencies of the check. */
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

/** Creates the check. */
export function createPasswordCheck(parts: PasswordCheckParts): PasswordCheck {
  const { database, passwords, gate, sessions, tally, clock } = parts;

  const signIn: PasswordCheck['signIn'] = async ({ name, password, address }) => {
    const user = await findUserByName(database.read, name);
    const account = await accountKey(user, name, address);
    const attempt = gate.begin([
      { key: account, free: freePerAccount },
      ...(address === null ? [] : limitsOf(address)),
    ]);
    const isRight = await passwords.verify(password, user?.passwordHash ?? null);
    if (!user || !isRight) {
      const target = user ? { type: 'user', id: user.id } : null;
      tally({ actor: 'nobody', action: 'session.refused', target });
      throw new AppError('sign_in_failed', {});
    }
    attempt.succeeded([account]);
    return user;
  };

  /**
   * The key of the account. An address with an active session of the user has a key of its own, so
   * guesses from other addresses do not lock the user out.
   */
  async function accountKey(user: StoredUser | undefined, name: string, address: string | null) {
    const userId = user?.id ?? '';
    const nowAt = toTimestamp(clock.now());
    const isKnown = await isAddressKnown(database.read, { userId, address: address ?? '', nowAt });
    const account = createHash('sha256').update(keyOfName(name)).digest('base64url');
    return `account:${account}${isKnown ? `@${address ?? ''}` : ''}`;
  }

  const confirm: PasswordCheck['confirm'] = async (viewer, password) => {
    const user = await findUser(database.read, viewer.userId);
    if (!user) throw new AppError('sign_in_again', {});
    if (user.passwordHash === null) {
      const startedAt = await sessions.startedAt(viewer);
      const isRecent = startedAt !== null && clock.now() - Date.parse(startedAt) <= momentMs;
      if (!isRecent) throw new AppError('sign_in_again', {});
      return user;
    }
    const key = `confirm:${user.id}`;
    const attempt = gate.begin([{ key, free: freePerAccount }]);
    if (!(await passwords.verify(password ?? '', user.passwordHash))) {
      throw new AppError('wrong_password', {});
    }
    attempt.succeeded([key]);
    return user;
  };

  return { signIn, confirm };
}

/**
 * The keys of an address. A household has one IPv4 address or an IPv6 /64; a site may have a /48.
 */
function limitsOf(address: string): readonly AttemptLimit[] {
  if (!address.includes(':') || address.startsWith('::ffff:')) {
    return [{ key: `address:${address}`, free: freePerAddress }];
  }
  const groups = groupsOf(address);
  return [
    { key: `address:${groups.slice(0, 4).join(':')}`, free: freePerAddress },
    { key: `site:${groups.slice(0, 3).join(':')}`, free: freePerSite },
  ];
}

/** The groups of an IPv6 address, with `::` expanded. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = address.split('::');
  const [before, after] = [head.split(':'), tail?.split(':') ?? []];
  if (tail === undefined) return before;
  const missing = Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<string>(missing).fill('0'), ...after];
}
