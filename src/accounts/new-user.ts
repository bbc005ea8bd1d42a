import { AppError } from '../errors.ts';
import type { Transaction } from '../../kernel/index.ts';
import { toLibraryAccess } from './library-access.ts';
import type { LibraryAccess, WantedLibraryAccess } from './library-access.ts';
import type { Passwords } from './passwords.ts';
import { keyOfName, parseUserName } from './user-name.ts';
import { roles, type Role } from './viewer.ts';

/** What a new user is made of. */
export interface NewUser {
  readonly name: string;
  /** `null` = none: only a passkey or an API key lets them in. */
  readonly password: string | null;
  readonly role: Role;
  readonly libraryAccess?: readonly WantedLibraryAccess[] | undefined;
  readonly groupIds?: readonly string[] | undefined;
}

/** A new user whose fields are checked and whose password is hashed: only the insert is missing. */
export interface Newcomer extends Reach {
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string | null;
}

/** What a user may see: own libraries, and those of groups; both empty = everything. */
export interface Reach {
  readonly libraryAccess: readonly LibraryAccess[];
  readonly groupIds: readonly string[];
}

/**
 * Gives the reach back as it is kept, or rejects with `invalid_request` when a library, a group or a
 * rating in it does not exist.
 */
export type CheckReach = (trx: Transaction, reach: Reach) => Promise<Reach>;

/** Checks what needs no database, and hashes the password. */
export async function prepareUser(newUser: NewUser, passwords: Passwords): Promise<Newcomer> {
  const { password, role, libraryAccess = [], groupIds = [] } = newUser;
  const name = parseUserName(newUser.name);
  assertRole(role);
  const passwordHash = password === null ? null : await hashFor(name, password, passwords);
  return {
    name,
    role,
    libraryAccess: libraryAccess.map(toLibraryAccess),
    groupIds,
    passwordHash,
  };
}

/** The hash of a password that is not the name itself. */
export async function hashFor(
  name: string,
  password: string,
  passwords: Passwords,
): Promise<string> {
  if (keyOfName(password) === keyOfName(name)) {
    throw new AppError('invalid_request', { what: 'password must not be the name.' });
  }
  return passwords.hash(password);
}

/** Admin routes need somebody who sees everything: an admin who does not could not administer. */
export function assertSeesAllIfAdmin(role: Role, { libraryAccess, groupIds }: Reach): void {
  if (role !== 'admin' || (libraryAccess.length === 0 && groupIds.length === 0)) return;
  throw new AppError('invalid_request', {
    what: 'An admin sees everything: leave libraryAccess and groupIds empty, or choose another role.',
  });
}

/** Refuses a role that is none. */
export function assertRole(role: Role): void {
  if (roles.includes(role)) return;
  throw new AppError('invalid_request', { what: `role must be one of ${roles.join(', ')}.` });
}
