/**
 * Who leads. The leader holds an advisory lock, which ends with its connection, and gives a sign in
 * the table `leader` every two seconds. A leader that is frozen keeps its connection: after ten
 * seconds without a sign another server ends that, takes the lock and raises the term. Each write of
 * a leader's duty checks the term in its own transaction, so a leader that wakes up again cannot
 * write what its successor does.
 */
import { KernelError } from '../../../kernel/index.ts';
import type { AskLine, Database, Transaction } from '../../../kernel/store/index.ts';
import type { Clock } from '../clock.ts';
import {
  announce,
  beginTerm,
  deposeSilent,
  lasts,
  mostSilentMs,
  noteLeaderBeat,
  releaseLeadership,
} from './shared-store.ts';

/** The leadership, from the view of one server. */
export interface Leadership {
  /** Whether this server leads now. A sign that is too old says that it was frozen. */
  readonly isHeld: () => boolean;
  /** The term of this server, until its duties have stopped. */
  readonly term: () => number | null;
  /** Gives a sign, or tries to become the leader; true = it became the leader. */
  readonly look: () => Promise<boolean>;
  /** The lock is gone with the connection. */
  readonly lose: () => void;
  /** The duties of this server have stopped. */
  readonly end: () => Promise<void>;
  /** Lets another server lead; its duties have stopped before. */
  readonly release: () => Promise<void>;
  /** The database for the duties of the leader: no write takes effect after the end of the term. */
  readonly fence: (database: Database) => Database;
}

export interface LeadershipParts {
  readonly ask: AskLine;
  readonly processId: string;
  /** Asked at each look; a leader that may lead no longer gives the lead up. */
  readonly mayLead: () => Promise<boolean>;
  /** The term ended, as a write has shown. */
  readonly onOver: () => void;
  /** The monotonic clock. */
  readonly steady: Pick<Clock, 'now'>;
}

const signMs = 2000;
/** It stops to act as the leader before another server can lead. */
const trustedMs = mostSilentMs - signMs;

/** Creates it; it looks for nothing by itself. */
export function createLeadership(parts: LeadershipParts): Leadership {
  const { ask, processId, mayLead, onOver, steady } = parts;
  let isHolding = false;
  let term: number | null = null;
  let signAt = 0;
  let isGivenUp = false;

  async function assertLasts(trx: Transaction): Promise<void> {
    if (term === null || (await lasts(trx, term))) return;
    isHolding = false;
    onOver();
    throw new KernelError('storage_failed', 'This server is no longer the leader.');
  }

  async function lead(): Promise<boolean> {
    const askedAt = steady.now();
    if (askedAt - signAt < signMs) return false;
    isHolding = term !== null && (await noteLeaderBeat(ask, term));
    if (isHolding) signAt = askedAt;
    else onOver();
    return false;
  }

  /** The lock is held until the duties have stopped. */
  function giveUp(): false {
    isHolding = false;
    isGivenUp = true;
    onOver();
    return false;
  }

  return {
    isHeld: () => isHolding && steady.now() - signAt < trustedMs,
    term: () => term,
    look: async () => {
      if (isHolding) return (await mayLead()) ? lead() : giveUp();
      // The duties of its last term have not stopped yet.
      if (term !== null || !(await mayLead())) return false;
      const askedAt = steady.now();
      let begun = await beginTerm(ask, processId);
      if (begun === null && (await deposeSilent(ask))) begun = await beginTerm(ask, processId);
      if (begun === null) return false;
      [isHolding, term, signAt] = [true, begun, askedAt];
      return true;
    },
    lose: () => {
      isHolding = false;
    },
    end: async () => {
      if (isHolding) return;
      term = null;
      if (!isGivenUp) return;
      isGivenUp = false;
      await releaseLeadership(ask);
      await announce(ask, 'members');
    },
    release: async () => {
      if (!isHolding) return;
      isHolding = false;
      term = null;
      await releaseLeadership(ask);
      await announce(ask, 'members');
    },
    fence: (database) => ({
      ...database,
      write: (work, committed) =>
        database.write(async (trx) => {
          await assertLasts(trx);
          return work(trx);
        }, committed),
    }),
  };
}
