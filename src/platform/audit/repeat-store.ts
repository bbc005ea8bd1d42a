import type { Knex } from 'knex';

/** Whose repeats of what are counted together. */
export interface RepeatKey {
  readonly user_id: string;
  readonly action: string;
  /** Empty = the act has no target. */
  readonly target_type: string;
  readonly counted_as: string;
}

/** A row of `audit_repeats`: the hour of an act that has an entry, and its repeats, which have none. */
export interface RepeatRow extends RepeatKey {
  /** Unix milliseconds. */
  readonly begun_at: number;
  readonly count: number;
  /** JSON. */
  readonly acts: string;
}

const repeats = (db: Knex) => db<RepeatRow>('audit_repeats');

const keyIn = ({ user_id, action, target_type, counted_as }: RepeatKey): RepeatKey => ({
  user_id,
  action,
  target_type,
  counted_as,
});

export const findRepeats = async (db: Knex, key: RepeatKey): Promise<RepeatRow | undefined> =>
  repeats(db).where(keyIn(key)).first();

export const allRepeats = async (db: Knex): Promise<readonly RepeatRow[]> =>
  repeats(db).orderBy('begun_at');

/** The rows whose hour is over, or begins in the future because the clock was set back. */
export const repeatsOver = async (
  db: Knex,
  { nowMs, hourMs, limit }: Readonly<Record<'nowMs' | 'hourMs' | 'limit', number>>,
): Promise<readonly RepeatRow[]> =>
  repeats(db)
    .where('begun_at', '<=', nowMs - hourMs)
    .orWhere('begun_at', '>', nowMs)
    .orderBy('begun_at')
    .limit(limit);

export async function insertRepeats(trx: Knex, row: RepeatRow): Promise<void> {
  await repeats(trx).insert(row);
}

export async function updateRepeats(trx: Knex, row: RepeatRow): Promise<void> {
  const { begun_at, count, acts } = row;
  await repeats(trx).where(keyIn(row)).update({ begun_at, count, acts });
}

export async function removeRepeats(trx: Knex, row: RepeatRow): Promise<void> {
  await repeats(trx).where(keyIn(row)).delete();
}
