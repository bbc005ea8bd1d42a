/**
 * Challenges: each is answered at most once, within two minutes, with the pass that requested it.
 * None is stored: its 32 bytes are 8 random ones, its end, and two seals with a key that all
 * servers of the installation have. The first seal says that it was issued, the second for which
 * pass. Only answered challenges are stored, until they expire.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { SpentChallenges } from '../credentials/index.ts';

/** Challenges of the server. */
export type Challenges = ReturnType<typeof createChallenges>;

export interface ChallengesParts {
  /** 32 bytes. */
  readonly key: Buffer;
  readonly spent: SpentChallenges;
  readonly clock: Pick<Clock, 'now'>;
  readonly random?: (count: number) => Buffer;
}

const lifetimeMs = 120_000;
const form = /^[0-9a-f]{64}$/;
const randomLength = 8;
const bodyLength = randomLength + 6;
const sealLength = 9;

export function createChallenges(parts: ChallengesParts) {
  const { key, spent, clock, random = randomBytes } = parts;

  const sealOf = (body: Buffer, certHash: string): Buffer =>
    createHmac('sha256', key).update(body).update(certHash).digest().subarray(0, sealLength);

  return {
    /** 32 bytes in hex, for the pass with this hash. */
    issue: (certHash: string): string => {
      const body = Buffer.alloc(bodyLength);
      random(randomLength).copy(body);
      body.writeUIntBE(clock.now() + lifetimeMs, randomLength, 6);
      return Buffer.concat([body, sealOf(body, ''), sealOf(body, certHash)]).toString('hex');
    },
    /**
     * Consumes a challenge; returns whether it was issued for the pass with a hash. `null` =
     * unknown, used or expired.
     */
    take: async (challenge: string): Promise<((certHash: string) => boolean) | null> => {
      if (!form.test(challenge)) return null;
      const bytes = Buffer.from(challenge, 'hex');
      const body = bytes.subarray(0, bodyLength);
      const end = body.readUIntBE(randomLength, 6);
      const issued = bytes.subarray(bodyLength, bodyLength + sealLength);
      if (!timingSafeEqual(issued, sealOf(body, '')) || end <= clock.now()) return null;
      // By its body: another second seal is not another challenge.
      if (!(await spent.spend(body.toString('hex'), end))) return null;
      const ofPass = bytes.subarray(bodyLength + sealLength);
      return (certHash) => timingSafeEqual(ofPass, sealOf(body, certHash));
    },
  };
}
