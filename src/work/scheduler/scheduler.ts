/**
 * The scheduled tasks of the server. A task never overlaps with itself, and its last run is stored:
 * a run that was missed while the server was off is made up once, soon after the start.
 */
import { KernelError, type Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { toTimestamp, type Clock, type Undo } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { sentence } from '../../platform/problems/index.ts';
import { insertTasks, readTasks, saveRun } from './scheduled-task-store.ts';
import type { ScheduledTask } from '../../contract/resources/operations/scheduler.ts';

/** A task that runs at intervals. */
export interface RecurringWork {
  /** Lower case with hyphens: `library-scan`. */
  readonly name: string;
  /** Milliseconds from the start of one run to the next; 0 = only on request. */
  readonly intervalMs: number;
  /** Its purpose, in a sentence. */
  readonly purpose: string;
  /** Its first run ever comes after one interval, not at the start. */
  readonly waitsFirst?: boolean;
  /** It concerns this machine: each server of a cluster runs it. */
  readonly isLocal?: boolean;
  readonly run: () => Promise<void>;
}

export interface SchedulerParts {
  readonly database: Database;
  readonly works: readonly RecurringWork[];
  readonly audit: RecordAudit;
  /** Emits the event that the tasks are planned. */
  readonly emit: (type: 'scheduler.started', data: { readonly tasks: readonly string[] }) => void;
  /** Whether this server starts due tasks; in a cluster one server does. */
  readonly mayBegin?: () => boolean;
  /** Locks a task among several servers; `null` = another one runs it. */
  readonly claim?: (name: string) => Promise<Undo | null>;
  /** Called when a run ended, here or on another server, and when the last runs are known. */
  readonly onChange?: () => void;
  readonly clock: Clock;
  /** 0 to 1: spreads the tasks of servers that start together. */
  readonly random: () => number;
  readonly log: Log;
}

/** The clock may jump, and timers reach 24 days at most, so the plan is checked each hour. */
const mostSleepMs = 3_600_000;
/** Missed runs wait until the start is over. */
const soonMs = 20_000;
const mostJitterMs = 300_000;
/** How often a server that does not start tasks checks whether it should. */
const turnMs = 5000;
/** How long a task that another server runs waits for the next check. */
const busyMs = 60_000;
/** How long missed runs may take to be made up after the start, with some room. */
const madeUpMs = 600_000;

interface Planned {
  readonly work: RecurringWork;
  knownSince: number;
  lastRunAt: number | null;
  lastDurationMs: number | null;
  lastError: string | null;
  lastSuccessAt: number | null;
  /** `null` = only on request. */
  dueAt: number | null;
  running: Promise<void> | null;
}

/** The tasks. */
export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #mayBegin: () => boolean;
  readonly #onChange: () => void;
  readonly #plan: Map<string, Planned>;
  #isOpen = false;
  #cancel: Undo = () => undefined;
  #startedAt = 0;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    this.#mayBegin = parts.mayBegin ?? (() => true);
    this.#onChange = parts.onChange ?? (() => undefined);
    this.#plan = new Map<string, Planned>(parts.works.map((work) => [work.name, unplanned(work)]));
  }

  readonly #jitter = (intervalMs: number): number =>
    Math.round(this.#parts.random() * Math.min(intervalMs / 20, mostJitterMs));

  /** At most one interval away, even if the clock was wrong at the last run. */
  #dueAfter({ work, lastRunAt, knownSince }: Planned, isStart: boolean): number | null {
    const { intervalMs, waitsFirst = false } = work;
    if (intervalMs === 0) return null;
    const now = this.#parts.clock.now();
    const from = lastRunAt ?? (waitsFirst ? knownSince : now - intervalMs);
    const wanted = Math.min(from, now) + intervalMs + this.#jitter(intervalMs);
    return isStart ? Math.max(wanted, now + soonMs + this.#jitter(soonMs)) : Math.max(wanted, now);
  }

  #sleep(): void {
    this.#cancel();
    const dues = [...this.#plan.values()].flatMap(({ dueAt, running }) =>
      dueAt === null || running !== null ? [] : [dueAt],
    );
    if (!this.#isOpen || dues.length === 0) return;
    const waitMs = Math.min(...dues) - this.#parts.clock.now();
    const leastMs = this.#mayBegin() ? 0 : turnMs;
    this.#cancel = this.#parts.clock.after(
      Math.min(Math.max(waitMs, leastMs), mostSleepMs),
      this.#wake,
    );
  }

  readonly #wake = (): void => {
    for (const planned of this.#plan.values()) {
      const { dueAt, running, work } = planned;
      if (dueAt === null || running !== null) continue;
      if (work.isLocal !== true && !this.#mayBegin()) continue;
      const mostAhead = this.#parts.clock.now() + work.intervalMs + mostJitterMs;
      if (dueAt > mostAhead) planned.dueAt = this.#dueAfter(planned, false);
      else if (dueAt <= this.#parts.clock.now()) this.#begin(planned);
    }
    this.#sleep();
  };

  #begin(planned: Planned, release?: Undo): void {
    const { clock, claim } = this.#parts;
    const startedAt = clock.now();
    let soonestAt = 0;
    const run = (): Promise<void> => this.#runTask(planned, startedAt);
    const isShared = claim !== undefined && planned.work.isLocal !== true;
    planned.running = (isShared ? this.#inTurn(planned, run, release) : run().then(() => true))
      .then((isDone) => {
        if (!isDone) soonestAt = clock.now() + busyMs;
      })
      .finally(() => {
        planned.running = null;
        const dueAt = this.#dueAfter(planned, false);
        planned.dueAt = dueAt === null ? null : Math.max(dueAt, soonestAt);
        this.#sleep();
      });
  }

  /** Runs the work unless another server does. */
  async #inTurn(
    { work: { name } }: Planned,
    run: () => Promise<void>,
    claimed?: Undo,
  ): Promise<boolean> {
    const release = claimed ?? (await this.#parts.claim?.(name).catch(() => null)) ?? null;
    if (release === null) return false;
    try {
      await run();
    } finally {
      release();
    }
    return true;
  }

  async #runTask(planned: Planned, startedAt: number): Promise<void> {
    const { log, clock, database } = this.#parts;
    const { name, run } = planned.work;
    planned.lastRunAt = startedAt;
    planned.lastError = await run().then(
      () => null,
      (error: unknown) => {
        log.warn(
          { err: error, task: name },
          'A scheduled task failed. It will run again when it is due.',
        );
        return reasonOf(error);
      },
    );
    if (planned.lastError === null) planned.lastSuccessAt = startedAt;
    planned.lastDurationMs = Math.max(0, clock.now() - startedAt);
    const ran = {
      name,
      last_run_at: startedAt,
      last_duration_ms: planned.lastDurationMs,
      last_error: planned.lastError,
      last_success_at: planned.lastSuccessAt,
    };
    this.#onChange();
    await database
      .write((trx) => saveRun(trx, ran))
      .catch((error: unknown) =>
        log.warn({ err: error, task: name }, 'The run of a task could not be stored.'),
      );
  }

  async #learnRuns(): Promise<void> {
    for (const row of await readTasks(this.#parts.database.read)) {
      const planned = this.#plan.get(row.name);
      if (planned === undefined) continue;
      planned.knownSince = Number(row.known_since);
      planned.lastRunAt = numberOrNull(row.last_run_at);
      planned.lastDurationMs = numberOrNull(row.last_duration_ms);
      planned.lastError = row.last_error;
      planned.lastSuccessAt = numberOrNull(row.last_success_at);
    }
    this.#onChange();
  }

  /** Another server ran tasks. */
  readonly onRemoteRun = async (): Promise<void> => {
    if (!this.#isOpen) return;
    await this.#learnRuns();
    for (const planned of this.#plan.values())
      if (planned.running === null) planned.dueAt = this.#dueAfter(planned, false);
    this.#sleep();
  };

  /** Starts; missed runs are made up within a minute. */
  readonly start = async (): Promise<void> => {
    const { clock, database, emit } = this.#parts;
    const names = [...this.#plan.keys()];
    this.#startedAt = clock.now();
    await database.write((trx) => insertTasks(trx, names, clock.now()));
    await this.#learnRuns();
    for (const planned of this.#plan.values()) planned.dueAt = this.#dueAfter(planned, true);
    this.#isOpen = true;
    this.#sleep();
    emit('scheduler.started', { tasks: names });
  };

  /** Plans no further runs, and waits for running ones. */
  readonly stop = async (): Promise<void> => {
    this.#isOpen = false;
    this.#cancel();
    await Promise.all([...this.#plan.values()].flatMap(({ running }) => running ?? []));
  };

  /** Starts a run, and returns without waiting for its end. 409 while one is running. */
  readonly runNow = async (name: string, viewer: Viewer): Promise<ScheduledTask> => {
    const { claim, database, audit } = this.#parts;
    const planned = this.#plan.get(name);
    if (planned === undefined) throw new AppError('not_found', { what: `The task ${name}` });
    if (planned.running !== null)
      throw new AppError('conflict', { what: `The task ${name} is running already.` });
    if (!this.#isOpen) throw new AppError('stopping', {});
    const release = planned.work.isLocal === true ? undefined : await claim?.(name);
    if (release === null)
      throw new AppError('conflict', { what: `The task ${name} is running on another server.` });
    const target = { type: 'scheduled-task', id: name };
    const entry = { actor: viewer, action: 'scheduler.run', change: 'event', target } as const;
    await database
      .write((trx) => audit(trx, entry))
      .catch((error: unknown) => {
        release?.();
        throw error;
      });
    this.#begin(planned, release);
    return this.#toScheduledTask(planned);
  };

  /** A run that was missed while the server was off is made up first. */
  #isOverdue({ work: { intervalMs }, lastSuccessAt, knownSince }: Planned): boolean {
    const now = this.#parts.clock.now();
    if (intervalMs === 0 || !this.#isOpen || now - this.#startedAt < madeUpMs) return false;
    return now - (lastSuccessAt ?? knownSince) > 2 * intervalMs + madeUpMs;
  }

  readonly #toScheduledTask = (planned: Planned): ScheduledTask => {
    const { work, running, lastRunAt, dueAt } = planned;
    return {
      name: work.name,
      purpose: work.purpose,
      interval: work.intervalMs,
      lastRun: timestampOrNull(lastRunAt),
      lastDuration: planned.lastDurationMs,
      lastError: planned.lastError,
      lastSuccess: timestampOrNull(planned.lastSuccessAt),
      isOverdue: this.#isOverdue(planned),
      nextRun: running === null ? timestampOrNull(dueAt) : null,
      isRunning: running !== null,
    };
  };

  readonly list = (): readonly ScheduledTask[] =>
    [...this.#plan.values()].map(this.#toScheduledTask);
}

/** Creates the scheduler; nothing runs before `start`. */
export const createScheduler = (parts: SchedulerParts): Scheduler => new Scheduler(parts);

const unplanned = (work: RecurringWork): Planned => ({
  work,
  knownSince: 0,
  lastRunAt: null,
  lastDurationMs: null,
  lastError: null,
  lastSuccessAt: null,
  dueAt: null,
  running: null,
});

const numberOrNull = (value: number | string | null): number | null =>
  value === null ? null : Number(value);

const timestampOrNull = (unixMs: number | null): string | null =>
  unixMs === null ? null : toTimestamp(unixMs);

/** The reason for admins. The message of any other error is for developers, and stands in the log. */
function reasonOf(error: unknown): string {
  const isTold =
    error instanceof AppError ||
    error instanceof KernelError ||
    (error instanceof Error && 'syscall' in error);
  return isTold ? sentence(error.message) : 'It failed; the log of the server has the reason.';
}
