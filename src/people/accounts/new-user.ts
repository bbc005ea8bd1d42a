import { AppError } from '../../platform/errors.ts';
import type { Transaction } from '../../../kernel/store/index.ts';
import { toLibraryAccess, type Limit, type Role } from '../viewer/index.ts';
import type { HashFor, Passwords } from '../credentials/index.ts';
import { keyOfName, parseUserName } from './user-name.ts';
import { roles, type LibraryAccess } from '../../contract/resources/accounts/accounts.ts';
import type { NewUser as WantedUser } from '../../contract/resources/accounts/users.ts';

/** The input for a new user. */
export interface NewUser extends Omit<WantedUser, 'password' | 'role'> {
  /** `null` = none: only a passkey or an API key signs the user in. */
  readonly password: string | null;
  readonly role: Role;
}

/** A validated new user with a hashed password, ready to be inserted. */
export interface PreparedUser extends UserAccess {
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string | null;
}

/** The library access of a user: everything, or own libraries and those of groups. */
export interface UserAccess {
  readonly libraryAccess: Limit<LibraryAccess>;
  readonly groupIds: readonly string[];
}

/**
 * Returns the access in its stored form, or rejects with `invalid_request` when a library, a group
 * or a rating in it does not exist.
 */
export type CheckUserAccess = (trx: Transaction, access: UserAccess) => Promise<UserAccess>;

/** The access that a request asks for, with what it leaves out. */
export const wantedAccess = ({
  groupIds = [],
  libraryAccess = groupIds.length > 0 ? [] : null,
}: Pick<NewUser, 'libraryAccess' | 'groupIds'>): UserAccess => ({
  libraryAccess: libraryAccess && libraryAccess.map(toLibraryAccess),
  groupIds,
});

/** Where a password is hashed, and for whom. */
export interface Hashing {
  readonly passwords: Passwords;
  readonly of: HashFor;
}

/** Checks everything that needs no database, and hashes the password. */
export async function prepareUser(newUser: NewUser, hashing: Hashing): Promise<PreparedUser> {
  const { password, role } = newUser;
  const name = parseUserName(newUser.name);
  assertRole(role);
  const passwordHash = password === null ? null : await hashFor(name, password, hashing);
  return { name, role, ...wantedAccess(newUser), passwordHash };
}

/** The hash of a password; the password must differ from the name. */
export async function hashFor(
  name: string,
  password: string,
  { passwords, of }: Hashing,
): Promise<string> {
  if (keyOfName(password) === keyOfName(name)) {
    throw new AppError('invalid_request', { what: 'password must not be the name.' });
  }
  return passwords.hash(password, of);
}

/** An admin must see everything; otherwise they could not administer the server. */
export function assertSeesAllIfAdmin(role: Role, { libraryAccess, groupIds }: UserAccess): void {
  if (role !== 'admin' || (libraryAccess === null && groupIds.length === 0)) return;
  throw new AppError('invalid_request', {
    what: 'An admin sees everything: right is libraryAccess null and groupIds [], or another role.',
  });
}

/** Refuses an unknown role. */
export function assertRole(role: Role): void {
  if (roles.includes(role)) return;
  throw new AppError('invalid_request', { what: `role must be one of ${roles.join(', ')}.` });
}
