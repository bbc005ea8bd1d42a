/**
 * Challenges that passkeys sign. The server does not store the challenges that it issues, so
 * requests for them cannot fill its memory: a challenge contains its expiry and its purpose,
 * authenticated with a key that all servers of the installation have. Only answered challenges are
 * stored, until they expire.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { SpentChallenges } from '../../credentials/index.ts';

/** Issues challenges and accepts each once. */
export type Challenges = ReturnType<typeof createChallenges>;

export interface ChallengesParts {
  /** 32 bytes. */
  readonly key: Buffer;
  readonly spent: SpentChallenges;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: (count: number) => Buffer;
}

/** How long a user has to touch their authenticator. */
export const challengeLifetimeMs = 5 * 60_000;

const randomLength = 16;
const endLength = 8;
const sealLength = 32;

export function createChallenges({ key, spent, clock, random }: ChallengesParts) {
  const sealOf = (body: Buffer, purpose: string): Buffer =>
    createHmac('sha256', key).update(body).update(purpose).digest();

  /** `purpose` names the user and the use; only the same text redeems the challenge. */
  function give(purpose: string): string {
    const end = Buffer.alloc(endLength);
    end.writeBigUInt64BE(BigInt(clock.now() + challengeLifetimeMs));
    const body = Buffer.concat([random(randomLength), end]);
    return Buffer.concat([body, sealOf(body, purpose)]).toString('base64url');
  }

  /** Whether it was issued for that purpose and has not expired. */
  function isGood(challenge: string, purpose: string): boolean {
    const bytes = Buffer.from(challenge, 'base64url');
    if (bytes.length !== randomLength + endLength + sealLength) return false;
    if (bytes.toString('base64url') !== challenge) return false;
    const body = bytes.subarray(0, -sealLength);
    const isOurs = timingSafeEqual(bytes.subarray(-sealLength), sealOf(body, purpose));
    return isOurs && endOf(challenge) > clock.now();
  }

  return {
    give,
    isGood /** For a good one: `false` when it was used before. */,
    spend: (challenge: string): Promise<boolean> => spent.spend(challenge, endOf(challenge)),
  };
}

const endOf = (challenge: string): number =>
  Number(Buffer.from(challenge, 'base64url').readBigUInt64BE(randomLength));
