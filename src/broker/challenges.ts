/**
 * Challenges that passkeys sign. Each is for one purpose and one subject - a session, a pairing - and
 * is taken back once, whatever comes of it: who fails with one asks for another.
 */
import { insertChallenge, takeChallenge, type StoredChallenge } from './challenge-store.ts';
import { Refusal } from './errors.ts';
import { minuteMs, type Core } from './parts.ts';
import { hashOf } from './secret-hashes.ts';

/** What a challenge is for. */
export type ChallengePurpose = 'register' | 'login' | 'passkey' | 'recover' | 'approve';

/** For what and whom. */
export interface ChallengeUse {
  readonly purpose: ChallengePurpose;
  readonly subject: string;
}

/** Gives challenges and takes each back once. */
export interface Challenges {
  /** A fresh one; base64url. */
  readonly give: (use: ChallengeUse) => Promise<string>;
  /** Keeps one that was made elsewhere, with what it was made from. */
  readonly keep: (use: ChallengeUse, challenge: string, nonce: string) => Promise<void>;
  /** Rejects with `assertion_invalid`, or `approve_mismatch` when it was for another approval. */
  readonly take: (use: ChallengeUse, challenge: string) => Promise<StoredChallenge>;
}

const lifetimesMs: Readonly<Record<ChallengePurpose, number>> = {
  register: 10 * minuteMs,
  login: 5 * minuteMs,
  passkey: 5 * minuteMs,
  recover: 10 * minuteMs,
  approve: 2 * minuteMs,
};

/** How long a browser may show its dialogue. */
export const timeoutOf = (purpose: ChallengePurpose): number => lifetimesMs[purpose];

/** Creates the challenges over the database. */
export function createChallenges({ database, clock, random }: Core): Challenges {
  const keep: Challenges['keep'] = ({ purpose, subject }, challenge, nonce) =>
    database.write((trx) =>
      insertChallenge(trx, {
        hash: hashOf(challenge),
        purpose,
        subject,
        nonce,
        expiresAt: clock.now() + lifetimesMs[purpose],
      }),
    );

  return {
    keep,
    give: async (use) => {
      const challenge = random(32).toString('base64url');
      await keep(use, challenge, '');
      return challenge;
    },
    take: async ({ purpose, subject }, challenge) => {
      const found = await database.write((trx) => takeChallenge(trx, hashOf(challenge)));
      if (!found || found.purpose !== purpose || found.expiresAt <= clock.now())
        throw new Refusal('assertion_invalid');
      if (found.subject === subject) return found;
      throw new Refusal(purpose === 'approve' ? 'approve_mismatch' : 'assertion_invalid');
    },
  };
}
