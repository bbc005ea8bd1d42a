import type { Knex } from 'knex';

interface PreferenceRow {
  readonly profile_id: string;
  /** A JSON object. */
  readonly preferences: string;
}

const rows = (db: Knex) => db<PreferenceRow>('profile_preferences');

export async function findPreferences(db: Knex, profileId: string): Promise<string | undefined> {
  return (await rows(db).where('profile_id', profileId).first())?.preferences;
}

export async function putPreferences(trx: Knex, profileId: string, text: string): Promise<void> {
  await rows(trx)
    .insert({ profile_id: profileId, preferences: text })
    .onConflict(['profile_id'])
    .merge();
}

export async function removePreferences(trx: Knex, profileId: string): Promise<void> {
  await rows(trx).where('profile_id', profileId).delete();
}
