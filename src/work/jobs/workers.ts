import type { Log } from '../../../kernel/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import { runJob, type Run } from './run-job.ts';
import type { JobEvents } from './job-events.ts';
import type { JobRunner } from './job-runner.ts';
import type { LeftLibraries } from './job-store.ts';
import type { Leases } from './leases.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';

export interface WorkerParts {
  readonly leases: Leases;
  readonly runnerOf: (type: string) => JobRunner;
  /** Unix milliseconds at which the next pending job may start; `null` = none is pending. */
  readonly nextStart: () => Promise<number | null>;
  readonly events: JobEvents;
  readonly waitForSlot: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  readonly concurrency: number;
  /** No other process uses this database: every running job at the start is abandoned. */
  readonly isOnlyProcess: boolean;
  /** The libraries whose jobs this server must leave to others now; absent = it takes all. */
  readonly leaves?: () => Promise<LeftLibraries>;
}

/** How often leases of other servers are checked when nothing else happens. */
const leaseCheckMs = 30_000;
const afterFailureMs = 5_000;
const lookWhileLeavingMs = 1_000;
const longestStopMs = 8_000;

/** Run jobs, a few at a time. */
export class Workers {
  readonly #parts: WorkerParts;
  readonly #runs = new Map<string, Run>();
  readonly #idlers = new Set<() => void>();
  #state: 'new' | 'open' | 'stopped' = 'new';
  #isFilling = false;
  #isWanted = false;
  #stopTimer: Undo | null = null;
  #left: LeftLibraries = [];

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  /** Starts working. First it recovers the jobs that an ended process left running. */
  readonly start = async (): Promise<void> => {
    await this.#recover(this.#parts.isOnlyProcess);
    this.#state = 'open';
    this.wake();
  };

  async #recover(all: boolean): Promise<void> {
    const jobs = await this.#parts.leases.recover([...this.#runs.keys()], all ? 'all' : 'expired');
    for (const job of jobs) this.#tellRecovered(job);
  }

  /** Takes the jobs of an owner that has ended, before their leases end. */
  readonly takeOver = async (owner: string): Promise<void> => {
    for (const job of await this.#parts.leases.recover([], { owner })) this.#tellRecovered(job);
    this.wake();
  };

  #tellRecovered(job: Job): void {
    const { events, log } = this.#parts;
    log.info({ jobId: job.id, type: job.type }, `An abandoned job is now ${job.status}.`);
    if (job.status === 'failed') events.failed(job);
    else events.changed(job);
  }

  /** The queue may have jobs. */
  readonly wake = (): void => {
    this.#isWanted = true;
    if (this.#isFilling || this.#state !== 'open') return;
    this.#isFilling = true;
    void this.#fill().finally(() => {
      this.#isFilling = false;
    });
  };

  /** Starts jobs up to the limit. It is the only place that reads the queue. */
  async #fill(): Promise<void> {
    try {
      while (this.#isWanted && this.#state === 'open') {
        this.#isWanted = false;
        while (
          this.#state === 'open' &&
          this.#runs.size < this.#parts.concurrency &&
          (await this.#startNext())
        );
        if (!this.#isWanted) await this.#rest();
      }
    } catch (error) {
      this.#parts.log.error({ err: error }, 'The job queue could not be read.');
      this.#lookAgain(afterFailureMs);
    }
  }

  async #startNext(): Promise<boolean> {
    const { runnerOf, leases, log } = this.#parts;
    this.#left = (await this.#parts.leaves?.()) ?? [];
    const claimed = await leases.claim(
      (type, libraryId) => runnerOf(type).pluginFor?.(type, libraryId),
      this.#left,
    );
    if (!claimed) return false;
    const run: Run = {
      control: 'run',
      controller: new AbortController(),
      ended: Promise.resolve(),
    };
    this.#runs.set(claimed.job.id, run);
    run.ended = runJob(claimed, run, runnerOf(claimed.job.type), this.#parts)
      .catch((error: unknown) => {
        log.error({ jobId: claimed.job.id, err: error }, 'The end of a job could not be stored.');
      })
      .finally(() => {
        this.#runs.delete(claimed.job.id);
        this.wake();
      });
    return true;
  }

  /** Sleeps until a pending job may start, or leases must be checked. */
  async #rest(): Promise<void> {
    const nextAt = this.#runs.size < this.#parts.concurrency ? await this.#parts.nextStart() : null;
    // A job that was added after the queue was read has set isWanted: the queue is read once more.
    if (nextAt === null && this.#runs.size === 0 && !this.#isWanted) this.#settleIdlers();
    const untilNextMs = nextAt === null ? leaseCheckMs : nextAt - this.#parts.clock.now();
    // The job that may start is perhaps one that is left to others.
    const leastMs = this.#left.length > 0 ? lookWhileLeavingMs : 1;
    this.#lookAgain(Math.max(leastMs, Math.min(untilNextMs, leaseCheckMs)));
  }

  #lookAgain(delayMs: number): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
    if (this.#state !== 'open') return;
    this.#stopTimer = this.#parts.clock.after(delayMs, () => {
      this.#recover(false).then(this.wake, (error: unknown) => {
        this.#parts.log.error({ err: error }, 'The leases of jobs could not be read.');
        this.#lookAgain(afterFailureMs);
      });
    });
  }

  #settleIdlers(): void {
    for (const settle of this.#idlers) settle();
    this.#idlers.clear();
  }

  /** Takes no further jobs and returns the running ones to the queue at their last checkpoint. */
  readonly stop = async (): Promise<void> => {
    if (this.#state === 'stopped') return;
    this.#state = 'stopped';
    this.#stopTimer?.();
    for (const run of this.#runs.values()) interrupt(run, 'stop');
    await this.#within(
      longestStopMs,
      Promise.all([...this.#runs.values()].map(({ ended }) => ended)),
    );
    for (const [id, run] of this.#runs) {
      run.control = 'lost';
      await this.#parts.leases.settle(id, { status: 'pending' }).catch((error: unknown) => {
        this.#parts.log.error(
          { jobId: id, err: error },
          'A job could not be returned to the queue; the next start will do it.',
        );
      });
    }
    this.#settleIdlers();
  };

  #within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const stopWaiting = this.#parts.clock.after(timeoutMs, resolve);
      void work.finally(() => {
        stopWaiting();
        resolve();
      });
    });
  }

  /** Ends a job that runs here, between two steps. */
  readonly cancel = (jobId: string): void => {
    const run = this.#runs.get(jobId);
    if (run) interrupt(run, 'cancel');
  };

  /** Resolves when no job is active or pending; at once when the workers have stopped. */
  readonly idle = (): Promise<void> =>
    new Promise((resolve) => {
      if (this.#state === 'stopped') resolve();
      else this.#idlers.add(resolve);
      this.wake();
    });
}

function interrupt(run: Run, control: 'cancel' | 'stop'): void {
  if (run.control === 'run') run.control = control;
  run.controller.abort();
}
