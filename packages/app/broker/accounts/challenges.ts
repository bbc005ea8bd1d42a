/**
 * Challenges that passkeys sign. Each has one purpose and one subject (a session or a pairing), and
 * can be used only once. A failed use consumes it as well.
 */
import { insertChallenge, takeChallenge, type StoredChallenge } from './challenge-store.ts';
import { Refusal } from '../service/errors.ts';
import { minuteMs, type Core } from '../service/parts.ts';
import { hashOf } from '../service/secret-hashes.ts';

export type ChallengePurpose = 'register' | 'login' | 'passkey' | 'recover' | 'approve';

/** Purpose and subject. */
export interface ChallengeUse {
  readonly purpose: ChallengePurpose;
  readonly subject: string;
}

/** Issues challenges and accepts each once. */
export type Challenges = ReturnType<typeof createChallenges>;

const lifetimesMs: Readonly<Record<ChallengePurpose, number>> = {
  register: 10 * minuteMs,
  login: 5 * minuteMs,
  passkey: 5 * minuteMs,
  recover: 10 * minuteMs,
  approve: 2 * minuteMs,
};

/** How long a browser may show its dialog. */
export const timeoutOf = (purpose: ChallengePurpose): number => lifetimesMs[purpose];

export function createChallenges({ database, clock, random }: Core) {
  /** Stores a challenge that was computed elsewhere, with the nonce that it was computed from. */
  const keep = (
    { purpose, subject }: ChallengeUse,
    challenge: string,
    nonce: string,
  ): Promise<void> =>
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
    /** A new challenge; base64url. */
    give: async (use: ChallengeUse): Promise<string> => {
      const challenge = random(32).toString('base64url');
      await keep(use, challenge, '');
      return challenge;
    },
    /**
     * Rejects with `assertion_invalid`, or `approve_mismatch` when it belongs to another approval.
     */
    take: async (
      { purpose, subject }: ChallengeUse,
      challenge: string,
    ): Promise<StoredChallenge> => {
      const found = await database.write((trx) => takeChallenge(trx, hashOf(challenge)));
      if (!found || found.purpose !== purpose || found.expiresAt <= clock.now())
        throw new Refusal('assertion_invalid');
      if (found.subject === subject) return found;
      throw new Refusal(purpose === 'approve' ? 'approve_mismatch' : 'assertion_invalid');
    },
  };
}
