import { isDeepStrictEqual } from 'node:util';
import { KernelError, type Log } from '../../../kernel/index.ts';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import {
  isFullAdmin,
  libraryIdsOf,
  maySeeLibrary,
  serverViewer,
  type Viewer,
} from '../../people/viewer/index.ts';
import { toTimestamp, type Clock, type Undo } from '../../platform/clock.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import { AppError } from '../../platform/errors.ts';
import type { BackgroundScheduler } from '../../platform/background-scheduler.ts';
import { createSettledTime } from '../../platform/settled-time.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import { exclusionKey, isOver, mayBecome, parseNewJob, type JobCounts } from './job.ts';
import { createJobEvents, type Emit } from './job-events.ts';
import type { JobRunner } from './job-runner.ts';
import { JobStore, type LeftLibraries, type QueuedJob } from './job-store.ts';
import { createLeases } from './leases.ts';
import { Workers } from './workers.ts';
import type { Job, JobStatus } from '../../contract/resources/library/catalogue.ts';
import type { JobsPage, JobsQuery, NewJob } from '../../contract/resources/operations/jobs.ts';

/** What the queue needs. */
export interface JobsParts {
  readonly database: Database;
  readonly emit: Emit;
  readonly background: Pick<BackgroundScheduler, 'waitForSlot'>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** Whether the library exists. */
  readonly libraryExists: (libraryId: string) => Promise<boolean>;
  /** No other process uses the database, as with SQLite. */
  readonly isOnlyProcess?: boolean;
  /** The libraries whose jobs this server must leave to others now. */
  readonly leaves?: () => Promise<LeftLibraries>;
  /** The owner of the jobs that run here; new in each run of the process. */
  readonly owner?: string;
  /** Jobs that run at a time; 4 when absent, since jobs mostly wait for their plugin. */
  readonly concurrency?: number;
  /** How many days a finished job is kept; for ever when 0 or absent. */
  readonly keepDays?: number;
  /** The limit of pending jobs; 10 000 when absent. */
  readonly mostPending?: number;
}

/** Background work: durable, leased, resumable. */
export class Jobs {
  readonly #parts: JobsParts;
  readonly #mostPending: NonNullable<JobsParts['mostPending']>;
  readonly #keepDays: NonNullable<JobsParts['keepDays']>;
  readonly #settledNow: ReturnType<typeof createSettledTime>;
  readonly #store: JobStore;
  readonly #events: ReturnType<typeof createJobEvents>;
  readonly #runners = new Map<string, JobRunner>();
  #otherwise: JobRunner = noRunner;
  readonly #workers: Workers;
  /** Another server added jobs to the queue. */
  readonly wake: Workers['wake'];
  /** Takes over the jobs of a server that has ended, before their leases end. */
  readonly takeOver: Workers['takeOver'];
  readonly start: Workers['start'];
  readonly stop: Workers['stop'];
  /** Resolves when nothing is pending or running. */
  readonly idle: Workers['idle'];

  constructor(parts: JobsParts) {
    this.#parts = parts;
    const { database, clock, newId, log, background } = parts;
    const { concurrency = 4, mostPending = 10_000, keepDays = 0 } = parts;
    this.#mostPending = mostPending;
    this.#keepDays = keepDays;
    this.#settledNow = createSettledTime(clock);
    this.#store = new JobStore(database.dialect);
    this.#events = createJobEvents(parts.emit);
    this.#workers = new Workers({
      leases: createLeases({ database, store: this.#store, clock, owner: parts.owner ?? newId() }),
      runnerOf: (type) => this.#runners.get(type) ?? this.#otherwise,
      nextStart: () => this.#store.nextStart(database.read, clock.now()),
      events: this.#events,
      waitForSlot: background.waitForSlot,
      clock,
      log,
      concurrency,
      ...(parts.leaves && { leaves: parts.leaves }),
      isOnlyProcess: parts.isOnlyProcess ?? database.dialect === 'sqlite',
    });
    this.wake = this.#workers.wake;
    this.takeOver = this.#workers.takeOver;
    this.start = this.#workers.start;
    this.stop = this.#workers.stop;
    this.idle = this.#workers.idle;
  }

  /**
   * Throws `job_running` for a second scan of a busy library, and `job_type_unknown`, with the
   * known types, for a type without a runner. `alongside` writes what has to be stored with the
   * job or not at all.
   */
  readonly enqueue = (
    newJob: NewJob,
    viewer: Viewer = serverViewer,
    alongside?: (trx: Transaction) => Promise<void>,
  ): Promise<Job> =>
    this.#insert(newJob, viewer, { notBefore: 0, ...(alongside && { alongside }) });

  /**
   * The same for a person, who may have changed files a moment ago. A scan that runs may have
   * passed them, so the new one waits behind it; a scan with the same payload that waits is
   * answered. Throws `job_running` while one with another payload waits.
   */
  readonly request = (newJob: NewJob, viewer: Viewer): Promise<Job> =>
    this.#insert(newJob, viewer, { notBefore: 0, isBehind: true });

  /**
   * Creates a job that a client is about to request as well. It begins a second later. A request
   * for it before it has begun gets this job, which then begins at once, instead of `job_running`.
   */
  readonly anticipate = (newJob: NewJob, viewer: Viewer = serverViewer): Promise<Job> => {
    const payload = { ...newJob.payload, [anticipated]: true };
    return this.#insert({ ...newJob, payload }, viewer, {
      notBefore: this.#parts.clock.now() + anticipatedMs,
    });
  };

  async #insert(
    newJob: NewJob,
    viewer: Viewer,
    {
      notBefore,
      isBehind = false,
      alongside,
    }: {
      readonly notBefore: number;
      /** It may wait behind a job of its key that has begun. */
      readonly isBehind?: boolean;
      readonly alongside?: (trx: Transaction) => Promise<void>;
    },
  ): Promise<Job> {
    const { type, libraryId, payload, priority } = parseNewJob(newJob);
    this.#assertType(type);
    this.#refuseLibrary(type, libraryId);
    await this.#assertLibrary(libraryId, viewer);
    await this.#runners.get(type)?.checkPayload?.(payload, libraryId);
    const key = exclusionKey(type, libraryId);
    const row = { id: this.#parts.newId(), type, libraryId, payload, priority, exclusionKey: key };
    const job = await this.#parts.database.write(async (trx) => {
      const find = isBehind ? this.#store.findWaiting : this.#store.findActive;
      const other = key === null ? undefined : await find(trx, key);
      if (other && isMeant(other, payload, isBehind)) return this.#takenUp(trx, other);
      refuseIfBusy(other);
      if ((await this.#store.countPending(trx)) >= this.#mostPending) throw queueIsFull();
      await this.#store.insert(trx, {
        ...row,
        notBefore,
        createdAt: toTimestamp(this.#parts.clock.now()),
      });
      await alongside?.(trx);
      return found(await this.#store.find(trx, row.id), row.id).job;
    });
    if (job.id === row.id) this.#events.created(job);
    this.#workers.wake();
    return job;
  }

  async #takenUp(trx: Transaction, { job }: QueuedJob): Promise<Job> {
    await this.#store.update(trx, job.id, { statuses: ['pending'] }, { notBefore: 0 });
    return job;
  }

  #assertType(type: string): void {
    const served = this.#otherwise.types?.();
    if (served === undefined || this.#runners.has(type) || served.includes(type)) return;
    const right = [...new Set([...this.#runners.keys(), ...served])].sort().join(', ');
    throw new AppError('job_type_unknown', {
      what: `type: no plugin runs jobs of the type ${type}; the known types are ${right}.`,
    });
  }

  #refuseLibrary(type: string, libraryId: string | null): void {
    if (libraryId === null || this.#runners.get(type)?.isForServer !== true) return;
    throw new AppError('invalid_request', {
      what: `libraryId: a job of the type ${type} is for the whole server; leave libraryId out.`,
    });
  }

  async #assertLibrary(libraryId: string | null, viewer: Viewer): Promise<void> {
    if (libraryId === null) {
      if (isFullAdmin(viewer)) return;
      throw new AppError('forbidden', {
        what: 'A job for all libraries needs a credential that is not limited to some of them.',
      });
    }
    if (maySeeLibrary(viewer, libraryId) && (await this.#parts.libraryExists(libraryId))) return;
    throw new AppError('not_found', { what: `Library ${libraryId}` });
  }

  readonly list = async (viewer: Viewer, query: JobsQuery): Promise<JobsPage> => {
    const { libraryId, status: statuses, limit = 50, cursor } = query;
    const filter = { libraryId, libraryIds: libraryIdsOf(viewer) };
    const olderThan = cursor === undefined ? null : String(readCursor(cursor, 1)[0]);
    const page = { ...filter, statuses, olderThan, limit: limit + 1 };
    const aMinuteAgo = toTimestamp(this.#parts.clock.now() - 60_000);
    const { jobs, counts, completed } = await this.#store.list(
      this.#parts.database.read,
      page,
      aMinuteAgo,
    );
    const shown = jobs.slice(0, limit);
    const last = shown.at(-1);
    const nextCursor = jobs.length > limit && last ? writeCursor([last.id]) : null;
    return { jobs: shown, counts, completedLastMinute: completed, nextCursor };
  };

  readonly get = async (id: string, viewer: Viewer): Promise<Job> => {
    return visible(await this.#store.find(this.#parts.database.read, id), id, viewer).job;
  };

  /** A running job ends between two steps; until then its status is `running`. */
  readonly cancel = async (id: string, viewer: Viewer): Promise<Job> => {
    const job = await this.#parts.database.write(async (trx) => {
      const { job: before } = visible(await this.#store.find(trx, id), id, viewer);
      if (isOver(before.status)) throw wrongStatus(before, 'pending or running', 'cancelled');
      const completedAt = toTimestamp(this.#parts.clock.now());
      const change =
        before.status === 'pending'
          ? { status: 'cancelled' as const, completedAt }
          : { isCancelling: true };
      await this.#store.update(trx, id, { statuses: [before.status] }, change);
      return found(await this.#store.find(trx, id), id).job;
    });
    if (job.status === 'running') this.#workers.cancel(id);
    else this.#events.changed(job);
    return job;
  };

  /** Starts a failed job again. */
  readonly retry = async (id: string, viewer: Viewer): Promise<Job> => {
    const job = await this.#parts.database.write(async (trx) => {
      const { job: before } = visible(await this.#store.find(trx, id), id, viewer);
      if (!mayBecome(before.status, 'pending') || before.status === 'running') {
        throw wrongStatus(before, 'failed', 'retried');
      }
      const key = exclusionKey(before.type, before.libraryId);
      if (key !== null) refuseIfBusy(await this.#store.findActive(trx, key));
      await this.#store.update(trx, id, { statuses: [before.status] }, fromTheStart);
      return found(await this.#store.find(trx, id), id).job;
    });
    this.#events.changed(job);
    this.#workers.wake();
    return job;
  };

  /** Deletes finished jobs. */
  readonly remove = async (statuses: readonly JobStatus[], viewer: Viewer): Promise<void> => {
    const unfinished = statuses.find((status) => !isOver(status));
    if (unfinished !== undefined) {
      throw new AppError('invalid_request', {
        what: `query.status: jobs that are ${unfinished} cannot be removed; cancel them first.`,
      });
    }
    const filter = { libraryIds: libraryIdsOf(viewer), statuses };
    await this.#parts.database.write((trx) => this.#store.remove(trx, filter));
  };

  /** Deletes jobs that ended more than `keepDays` ago. */
  readonly tidy = async (): Promise<void> => {
    if (this.#keepDays === 0) return;
    const before = toTimestamp(this.#settledNow() - this.#keepDays * dayMs);
    for (;;) {
      const count = await this.#parts.database.write((trx) =>
        this.#store.removeEnded(trx, before, tidyPortion),
      );
      if (count < tidyPortion) return;
    }
  };

  /** Sets the runner of one type. */
  readonly register = (type: string, runner: JobRunner): Undo => {
    if (this.#runners.has(type)) throw new Error(`Two runners for jobs of type ${type}.`);
    this.#runners.set(type, runner);
    return () => void this.#runners.delete(type);
  };

  readonly counts = (): Promise<JobCounts> =>
    this.#store.count(this.#parts.database.read, { libraryIds: null });

  /** Whether the server itself runs jobs of this type. */
  readonly hasRunner = (type: string): boolean => this.#runners.has(type);

  /** Sets the runner of all other types. */
  readonly fallback = (runner: JobRunner): void => {
    this.#otherwise = runner;
  };

  /** Another server was asked to cancel these; `null` = any of them. */
  readonly onRemoteCancel = (ids: readonly string[] | null): void => {
    ids?.forEach(this.#workers.cancel);
  };
}

const dayMs = 86_400_000;
/** How many jobs one transaction deletes. */
const tidyPortion = 500;

/** A key in the payload of an anticipated job. */
const anticipated = 'anticipated';
const anticipatedMs = 1000;

/**
 * Whether the job does what is requested now. One that has begun may have passed the wanted part.
 */
const isMeant = (
  { job, checkpoint }: QueuedJob,
  payload: NewJob['payload'] = {},
  isSameEnough: boolean,
): boolean =>
  job.status === 'pending' &&
  checkpoint === null &&
  (job.payload[anticipated] === true || (isSameEnough && isDeepStrictEqual(job.payload, payload)));

/** A retry drops the checkpoint, which may be out of date. */
const fromTheStart = {
  status: 'pending',
  checkpoint: null,
  result: {},
  progress: 0,
  errorMessage: null,
  attempts: 0,
  interruptions: 0,
  notBefore: 0,
  startedAt: null,
  completedAt: null,
} as const;

const queueIsFull = (): KernelError =>
  new KernelError('overloaded', 'Too many jobs are pending already. Try again later.');

const noRunner: JobRunner = {
  step: async ({ type }) => {
    throw new AppError('not_found', { what: `A plugin that runs jobs of type ${type}` });
  },
};

function visible(queued: QueuedJob | undefined, id: string, viewer: Viewer): QueuedJob {
  const libraryId = queued?.job.libraryId ?? null;
  const maySee = libraryId === null ? isFullAdmin(viewer) : maySeeLibrary(viewer, libraryId);
  return found(maySee ? queued : undefined, id);
}

function found(queued: QueuedJob | undefined, id: string): QueuedJob {
  if (queued) return queued;
  throw new AppError('not_found', { what: `Job ${id}` });
}

function refuseIfBusy(active: QueuedJob | undefined): void {
  if (!active) return;
  const { id, type, status, libraryId } = active.job;
  const what = libraryId === null ? 'all libraries' : `library ${libraryId}`;
  throw new AppError('job_running', { jobId: id, type, status, what });
}

const wrongStatus = ({ id, status }: Job, wanted: string, verb: string): AppError =>
  new AppError('conflict', {
    what: `Job ${id} is ${status}; only one that is ${wanted} can be ${verb}.`,
  });
