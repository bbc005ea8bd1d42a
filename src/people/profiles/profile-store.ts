import type { Knex } from 'knex';
import { removePreferences } from './preference-store.ts';
import { readLimit, writeLimit } from '../viewer/index.ts';
import type { LibraryAccess } from '../../contract/resources/accounts/accounts.ts';
import type { Profile } from '../../contract/resources/accounts/profiles.ts';

/** A profile with the fields that are never shown. */
export interface StoredProfile extends Profile {
  readonly pinHash: string | null;
}

/** The columns that an update may set. */
export type ProfilePatch = Partial<
  Pick<StoredProfile, 'name' | 'avatarUrl' | 'libraryAccess' | 'pinHash'>
>;

interface ProfileRow {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly is_default: number;
  readonly library_access: string;
  readonly avatar_url: string | null;
  readonly pin_hash: string | null;
  readonly pin_tries: number;
  readonly pin_blocked_until: number | string;
  readonly created_at: string;
  readonly updated_at: string;
}

const profiles = (trx: Knex) => trx<ProfileRow>('profiles');

export async function insertProfile(trx: Knex, profile: StoredProfile): Promise<void> {
  await profiles(trx).insert({
    id: profile.id,
    user_id: profile.userId,
    name: profile.name,
    is_default: Number(profile.isDefault),
    library_access: writeLimit(profile.libraryAccess),
    avatar_url: profile.avatarUrl,
    pin_hash: profile.pinHash,
    pin_tries: 0,
    pin_blocked_until: 0,
    created_at: profile.createdAt,
    updated_at: profile.updatedAt,
  });
}

export async function findProfile(trx: Knex, id: string): Promise<StoredProfile | undefined> {
  const row = await profiles(trx).where({ id }).first();
  return row && toProfile(row);
}

/** In order of creation. */
export async function profilesOf(
  trx: Knex,
  userId: string,
  page: { readonly after: string; readonly limit: number } = { after: '', limit: 1000 },
): Promise<readonly StoredProfile[]> {
  const query = profiles(trx).where('user_id', userId).where('id', '>', page.after);
  return (await query.orderBy('id').limit(page.limit)).map(toProfile);
}

export async function countProfilesOf(trx: Knex, userId: string): Promise<number> {
  const [row] = await trx('profiles')
    .where('user_id', userId)
    .count<{ total: number | string }[]>({ total: '*' });
  return Number(row?.total ?? 0);
}

export async function updateProfile(
  trx: Knex,
  id: string,
  { name, avatarUrl, libraryAccess, pinHash }: ProfilePatch,
  at: string,
): Promise<void> {
  await profiles(trx)
    .where({ id })
    .update({
      updated_at: at,
      ...(name !== undefined && { name }),
      ...(avatarUrl !== undefined && { avatar_url: avatarUrl }),
      ...(libraryAccess !== undefined && { library_access: writeLimit(libraryAccess) }),
      ...(pinHash !== undefined && { pin_hash: pinHash, pin_tries: 0, pin_blocked_until: 0 }),
    });
}

/** Moves the default of a user to another of their profiles. */
export async function moveDefault(trx: Knex, userId: string, id: string): Promise<void> {
  await profiles(trx).where({ user_id: userId, is_default: 1 }).update({ is_default: 0 });
  await profiles(trx).where({ user_id: userId, id }).update({ is_default: 1 });
}

/** Removes a profile with its picture and its unlocks. */
export async function removeProfile(trx: Knex, id: string): Promise<void> {
  await trx('profile_avatars').where('profile_id', id).delete();
  await trx('profile_unlocks').where('profile_id', id).delete();
  await removePreferences(trx, id);
  await profiles(trx).where({ id }).delete();
}

/** The number of wrong PINs since the last right one. */
export async function readTries(
  trx: Knex,
  id: string,
): Promise<{ readonly tries: number; readonly blockedUntilMs: number }> {
  const row = await profiles(trx).where({ id }).first('pin_tries', 'pin_blocked_until');
  return { tries: row?.pin_tries ?? 0, blockedUntilMs: Number(row?.pin_blocked_until ?? 0) };
}

export async function writeTries(
  trx: Knex,
  id: string,
  { tries, blockedUntilMs }: { readonly tries: number; readonly blockedUntilMs: number },
): Promise<void> {
  await profiles(trx).where({ id }).update({ pin_tries: tries, pin_blocked_until: blockedUntilMs });
}

/** The values were validated before they were written. */
function toProfile(row: ProfileRow): StoredProfile {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    avatarUrl: row.avatar_url,
    libraryAccess: readLimit<LibraryAccess>(row.library_access),
    isDefault: row.is_default !== 0,
    hasPin: row.pin_hash !== null,
    pinHash: row.pin_hash,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
