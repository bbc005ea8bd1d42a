/**
 * Runs one job from its claim to its end, step by step. Each step waits behind interactive
 * requests, and its checkpoint is stored before the next step begins. Every end of a job - done,
 * failure, cancellation, stop of the server, lost lease - is handled here, once.
 */
import { isOutage, isOutageUnder, KernelError, type Log } from '../../../kernel/index.ts';
import { toTimestamp, type Clock, type Undo } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobEvents } from './job-events.ts';
import type { JobRunner } from './job-runner.ts';
import type { JobChange, QueuedJob } from './job-store.ts';
import type { Leases, LeaseState } from './leases.ts';
import { parseStepResult } from './step-result.ts';
import { createThrottle } from './throttle.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';

/** A job that runs here, and how it is controlled. */
export interface Run {
  control: 'run' | 'cancel' | 'stop' | 'lost';
  readonly controller: AbortController;
  ended: Promise<void>;
}

/** What running a job needs. */
export interface RunJobParts {
  readonly leases: Leases;
  readonly events: JobEvents;
  /** Resolves when the next step may begin. */
  readonly waitForSlot: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

type Ending =
  | { readonly kind: 'done'; readonly result: Readonly<Record<string, unknown>> }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'cancel' | 'stop' }
  | { readonly kind: 'lost' };

const heartbeatMs = 20_000;
const progressIntervalMs = 250;
const mostAttempts = 3;
/** How long a job waits after its first and its second failure. */
const pausesMs = [2_000, 10_000] as const;
/** How long it waits while the database is unavailable, after each try. */
const outagePauseMs = 10_000;
/** How long the end of a job waits to be stored, at first and at most. */
const storePausesMs = { first: 500, longest: 15_000 } as const;

/**
 * Runs the job. While the database is unavailable, the end of the job waits to be stored. It
 * rejects only when the server stops before that; the next start then finds the job as it was left.
 */
export async function runJob(
  claimed: QueuedJob,
  run: Run,
  runner: JobRunner,
  parts: RunJobParts,
): Promise<void> {
  const { leases, events, waitForSlot, clock, log } = parts;
  const { id } = claimed.job;
  const progress = createThrottle<Job>(clock, progressIntervalMs, events.progressed);
  let attempts = claimed.attempts;

  async function runSteps(): Promise<Ending> {
    let { job, checkpoint } = claimed;
    for (;;) {
      await waitForSlot();
      const control = controlOf(run);
      if (control !== 'run') return { kind: control };
      const step = parseStepResult(await runner.step(job, checkpoint, run.controller.signal));
      if (controlOf(run) === 'lost') return { kind: 'lost' };
      if (step.done) return { kind: 'done', result: step.result ?? {} };
      ({ checkpoint } = step);
      applyControl(
        run,
        await leases.keep(id, { ...progressOf(step), attempts: 0, interruptions: 0 }),
      );
      attempts = 0;
      job = { ...job, progress: step.progress };
      progress.offer(job);
    }
  }

  function heartbeat(): Undo {
    let stopTimer: Undo;
    const beat = (): void => {
      stopTimer = clock.after(heartbeatMs, () => {
        leases
          .keep(id)
          .then((state) => applyControl(run, state))
          .catch((error: unknown) =>
            log.warn({ jobId: id, err: error }, 'The lease of a job could not be renewed.'),
          )
          .finally(() => !run.controller.signal.aborted && beat());
      });
    };
    beat();
    return () => stopTimer();
  }

  async function settle(ending: Ending): Promise<Job | undefined> {
    const { first, longest } = storePausesMs;
    for (let pauseMs: number = first; ; pauseMs = Math.min(pauseMs * 2, longest)) {
      if (ending.kind === 'lost' || controlOf(run) === 'lost') return undefined;
      try {
        return await leases.settle(id, changeAt(ending, attempts, clock.now()));
      } catch (error) {
        if (!isOutage(error) || controlOf(run) === 'stop') throw error;
        if (pauseMs === first)
          log.warn({ jobId: id, err: error }, 'The end of a job could not be stored yet.');
        await pause(clock, pauseMs, run.controller.signal);
      }
    }
  }

  events.started(claimed);
  const stopHeart = heartbeat();
  const ending = await runSteps()
    .catch((error: unknown) => failure(error, run))
    .finally(() => {
      stopHeart();
      progress.stop();
    });
  if (ending.kind === 'failed') log.warn({ jobId: id, err: ending.error }, 'A job failed.');
  const job = await settle(ending);
  if (job) await tell(job, runner, parts);
}

/** Other code changes the control while a step runs. */
const controlOf = (run: Run): Run['control'] => run.control;

const progressOf = (step: { readonly checkpoint: unknown; readonly progress: number }) => ({
  checkpoint: step.checkpoint,
  progress: step.progress,
});

/** A step that was aborted may throw; that is not a failure. */
const failure = (error: unknown, { control }: Run): Ending =>
  control === 'run' ? { kind: 'failed', error } : { kind: control };

function applyControl(run: Run, state: LeaseState): void {
  if (state === 'held') return;
  if (run.control !== 'lost') run.control = state === 'lost' ? 'lost' : 'cancel';
  run.controller.abort();
}

function changeAt(
  ending: Exclude<Ending, { kind: 'lost' }>,
  attempts: number,
  nowMs: number,
): JobChange {
  const completedAt = toTimestamp(nowMs);
  switch (ending.kind) {
    case 'done':
      return {
        status: 'completed',
        result: ending.result,
        progress: 1,
        errorMessage: null,
        completedAt,
      };
    case 'cancel':
      return { status: 'cancelled', completedAt };
    case 'stop':
      return { status: 'pending' };
    case 'failed':
      return afterFailure(ending.error, attempts + 1, nowMs);
  }
}

function afterFailure(error: unknown, attempts: number, nowMs: number): JobChange {
  const errorMessage = messageOf(error);
  // The database failed, not the job.
  if (isOutageUnder(error))
    return { status: 'pending', errorMessage, notBefore: nowMs + outagePauseMs };
  const pauseMs = pausesMs[attempts - 1];
  if (attempts >= mostAttempts || pauseMs === undefined || isFinal(error)) {
    return { status: 'failed', errorMessage, attempts, completedAt: toTimestamp(nowMs) };
  }
  return { status: 'pending', errorMessage, attempts, notBefore: nowMs + pauseMs };
}

const finalCodes: ReadonlySet<string> = new Set([
  'not_found',
  'permission_denied',
  'outside_root',
  'invalid_argument',
  'invalid_config',
  'invalid_request',
  'forbidden',
]);

const isExpected = (error: unknown): error is AppError | KernelError =>
  error instanceof AppError || error instanceof KernelError;

const isFinal = (error: unknown): boolean => isExpected(error) && finalCodes.has(error.code);

/** Ends early when the run is aborted. */
function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal.addEventListener('abort', end);
  });
}

/** The message of a bug may contain a path or SQL, so it goes only to the log. */
const messageOf = (error: unknown): string =>
  isExpected(error) ? error.message : 'internal error';

async function tell(job: Job, runner: JobRunner, { events, log }: RunJobParts): Promise<void> {
  switch (job.status) {
    case 'completed':
      events.completed(job);
      break;
    case 'failed':
      events.failed(job);
      break;
    case 'pending':
    case 'running':
    case 'cancelled':
      events.changed(job);
      if (job.status !== 'cancelled') return;
  }
  try {
    await runner.ended?.(job);
  } catch (error) {
    log.error({ jobId: job.id, err: error }, 'The follow-up work of a job failed.');
  }
}
