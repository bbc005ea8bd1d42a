import type { Knex } from 'knex';
import { canonicalTag } from '../../platform/language-tag.ts';

interface PreferenceRow {
  readonly profile_id: string;
  /** A JSON object. */
  readonly preferences: string;
}

const rows = (db: Knex) => db<PreferenceRow>('profile_preferences');

export async function findPreferences(db: Knex, profileId: string): Promise<string | undefined> {
  return (await rows(db).where('profile_id', profileId).first())?.preferences;
}

/** The language that each of these profiles prefers, by the id of the profile; others have none. */
export async function preferredLocales(
  db: Knex,
  profileIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await rows(db).whereIn('profile_id', profileIds).select('*');
  return new Map(
    found.flatMap(({ profile_id: id, preferences }) => {
      const { locale } = JSON.parse(preferences) as { readonly locale?: unknown };
      const tag = typeof locale === 'string' ? canonicalTag(locale) : null;
      return tag === null ? [] : [[id, tag] as const];
    }),
  );
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
