import type { Knex } from 'knex';

/** An unlock: a credential that has sent the PIN of a profile. */
export interface Unlock {
  readonly profileId: string;
  readonly credentialId: string;
  readonly untilMs: number;
}

interface UnlockRow {
  readonly profile_id: string;
  readonly credential_id: string;
  readonly until: number | string;
}

const unlocks = (trx: Knex) => trx<UnlockRow>('profile_unlocks');

/** The end of the unlock; `undefined` = there is none. */
export async function findUnlock(
  trx: Knex,
  { profileId, credentialId }: Omit<Unlock, 'untilMs'>,
): Promise<number | undefined> {
  const row = await unlocks(trx)
    .where({ profile_id: profileId, credential_id: credentialId })
    .first('until');
  return row && Number(row.until);
}

/** Stores an unlock in place of an older one, and removes all that have expired. */
export async function noteUnlock(trx: Knex, unlock: Unlock, nowMs: number): Promise<void> {
  const { profileId: profile_id, credentialId: credential_id, untilMs: until } = unlock;
  await unlocks(trx).where('until', '<=', nowMs).delete();
  await unlocks(trx)
    .insert({ profile_id, credential_id, until })
    .onConflict(['profile_id', 'credential_id'])
    .merge();
}

export async function removeUnlocks(trx: Knex, profileId: string): Promise<void> {
  await unlocks(trx).where('profile_id', profileId).delete();
}
