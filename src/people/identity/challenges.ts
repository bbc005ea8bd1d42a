/**
 * Challenges: each is answered at most once, within two minutes, with the pass that requested it.
 * They live in memory only, so a restart makes apps start again. The challenges of a client are
 * limited per client and network: a limit per client alone would let the thief of a pass evict the
 * owner's challenges.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';

/** The requester of a challenge. */
export interface ChallengeOwner {
  readonly certHash: string;
  readonly clientId: string;
  readonly network: string;
}

/** Open challenges. */
export interface Challenges {
  /** 32 random bytes in hex. */
  readonly issue: (owner: ChallengeOwner) => string;
  /**
   * Consumes a challenge; returns the hash of the pass that it was issued for. `null` = unknown,
   * used or expired. Look-up and removal are synchronous, so only one of several concurrent calls
   * succeeds.
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

/** Creates an empty set of challenges. */
export function createChallenges(parts: {
  readonly clock: Pick<Clock, 'now'>;
  readonly random?: (count: number) => Buffer;
}): Challenges {
  const { clock, random = randomBytes } = parts;
  /** In order of creation, which is also the order of expiry. */
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
