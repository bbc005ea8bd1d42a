import type { Knex } from 'knex';

/** An identity key that was replaced by another. */
export interface Rotation {
  readonly oldPubKey: string;
  readonly userId: string;
  readonly newPubKey: string;
  /** The hash of its record in the feed. */
  readonly payloadHash: string;
  readonly rotatedAt: number;
  /** When the old key was also revoked. */
  readonly revokedAt: number | null;
}

interface RotationRow {
  readonly old_pub_key: string;
  readonly user_id: string;
  readonly new_pub_key: string;
  readonly payload_hash: string;
  readonly rotated_at: number | string;
  readonly revoked_at: number | string | null;
}

const rotations = (db: Knex) => db<RotationRow>('rotations');

export async function insertRotation(trx: Knex, rotation: Rotation): Promise<void> {
  await rotations(trx).insert({
    old_pub_key: rotation.oldPubKey,
    user_id: rotation.userId,
    new_pub_key: rotation.newPubKey,
    payload_hash: rotation.payloadHash,
    rotated_at: rotation.rotatedAt,
    revoked_at: rotation.revokedAt,
  });
}

/** Those of a user, oldest first. */
export async function rotationsOf(db: Knex, userId: string): Promise<readonly Rotation[]> {
  const rows = await rotations(db).where('user_id', userId).orderBy('rotated_at');
  return rows.map((row) => ({
    oldPubKey: row.old_pub_key,
    userId: row.user_id,
    newPubKey: row.new_pub_key,
    payloadHash: row.payload_hash,
    rotatedAt: Number(row.rotated_at),
    revokedAt: row.revoked_at === null ? null : Number(row.revoked_at),
  }));
}
