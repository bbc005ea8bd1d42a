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
import { createJobStore, type LeftLibraries, type QueuedJob } from './job-store.ts';
import { createLeases } from './leases.ts';
import { createWorkers } from './workers.ts';
import type { Job, JobStatus } from '../../contract/resources/library/catalogue.ts';
import type { JobsPage, JobsQuery, NewJob } from '../../contract/resources/operations/jobs.ts';

/** Background work: durable, leased, resumable. */
export type Jobs = ReturnType<typeof createJobs>;

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

/** Creates the queue; nothing runs before `start`. */
export function createJobs(parts: JobsParts) {
  const { database, clock, newId, log, background, libraryExists } = parts;
  const { concurrency = 4, mostPending = 10_000, keepDays = 0 } = parts;
  const settledNow = createSettledTime(clock);
  const store = createJobStore(database.dialect);
  const events = createJobEvents(parts.emit);
  const runners = new Map<string, JobRunner>();
  let otherwise: JobRunner = noRunner;
  const workers = createWorkers({
    leases: createLeases({ database, store, clock, owner: parts.owner ?? newId() }),
    runnerOf: (type) => runners.get(type) ?? otherwise,
    nextStart: () => store.nextStart(database.read, clock.now()),
    events,
    waitForSlot: background.waitForSlot,
    clock,
    log,
    concurrency,
    ...(parts.leaves && { leaves: parts.leaves }),
    isOnlyProcess: parts.isOnlyProcess ?? database.dialect === 'sqlite',
  });

  /**
   * Throws `job_running` for a second scan of a busy library, and `job_type_unknown`, with the
   * known types, for a type without a runner. `alongside` writes what has to be stored with the
   * job or not at all.
   */
  const enqueue = (
    newJob: NewJob,
    viewer: Viewer = serverViewer,
    alongside?: (trx: Transaction) => Promise<void>,
  ): Promise<Job> => insert(newJob, viewer, { notBefore: 0, ...(alongside && { alongside }) });

  /**
   * The same for a person, who may have changed files a moment ago. A scan that runs may have
   * passed them, so the new one waits behind it; a scan with the same payload that waits is
   * answered. Throws `job_running` while one with another payload waits.
   */
  const request = (newJob: NewJob, viewer: Viewer): Promise<Job> =>
    insert(newJob, viewer, { notBefore: 0, isBehind: true });

  /**
   * Creates a job that a client is about to request as well. It begins a second later. A request
   * for it before it has begun gets this job, which then begins at once, instead of `job_running`.
   */
  const anticipate = (newJob: NewJob, viewer: Viewer = serverViewer): Promise<Job> => {
    const payload = { ...newJob.payload, [anticipated]: true };
    return insert({ ...newJob, payload }, viewer, { notBefore: clock.now() + anticipatedMs });
  };

  async function insert(
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
    assertType(type);
    refuseLibrary(type, libraryId);
    await assertLibrary(libraryId, viewer);
    await runners.get(type)?.checkPayload?.(payload, libraryId);
    const key = exclusionKey(type, libraryId);
    const row = { id: newId(), type, libraryId, payload, priority, exclusionKey: key };
    const job = await database.write(async (trx) => {
      const find = isBehind ? store.findWaiting : store.findActive;
      const other = key === null ? undefined : await find(trx, key);
      if (other && isMeant(other, payload, isBehind)) return takenUp(trx, other);
      refuseIfBusy(other);
      if ((await store.countPending(trx)) >= mostPending) throw queueIsFull();
      await store.insert(trx, { ...row, notBefore, createdAt: toTimestamp(clock.now()) });
      await alongside?.(trx);
      return found(await store.find(trx, row.id), row.id).job;
    });
    if (job.id === row.id) events.created(job);
    workers.wake();
    return job;
  }

  async function takenUp(trx: Transaction, { job }: QueuedJob): Promise<Job> {
    await store.update(trx, job.id, { statuses: ['pending'] }, { notBefore: 0 });
    return job;
  }

  function assertType(type: string): void {
    const served = otherwise.types?.();
    if (served === undefined || runners.has(type) || served.includes(type)) return;
    const right = [...new Set([...runners.keys(), ...served])].sort().join(', ');
    throw new AppError('job_type_unknown', {
      what: `type: no plugin runs jobs of the type ${type}; the known types are ${right}.`,
    });
  }

  function refuseLibrary(type: string, libraryId: string | null): void {
    if (libraryId === null || runners.get(type)?.isForServer !== true) return;
    throw new AppError('invalid_request', {
      what: `libraryId: a job of the type ${type} is for the whole server; leave libraryId out.`,
    });
  }

  async function assertLibrary(libraryId: string | null, viewer: Viewer): Promise<void> {
    if (libraryId === null) {
      if (isFullAdmin(viewer)) return;
      throw new AppError('forbidden', {
        what: 'A job for all libraries needs a credential that is not limited to some of them.',
      });
    }
    if (maySeeLibrary(viewer, libraryId) && (await libraryExists(libraryId))) return;
    throw new AppError('not_found', { what: `Library ${libraryId}` });
  }

  async function list(viewer: Viewer, query: JobsQuery): Promise<JobsPage> {
    const { libraryId, status: statuses, limit = 50, cursor } = query;
    const filter = { libraryId, libraryIds: libraryIdsOf(viewer) };
    const olderThan = cursor === undefined ? null : String(readCursor(cursor, 1)[0]);
    const page = { ...filter, statuses, olderThan, limit: limit + 1 };
    const aMinuteAgo = toTimestamp(clock.now() - 60_000);
    const { jobs, counts, completed } = await store.list(database.read, page, aMinuteAgo);
    const shown = jobs.slice(0, limit);
    const last = shown.at(-1);
    const nextCursor = jobs.length > limit && last ? writeCursor([last.id]) : null;
    return { jobs: shown, counts, completedLastMinute: completed, nextCursor };
  }

  async function get(id: string, viewer: Viewer): Promise<Job> {
    return visible(await store.find(database.read, id), id, viewer).job;
  }

  /** A running job ends between two steps; until then its status is `running`. */
  async function cancel(id: string, viewer: Viewer): Promise<Job> {
    const job = await database.write(async (trx) => {
      const { job: before } = visible(await store.find(trx, id), id, viewer);
      if (isOver(before.status)) throw wrongStatus(before, 'pending or running', 'cancelled');
      const completedAt = toTimestamp(clock.now());
      const change =
        before.status === 'pending'
          ? { status: 'cancelled' as const, completedAt }
          : { isCancelling: true };
      await store.update(trx, id, { statuses: [before.status] }, change);
      return found(await store.find(trx, id), id).job;
    });
    if (job.status === 'running') workers.cancel(id);
    else events.changed(job);
    return job;
  }

  /** Starts a failed job again. */
  async function retry(id: string, viewer: Viewer): Promise<Job> {
    const job = await database.write(async (trx) => {
      const { job: before } = visible(await store.find(trx, id), id, viewer);
      if (!mayBecome(before.status, 'pending') || before.status === 'running') {
        throw wrongStatus(before, 'failed', 'retried');
      }
      const key = exclusionKey(before.type, before.libraryId);
      if (key !== null) refuseIfBusy(await store.findActive(trx, key));
      await store.update(trx, id, { statuses: [before.status] }, fromTheStart);
      return found(await store.find(trx, id), id).job;
    });
    events.changed(job);
    workers.wake();
    return job;
  }

  /** Deletes finished jobs. */
  async function remove(statuses: readonly JobStatus[], viewer: Viewer): Promise<void> {
    const unfinished = statuses.find((status) => !isOver(status));
    if (unfinished !== undefined) {
      throw new AppError('invalid_request', {
        what: `query.status: jobs that are ${unfinished} cannot be removed; cancel them first.`,
      });
    }
    const filter = { libraryIds: libraryIdsOf(viewer), statuses };
    await database.write((trx) => store.remove(trx, filter));
  }

  /** Deletes jobs that ended more than `keepDays` ago. */
  async function tidy(): Promise<void> {
    if (keepDays === 0) return;
    const before = toTimestamp(settledNow() - keepDays * dayMs);
    for (;;) {
      const count = await database.write((trx) => store.removeEnded(trx, before, tidyPortion));
      if (count < tidyPortion) return;
    }
  }

  /** Sets the runner of one type. */
  function register(type: string, runner: JobRunner): Undo {
    if (runners.has(type)) throw new Error(`Two runners for jobs of type ${type}.`);
    runners.set(type, runner);
    return () => void runners.delete(type);
  }

  return {
    enqueue,
    request,
    anticipate,
    list,
    get,
    cancel,
    retry,
    remove,
    tidy,
    counts: (): Promise<JobCounts> => store.count(database.read, { libraryIds: null }),
    register,
    /** Whether the server itself runs jobs of this type. */
    hasRunner: (type: string): boolean => runners.has(type),
    /** Sets the runner of all other types. */
    fallback: (runner: JobRunner): void => {
      otherwise = runner;
    },
    /** Another server added jobs to the queue. */
    wake: workers.wake,
    /** Another server was asked to cancel these; `null` = any of them. */
    onRemoteCancel: (ids: readonly string[] | null): void => {
      ids?.forEach(workers.cancel);
    },
    /** Takes over the jobs of a server that has ended, before their leases end. */
    takeOver: workers.takeOver,
    start: workers.start,
    stop: workers.stop,
    /** Resolves when nothing is pending or running. */
    idle: workers.idle,
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
