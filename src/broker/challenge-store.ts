import type { Knex } from 'knex';

/** A challenge that was given out and not yet taken back. */
export interface StoredChallenge {
  readonly hash: string;
  readonly purpose: string;
  /** For whom or what it was given. */
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

/** Gives it and removes it: it is taken once. */
export async function takeChallenge(trx: Knex, hash: string): Promise<StoredChallenge | undefined> {
  const row = await challenges(trx).where('hash', hash).first();
  if (!row || (await challenges(trx).where('hash', hash).delete()) === 0) return undefined;
  const { purpose, subject, nonce, expires_at: expiresAt } = row;
  return { hash, purpose, subject, nonce, expiresAt: Number(expiresAt) };
}

export async function removeChallengesBefore(trx: Knex, at: number): Promise<void> {
  await challenges(trx).where('expires_at', '<=', at).delete();
}
