/**
 * Challenges: each is answered at most once, within two minutes, by whoever asked with that very pass.
 * They live in memory alone, so a restart makes apps begin again. A client's own are counted by client
 * and network together: by client alone, whoever stole a pass could push the owner's out.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';

/** For whom a challenge is made. */
export interface ChallengeOwner {
  readonly certHash: string;
  readonly clientId: string;
  readonly network: string;
}

/** Challenges that wait for their answer. */
export interface Challenges {
  /** 32 random bytes in hex. */
  readonly issue: (owner: ChallengeOwner) => string;
  /**
   * The hash of the pass that it was made for, and it is gone; `null` = unknown, used or too old.
   * Nothing is awaited between look and removal: of many at once one gets it.
   */
  readonly take: (challenge: string) => string | null;
}

const lifetimeMs = 120_000;
const mostPerOwner = 20;
const mostInAll = 10_000;

interface Waiting {
  readonly certHash: string;
  readonly owner: string;
  readonly until: number;
}

/** Creates none. */
export function createChallenges(parts: {
  readonly clock: Pick<Clock, 'now'>;
  readonly random?: (count: number) => Buffer;
}): Challenges {
  const { clock, random = randomBytes } = parts;
  /** In the order in which they were made, which is that in which they end. */
  const waiting = new Map<string, Waiting>();
  const byOwner = new Map<string, Set<string>>();

  function remove(challenge: string): Waiting | undefined {
    const found = waiting.get(challenge);
    if (!found) return undefined;
    waiting.delete(challenge);
    const own = byOwner.get(found.owner);
    own?.delete(challenge);
    if (own?.size === 0) byOwner.delete(found.owner);
    return found;
  }

  function makeRoom(owner: string): void {
    const own = byOwner.get(owner);
    const [oldest] = own ?? [];
    if (own && own.size >= mostPerOwner && oldest !== undefined) remove(oldest);
    for (const [challenge, { until }] of waiting) {
      if (until > clock.now() && waiting.size < mostInAll) break;
      remove(challenge);
    }
  }

  return {
    issue: ({ certHash, clientId, network }) => {
      const owner = `${clientId} ${network}`;
      makeRoom(owner);
      const challenge = random(32).toString('hex');
      waiting.set(challenge, { certHash, owner, until: clock.now() + lifetimeMs });
      const own = byOwner.get(owner) ?? new Set();
      byOwner.set(owner, own.add(challenge));
      return challenge;
    },
    take: (challenge) => {
      const found = remove(challenge);
      return found && found.until > clock.now() ? found.certHash : null;
    },
  };
}
