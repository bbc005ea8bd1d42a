import type { Transaction } from '../../../kernel/storage/index.ts';
import type { LibraryAccess, Limit, Role } from '../viewer/index.ts';

/** A user account. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** No credential of a disabled user is valid. */
  readonly disabled: boolean;
  /** Own libraries, in addition to those of the groups. */
  readonly libraryAccess: Limit<LibraryAccess>;
  readonly groupIds: readonly string[];
  readonly hasPassword: boolean;
  /** The password alone is not enough: a passkey is required as well. */
  readonly requiresPasskey: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** At minute precision. */
  readonly lastSeenAt: string | null;
}

/**
 * A domain that stores data per user: it is called in the same transaction that changes the user.
 */
export interface UserFollower {
  readonly created: (trx: Transaction, user: User) => Promise<void>;
  /** Called with the changed user; may reject to refuse the change. */
  readonly updated?: (trx: Transaction, user: User) => Promise<void>;
  readonly removed: (trx: Transaction, userId: string) => Promise<void>;
}
