import type { Log } from '../../../kernel/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import { runJob, type Run } from './run-job.ts';
import type { JobEvents } from './job-events.ts';
import type { JobRunner } from './job-runner.ts';
import type { LeftLibraries } from './job-store.ts';
import type { Leases } from './leases.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';

/** Run jobs, a few at a time. */
export type Workers = ReturnType<typeof createWorkers>;

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

/** Creates workers; they do nothing before `start`. */
export function createWorkers(parts: WorkerParts) {
  const { leases, runnerOf, nextStart, events, clock, log, concurrency, isOnlyProcess } = parts;
  const runs = new Map<string, Run>();
  const idlers = new Set<() => void>();
  let state: 'new' | 'open' | 'stopped' = 'new';
  let isFilling = false;
  let isWanted = false;
  let stopTimer: Undo | null = null;
  let left: LeftLibraries = [];

  /** Starts working. First it recovers the jobs that an ended process left running. */
  async function start(): Promise<void> {
    await recover(isOnlyProcess);
    state = 'open';
    wake();
  }

  async function recover(all: boolean): Promise<void> {
    const jobs = await leases.recover([...runs.keys()], all ? 'all' : 'expired');
    for (const job of jobs) tellRecovered(job);
  }

  /** Takes the jobs of an owner that has ended, before their leases end. */
  async function takeOver(owner: string): Promise<void> {
    for (const job of await leases.recover([], { owner })) tellRecovered(job);
    wake();
  }

  function tellRecovered(job: Job): void {
    log.info({ jobId: job.id, type: job.type }, `An abandoned job is now ${job.status}.`);
    if (job.status === 'failed') events.failed(job);
    else events.changed(job);
  }

  /** The queue may have jobs. */
  function wake(): void {
    isWanted = true;
    if (isFilling || state !== 'open') return;
    isFilling = true;
    void fill().finally(() => {
      isFilling = false;
    });
  }

  /** Starts jobs up to the limit. It is the only place that reads the queue. */
  async function fill(): Promise<void> {
    try {
      while (isWanted && state === 'open') {
        isWanted = false;
        while (state === 'open' && runs.size < concurrency && (await startNext()));
        if (!isWanted) await rest();
      }
    } catch (error) {
      log.error({ err: error }, 'The job queue could not be read.');
      lookAgain(afterFailureMs);
    }
  }

  async function startNext(): Promise<boolean> {
    left = (await parts.leaves?.()) ?? [];
    const claimed = await leases.claim(
      (type, libraryId) => runnerOf(type).pluginFor?.(type, libraryId),
      left,
    );
    if (!claimed) return false;
    const run: Run = {
      control: 'run',
      controller: new AbortController(),
      ended: Promise.resolve(),
    };
    runs.set(claimed.job.id, run);
    run.ended = runJob(claimed, run, runnerOf(claimed.job.type), parts)
      .catch((error: unknown) => {
        log.error({ jobId: claimed.job.id, err: error }, 'The end of a job could not be stored.');
      })
      .finally(() => {
        runs.delete(claimed.job.id);
        wake();
      });
    return true;
  }

  /** Sleeps until a pending job may start, or leases must be checked. */
  async function rest(): Promise<void> {
    const nextAt = runs.size < concurrency ? await nextStart() : null;
    // A job that was added after the queue was read has set isWanted: the queue is read once more.
    if (nextAt === null && runs.size === 0 && !isWanted) settleIdlers();
    const untilNextMs = nextAt === null ? leaseCheckMs : nextAt - clock.now();
    // The job that may start is perhaps one that is left to others.
    const leastMs = left.length > 0 ? lookWhileLeavingMs : 1;
    lookAgain(Math.max(leastMs, Math.min(untilNextMs, leaseCheckMs)));
  }

  function lookAgain(delayMs: number): void {
    stopTimer?.();
    stopTimer = null;
    if (state !== 'open') return;
    stopTimer = clock.after(delayMs, () => {
      recover(false).then(wake, (error: unknown) => {
        log.error({ err: error }, 'The leases of jobs could not be read.');
        lookAgain(afterFailureMs);
      });
    });
  }

  function settleIdlers(): void {
    for (const settle of idlers) settle();
    idlers.clear();
  }

  /** Takes no further jobs and returns the running ones to the queue at their last checkpoint. */
  async function stop(): Promise<void> {
    if (state === 'stopped') return;
    state = 'stopped';
    stopTimer?.();
    for (const run of runs.values()) interrupt(run, 'stop');
    await within(longestStopMs, Promise.all([...runs.values()].map(({ ended }) => ended)));
    for (const [id, run] of runs) {
      run.control = 'lost';
      await leases.settle(id, { status: 'pending' }).catch((error: unknown) => {
        log.error(
          { jobId: id, err: error },
          'A job could not be returned to the queue; the next start will do it.',
        );
      });
    }
    settleIdlers();
  }

  function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const stopWaiting = clock.after(timeoutMs, resolve);
      void work.finally(() => {
        stopWaiting();
        resolve();
      });
    });
  }

  return {
    start,
    stop,
    wake,
    takeOver,
    /** Ends a job that runs here, between two steps. */
    cancel: (jobId: string): void => {
      const run = runs.get(jobId);
      if (run) interrupt(run, 'cancel');
    },
    /** Resolves when no job is active or pending; at once when the workers have stopped. */
    idle: (): Promise<void> =>
      new Promise((resolve) => {
        if (state === 'stopped') resolve();
        else idlers.add(resolve);
        wake();
      }),
  };
}

function interrupt(run: Run, control: 'cancel' | 'stop'): void {
  if (run.control === 'run') run.control = control;
  run.controller.abort();
}
