import type { Knex } from 'knex';

/** A challenge that was issued and not used yet. */
export interface StoredChallenge {
  readonly hash: string;
  readonly purpose: string;
  /** The session or request that it was issued for. */
  readonly subject: string;
  readonly nonce: string;
  readonly expiresAt: number;
}

interface ChallengeRow {
  readonly hash: string;
  readonly purpose: string;
  readonly subject: string;
  readonly nonce: string;
  readonly expires_at: number | string;
}

const challenges = (db: Knex) => db<ChallengeRow>('challenges');

export async function insertChallenge(trx: Knex, challenge: StoredChallenge): Promise<void> {
  const { hash, purpose, subject, nonce, expiresAt } = challenge;
  await challenges(trx).insert({ hash, purpose, subject, nonce, expires_at: expiresAt });
}

/** Returns and removes it, so that it can be used only once. */
export async function takeChallenge(trx: Knex, hash: string): Promise<StoredChallenge | undefined> {
  const row = await challenges(trx).where('hash', hash).first();
  if (!row || (await challenges(trx).where('hash', hash).delete()) === 0) return undefined;
  const { purpose, subject, nonce, expires_at: expiresAt } = row;
  return { hash, purpose, subject, nonce, expiresAt: Number(expiresAt) };
}

export async function removeChallengesBefore(trx: Knex, at: number): Promise<void> {
  await challenges(trx).where('expires_at', '<=', at).delete();
}
