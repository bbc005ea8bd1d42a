import type { Knex } from 'knex';

/** A user whom another process changed in the database, such as `vitrine users reset`. */
export interface OutsideChange {
  readonly seq: number;
  readonly userId: string;
}

interface ChangeRow {
  readonly seq: number;
  readonly user_id: string;
}

const changes = (trx: Knex) => trx<ChangeRow>('account_changes');

export async function insertOutsideChange(trx: Knex, userId: string): Promise<void> {
  await changes(trx).insert({ user_id: userId });
}

export async function lastOutsideChange(trx: Knex): Promise<number> {
  const row = await changes(trx).orderBy('seq', 'desc').first('seq');
  return row?.seq ?? 0;
}

export async function outsideChangesAfter(
  trx: Knex,
  seq: number,
): Promise<readonly OutsideChange[]> {
  const rows = await changes(trx).where('seq', '>', seq).orderBy('seq').limit(1000);
  return rows.map((row) => ({ seq: row.seq, userId: row.user_id }));
}
