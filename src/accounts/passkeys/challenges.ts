/**
 * Challenges that passkeys sign. The server remembers none that it gives out, so nobody can fill its
 * memory by asking for them: a challenge carries its end and what it is for under a key of this
 * process. What is remembered is each one that was used, until it would have ended anyway.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../clock.ts';

/** Gives challenges and takes each back once. */
export interface Challenges {
  /** `purpose` is who may use it and for what; the same text takes it back. */
  readonly give: (purpose: string) => string;
  /** Whether it was given for that, has not ended and was not spent. */
  readonly isGood: (challenge: string, purpose: string) => boolean;
  /** `false` when it was spent before. */
  readonly spend: (challenge: string) => boolean;
}

/** What challenges are made of. */
export interface ChallengesParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: (count: number) => Buffer;
}

/** How long somebody has to touch their key. */
export const challengeLifetimeMs = 5 * 60_000;

const randomLength = 16;
const endLength = 8;
const sealLength = 32;

/** Creates challenges under a fresh key. */
export function createChallenges({ clock, random }: ChallengesParts): Challenges {
  const key = random(32);
  const spent = new Map<string, number>();

  const sealOf = (body: Buffer, purpose: string): Buffer =>
    createHmac('sha256', key).update(body).update(purpose).digest();

  function give(purpose: string): string {
    const end = Buffer.alloc(endLength);
    end.writeBigUInt64BE(BigInt(clock.now() + challengeLifetimeMs));
    const body = Buffer.concat([random(randomLength), end]);
    return Buffer.concat([body, sealOf(body, purpose)]).toString('base64url');
  }

  function isGood(challenge: string, purpose: string): boolean {
    const bytes = Buffer.from(challenge, 'base64url');
    if (bytes.length !== randomLength + endLength + sealLength) return false;
    if (bytes.toString('base64url') !== challenge || spent.has(challenge)) return false;
    const body = bytes.subarray(0, -sealLength);
    const isOurs = timingSafeEqual(bytes.subarray(-sealLength), sealOf(body, purpose));
    return isOurs && endOf(challenge) > clock.now();
  }

  function spend(challenge: string): boolean {
    for (const [old, end] of spent) if (end <= clock.now()) spent.delete(old);
    if (spent.has(challenge)) return false;
    spent.set(challenge, endOf(challenge));
    return true;
  }

  return { give, isGood, spend };
}

const endOf = (challenge: string): number =>
  Number(Buffer.from(challenge, 'base64url').readBigUInt64BE(randomLength));
