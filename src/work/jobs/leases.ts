/**
 * Ownership of running jobs. A running job belongs to one owner until its lease ends, and every
 * change is conditional on that ownership. So a worker that was too slow can never overwrite the
 * results of the worker that took the job over. Without leases a step could take effect twice.
 */
import { isUniqueViolation, type Database } from '../../../kernel/store/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import { mayBecome } from './job.ts';
import type { JobChange, JobStore, LeftLibraries, QueuedJob } from './job-store.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';

/** How long a lease lasts without renewal. */
export const leaseMs = 60_000;

/** A job that never reached a checkpoint in this many runs of the server is given up. */
const mostInterruptions = 25;

/**
 * The state of a lease. `cancelling`: it is held, and the cancellation of the job was requested.
 */
export type LeaseState = 'held' | 'cancelling' | 'lost';

export type Leases = ReturnType<typeof createLeases>;

/** Which leases end: expired ones, all, or those of one owner that has ended. */
export type Abandoned = 'expired' | 'all' | { readonly owner: string };

export interface LeaseParts {
  readonly database: Database;
  readonly store: JobStore;
  readonly clock: Clock;
  /** Unique for each run of the process. */
  readonly owner: string;
}

export function createLeases({ database, store, clock, owner }: LeaseParts) {
  const freshLease = () => ({ owner, until: clock.now() + leaseMs });

  /** Takes the next job, if there is one. */
  const claim = (
    pluginFor: (type: string, libraryId: string | null) => string | undefined,
    without?: LeftLibraries,
  ): Promise<QueuedJob | undefined> =>
    database
      .write(async (trx) => {
        const queued = await store.next(trx, clock.now(), without);
        if (!queued) return undefined;
        const { id, type, libraryId, startedAt } = queued.job;
        await store.update(
          trx,
          id,
          { statuses: ['pending'] },
          {
            status: 'running',
            lease: freshLease(),
            pluginId: pluginFor(type, libraryId) ?? null,
            startedAt: startedAt ?? toTimestamp(clock.now()),
          },
        );
        return store.find(trx, id);
      })
      .catch((error: unknown) => {
        // Another server has just started a job of the same key.
        if (isUniqueViolation(error)) return undefined;
        throw error;
      });

  /** Renews the lease, and stores the change. */
  const keep = (id: string, change: JobChange = {}): Promise<LeaseState> =>
    database.write(async (trx) => {
      const guard = { statuses: ['running'] as const, leaseOwner: owner };
      const isHeld = await store.update(trx, id, guard, { ...change, lease: freshLease() });
      if (!isHeld) return 'lost';
      return (await store.find(trx, id))?.isCancelling === true ? 'cancelling' : 'held';
    });

  /** Ends the lease with a status; `undefined` = it was lost before. */
  const settle = (id: string, change: JobChange): Promise<Job | undefined> =>
    database.write(async (trx) => {
      const guard = { statuses: ['running'] as const, leaseOwner: owner };
      if (change.status && !mayBecome('running', change.status)) {
        throw new Error(`A running job cannot become ${change.status}.`);
      }
      const isHeld = await store.update(trx, id, guard, {
        ...change,
        lease: null,
        isCancelling: false,
      });
      return isHeld ? (await store.find(trx, id))?.job : undefined;
    });

  /** Takes jobs from owners that have ended. */
  const recover = (exceptIds: readonly string[], whose: Abandoned): Promise<readonly Job[]> =>
    database.write(async (trx) => {
      const beforeMs = whose === 'expired' ? clock.now() : Number.MAX_SAFE_INTEGER;
      const recovered: Job[] = [];
      for (const queued of await store.listAbandoned(trx, beforeMs, exceptIds)) {
        const { id } = queued.job;
        if (typeof whose === 'object' && queued.leaseOwner !== whose.owner) continue;
        await store.update(trx, id, { statuses: ['running'] }, afterDeath(queued, clock.now()));
        const now = await store.find(trx, id);
        if (now) recovered.push(now.job);
      }
      return recovered;
    });

  return { claim, keep, settle, recover };
}

/**
 * The new state of a job whose process ended. That does not count as an attempt, since most likely
 * the job did not cause it; only a job without progress over many runs is given up.
 */
function afterDeath(queued: QueuedJob, nowMs: number): JobChange {
  const free = { lease: null, isCancelling: false };
  const interruptions = queued.interruptions + 1;
  if (queued.isCancelling) {
    return { ...free, status: 'cancelled', completedAt: toTimestamp(nowMs) };
  }
  if (interruptions <= mostInterruptions) return { ...free, status: 'pending', interruptions };
  return {
    ...free,
    status: 'failed',
    interruptions,
    completedAt: toTimestamp(nowMs),
    errorMessage: `The server ended ${interruptions} times during this job, which made no progress.`,
  };
}
