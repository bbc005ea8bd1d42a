import type { Transaction } from '../../../kernel/store/index.ts';
import type { User } from '../../contract/resources/accounts/accounts.ts';

/**
 * A domain that stores data per user: it is called in the same transaction that changes the user.
 */
export interface UserFollower {
  readonly created: (trx: Transaction, user: User) => Promise<void>;
  /** Called with the changed user; may reject to refuse the change. */
  readonly updated?: (trx: Transaction, user: User) => Promise<void>;
  readonly removed: (trx: Transaction, userId: string) => Promise<void>;
}
