import type { Database, Transaction } from '../../kernel/index.ts';
import { AppError } from '../errors.ts';

/** What a license may limit. */
export type LimitedKind = 'users' | 'libraries' | 'profiles';

/**
 * Throws `LICENSE_LIMIT` when there may be no further one. It counts in the transaction that is to
 * insert, so that two who come at once do not both find the last place. What is beyond a limit already
 * stays.
 */
export type AssertRoom = (kind: LimitedKind, trx: Transaction) => Promise<void>;

/** Each kind is a table of that name, whose rows are the things. */
export const createAssertRoom =
  (
    dialect: Database['dialect'],
    limits: () => Readonly<Partial<Record<LimitedKind, number>>>,
  ): AssertRoom =>
  async (kind, trx) => {
    const max = limits()[kind];
    if (max === undefined) return;
    // SQLite has one writer; PostgreSQL would let another transaction count beside this one.
    if (dialect === 'postgres') await trx.raw('lock table ?? in share row exclusive mode', [kind]);
    const current = await countRows(trx, kind);
    if (current < max) return;
    throw new AppError('LICENSE_LIMIT', { kind, current: String(current), max: String(max) });
  };

async function countRows(trx: Transaction, table: LimitedKind): Promise<number> {
  const row = await trx(table).count<{ total: number | string }[]>({ total: '*' }).first();
  return Number(row?.total ?? 0);
}
