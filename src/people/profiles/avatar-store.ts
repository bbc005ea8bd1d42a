import type { Knex } from 'knex';

/** A picture of a profile. */
export interface Avatar {
  readonly mediaType: string;
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  readonly bytes: Buffer;
}

interface AvatarRow {
  readonly profile_id: string;
  readonly media_type: string;
  readonly hash: string;
  readonly bytes: Buffer;
}

const avatars = (trx: Knex) => trx<AvatarRow>('profile_avatars');

export async function findAvatar(trx: Knex, profileId: string): Promise<Avatar | undefined> {
  const row = await avatars(trx).where('profile_id', profileId).first();
  return row && { mediaType: row.media_type, hash: row.hash, bytes: Buffer.from(row.bytes) };
}

/** Stores a picture in place of the previous one. */
export async function putAvatar(trx: Knex, profileId: string, avatar: Avatar): Promise<void> {
  const { mediaType: media_type, hash, bytes } = avatar;
  await removeAvatar(trx, profileId);
  await avatars(trx).insert({ profile_id: profileId, media_type, hash, bytes });
}

export async function removeAvatar(trx: Knex, profileId: string): Promise<void> {
  await avatars(trx).where('profile_id', profileId).delete();
}
