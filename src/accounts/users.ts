import type { Transaction } from '../../kernel/index.ts';
import type { Undo } from '../clock.ts';
import type { LibraryAccess } from './library-access.ts';
import type { User } from './user.ts';
import type { Role, Viewer } from './viewer.ts';

/** What a new user is made of. */
export interface NewUser {
  readonly name: string;
  /** `null` = none: only a passkey or an API key lets them in. */
  readonly password: string | null;
  readonly role: Role;
  readonly libraryAccess?: readonly LibraryAccess[] | undefined;
  readonly groupIds?: readonly string[] | undefined;
}

/** A new user whose fields are checked and whose password is hashed: only the insert is missing. */
export interface Newcomer extends Omit<Required<NewUser>, 'password'> {
  readonly libraryAccess: readonly LibraryAccess[];
  readonly groupIds: readonly string[];
  readonly passwordHash: string | null;
}

/** What an admin may change. */
export interface UserChanges {
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  readonly disabled?: boolean | undefined;
  readonly libraryAccess?: readonly LibraryAccess[] | undefined;
  readonly groupIds?: readonly string[] | undefined;
  readonly requiresPasskey?: boolean | undefined;
}

/** A page of users, by name. */
export interface UsersPage {
  readonly users: readonly User[];
  readonly nextCursor: string | null;
}

/** Users. */
export interface Users {
  /** From a cache that every change empties: cheap enough for each request. */
  readonly find: (id: string) => Promise<User | undefined>;
  /** For admins, and for everybody about themselves. */
  readonly get: (id: string, viewer: Viewer) => Promise<User>;
  readonly list: (
    viewer: Viewer,
    query: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  ) => Promise<UsersPage>;
  readonly count: () => Promise<number>;
  readonly create: (newUser: NewUser, viewer: Viewer) => Promise<User>;
  /** Checks a new user and hashes the password, which takes a while and belongs before a transaction. */
  readonly prepare: (newUser: NewUser) => Promise<Newcomer>;
  /** Inserts one, with what all followers keep of them; `conflict` when the name is taken. */
  readonly insert: (trx: Transaction, newcomer: Newcomer) => Promise<User>;
  /** `conflict` for what would leave the server without an admin. */
  readonly update: (id: string, changes: UserChanges, viewer: Viewer) => Promise<User>;
  readonly setPassword: (id: string, password: string, viewer: Viewer) => Promise<void>;
  /** Removes a user and everything that is theirs. */
  readonly remove: (id: string, viewer: Viewer) => Promise<void>;
  /** Tells of each user that was changed or removed, before the caller hears that it is done. */
  readonly onChange: (listener: (userId: string) => void) => Undo;
}
