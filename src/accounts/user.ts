import type { Transaction } from '../../kernel/index.ts';
import type { LibraryAccess } from './library-access.ts';
import type { Role } from './viewer.ts';

/** Somebody who may sign in. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Switched off: nothing that is theirs lets anybody in. */
  readonly disabled: boolean;
  /** What they may see, beside what their groups may; both empty = everything. */
  readonly libraryAccess: readonly LibraryAccess[];
  readonly groupIds: readonly string[];
  readonly hasPassword: boolean;
  /** Their password alone does not let them in: a passkey is needed as well. */
  readonly requiresPasskey: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Right to the minute. */
  readonly lastSeenAt: string | null;
}

/** What another domain keeps for each user: made and removed in the same transaction as the user. */
export interface UserFollower {
  readonly created: (trx: Transaction, user: User) => Promise<void>;
  /** A user was changed, and is now so; what must not be, it refuses. */
  readonly updated?: (trx: Transaction, user: User) => Promise<void>;
  readonly removed: (trx: Transaction, userId: string) => Promise<void>;
}
