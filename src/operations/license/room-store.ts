import type { Database, Transaction } from '../../../kernel/store/index.ts';
import { AppError } from '../../platform/errors.ts';

/** The kinds that a license may limit. */
export type LimitedKind = 'users' | 'libraries' | 'profiles';

/**
 * Throws `LICENSE_LIMIT` when no further row is allowed. It counts in the transaction that inserts,
 * so that two concurrent inserts cannot both take the last place. Existing rows above the limit
 * stay.
 */
export type AssertRoom = (kind: LimitedKind, trx: Transaction) => Promise<void>;

/** Each kind is the name of a table, whose rows are counted. */
export const createAssertRoom =
  (
    dialect: Database['dialect'],
    limits: () => Readonly<Partial<Record<LimitedKind, number>>>,
  ): AssertRoom =>
  async (kind, trx) => {
    const max = limits()[kind];
    if (max === undefined) return;
    // SQLite has one writer; PostgreSQL would let another transaction count at the same time.
    if (dialect === 'postgres') await trx.raw('lock table ?? in share row exclusive mode', [kind]);
    const current = await countRows(trx, kind);
    if (current < max) return;
    throw new AppError('LICENSE_LIMIT', { kind, current: String(current), max: String(max) });
  };

async function countRows(trx: Transaction, table: LimitedKind): Promise<number> {
  const row = await trx(table).count<{ total: number | string }[]>({ total: '*' }).first();
  return Number(row?.total ?? 0);
}
