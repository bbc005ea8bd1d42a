import type { Knex } from 'knex';
import type { Database } from '../../../kernel/store/index.ts';
import type { JobCounts } from './job.ts';
import { isOver } from './job.ts';
import {
  jobStatuses,
  type Job,
  type JobStatus,
} from '../../contract/resources/library/catalogue.ts';

export interface QueuedJob {
  readonly job: Job;
  /** What the last step returned; `null` before the first. */
  readonly checkpoint: unknown;
  /** Failures since the last checkpoint. */
  readonly attempts: number;
  /** How often the process ended during the job, since the last checkpoint. */
  readonly interruptions: number;
  /** Its cancellation was requested while it runs. */
  readonly isCancelling: boolean;
  readonly leaseOwner: string | null;
}

/** The owner of a job, and until when. */
export interface Lease {
  readonly owner: string;
  /** Unix milliseconds. */
  readonly until: number;
}

/** The changes of a job; an absent key stays. */
export interface JobChange {
  readonly status?: JobStatus;
  readonly pluginId?: string | null;
  readonly checkpoint?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly progress?: number;
  readonly errorMessage?: string | null;
  readonly attempts?: number;
  readonly interruptions?: number;
  readonly isCancelling?: boolean;
  readonly lease?: Lease | null;
  readonly notBefore?: number;
  readonly startedAt?: string | null;
  readonly completedAt?: string | null;
}

/** A new row. */
export interface JobInsert {
  readonly id: string;
  readonly type: string;
  readonly libraryId: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly priority: number;
  readonly exclusionKey: string | null;
  /** Unix milliseconds. */
  readonly notBefore: number;
  readonly createdAt: string;
}

/** Which jobs to select. */
export interface JobFilter {
  readonly libraryId?: string | undefined;
  /** Only jobs of these libraries; `null` = all jobs. */
  readonly libraryIds: readonly string[] | null;
  readonly statuses?: readonly JobStatus[] | undefined;
}

/** The position of a page. */
export interface JobPage extends JobFilter {
  /** Only jobs older than the one with this id. */
  readonly olderThan: string | null;
  readonly limit: number;
}

/** A page of jobs, and the counts of all jobs that the filter selects, of any status. */
export interface JobsRead {
  readonly jobs: readonly Job[];
  readonly counts: JobCounts;
  /** How many completed since the requested time. */
  readonly completed: number;
}

/** The condition of an update, besides the id. */
export interface JobGuard {
  readonly statuses: readonly JobStatus[];
  readonly leaseOwner?: string;
}

/** Libraries whose jobs this server leaves to others. */
export type LeftLibraries = 'all' | readonly string[];

interface JobRow {
  readonly id: string;
  readonly type: string;
  readonly library_id: string | null;
  readonly plugin_id: string | null;
  readonly status: JobStatus;
  readonly priority: number;
  readonly payload: string;
  readonly checkpoint: string | null;
  readonly result: string | null;
  readonly progress: number;
  readonly error_message: string | null;
  readonly attempts: number;
  readonly interruptions: number;
  readonly is_cancelling: boolean | number;
  readonly lease_owner: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
}

/** The longest pause before a retry. A longer one means that the clock was set back. */
const longestPauseMs = 60_000;

/** The table `jobs`. Every method takes the transaction or the reader to use. */
export class JobStore {
  readonly #parts: Database['dialect'];

  constructor(dialect: Database['dialect']) {
    this.#parts = dialect;
  }

  readonly insert = async (trx: Knex, row: JobInsert): Promise<void> => {
    await jobs(trx).insert(toInsert(row));
  };

  readonly find = async (trx: Knex, id: string): Promise<QueuedJob | undefined> =>
    optional(await jobs(trx).where({ id }).first());

  /** Pending or running, with this key. */
  readonly findActive = async (trx: Knex, key: string): Promise<QueuedJob | undefined> =>
    optional(
      await jobs(trx).where('exclusion_key', key).whereIn('status', ['pending', 'running']).first(),
    );

  /** Pending, with this key, and not begun by an earlier run. */
  readonly findWaiting = async (trx: Knex, key: string): Promise<QueuedJob | undefined> =>
    optional(
      await jobs(trx)
        .where('exclusion_key', key)
        .where('status', 'pending')
        .whereNull('checkpoint')
        .first(),
    );

  /**
   * The next job that may start, behind those of its key that run, and none of the libraries that
   * this server must leave to others. On PostgreSQL it is locked until the transaction ends.
   */
  readonly next = async (
    trx: Knex,
    nowMs: number,
    without: LeftLibraries = [],
  ): Promise<QueuedJob | undefined> => {
    const query = startable(trx)
      .where((one) => {
        void one
          .where('not_before', '<=', nowMs)
          .orWhere('not_before', '>', nowMs + longestPauseMs);
      })
      .orderBy([{ column: 'priority', order: 'desc' }, { column: 'id' }])
      .first();
    if (without === 'all') void query.whereNull('library_id');
    else if (without.length > 0)
      void query.where((one) => {
        void one.whereNull('library_id').orWhereNotIn('library_id', [...without]);
      });
    if (this.#parts === 'postgres') void query.forUpdate().skipLocked();
    return optional(await query);
  };

  /** When the next pending job may start: Unix milliseconds; `null` = none is pending. */
  readonly nextStart = async (trx: Knex, nowMs: number): Promise<number | null> => {
    const row: unknown = await startable(trx).min('not_before as at').first();
    const at = numberIn(row, 'at');
    return at !== null && at > nowMs + longestPauseMs ? nowMs : at;
  };

  /** Running jobs whose lease ended before this time, except those that are known to be alive. */
  readonly listAbandoned = async (
    trx: Knex,
    beforeMs: number,
    exceptIds: readonly string[],
  ): Promise<readonly QueuedJob[]> => {
    const rows = await jobs(trx)
      .where('status', 'running')
      .where('lease_until', '<', beforeMs)
      .whereNotIn('id', exceptIds);
    return rows.map(toQueuedJob);
  };

  /** Returns whether the job matched. */
  readonly update = async (
    trx: Knex,
    id: string,
    { statuses, leaseOwner }: JobGuard,
    change: JobChange,
  ): Promise<boolean> => {
    const query = jobs(trx).where({ id }).whereIn('status', statuses);
    if (leaseOwner !== undefined) void query.where('lease_owner', leaseOwner);
    return (await query.update(toColumns(change))) > 0;
  };

  /** One statement, so that the page and the counts are of the same moment. */
  readonly list = async (
    trx: Knex,
    { olderThan, limit, statuses, ...filter }: JobPage,
    completedSince: string,
  ): Promise<JobsRead> => {
    const page = filtered(trx, { ...filter, statuses })
      .orderBy('id', 'desc')
      .limit(limit);
    if (olderThan !== null) void page.where('id', '<', olderThan);
    const completed = filtered(trx, { ...filter, statuses: ['completed'] })
      .where('completed_at', '>', completedSince)
      .count();
    // The counts are always one row. Without jobs on the page its other columns are null.
    const rows: readonly (JobRow | Readonly<Record<keyof JobRow, null>>)[] = await trx
      .select('*')
      .from(counted(trx, filter).select({ completed_since: completed }).as('counted'))
      .leftJoin(page.as('page'), trx.raw('true'))
      .orderBy('page.id', 'desc');
    return {
      jobs: rows.flatMap((row) => (row.id === null ? [] : [toJob(row)])),
      counts: toCounts(rows[0]),
      completed: numberIn(rows[0], 'completed_since') ?? 0,
    };
  };

  readonly count = async (trx: Knex, filter: JobFilter): Promise<JobCounts> =>
    toCounts(await counted(trx, filter).first());

  readonly countPending = async (trx: Knex): Promise<number> => {
    const row: unknown = await trx('jobs').where('status', 'pending').count('* as count').first();
    return numberIn(row, 'count') ?? 0;
  };

  readonly remove = async (trx: Knex, filter: JobFilter): Promise<void> => {
    await filtered(trx, filter).delete();
  };

  /** Removes at most this many jobs that ended before; returns their number. */
  readonly removeEnded = async (trx: Knex, before: string, limit: number): Promise<number> => {
    const ended = jobs(trx)
      .whereIn('status', jobStatuses.filter(isOver))
      .where('completed_at', '<', before)
      .limit(limit)
      .select('id');
    return jobs(trx).whereIn('id', ended).delete();
  };
}

const jobs = (trx: Knex) => trx<JobRow>('jobs');

const filtered = (trx: Knex, filter: JobFilter) => {
  const query = jobs(trx);
  if (filter.libraryId !== undefined) void query.where('library_id', filter.libraryId);
  if (filter.libraryIds !== null) void query.whereIn('library_id', filter.libraryIds);
  if (filter.statuses !== undefined) void query.whereIn('status', filter.statuses);
  return query;
};

/** One row with a count for each status. */
const counted = (trx: Knex, filter: JobFilter) =>
  filtered(trx, filter).select(
    jobStatuses.map((status) =>
      trx.raw('count(case when status = ? then 1 end) as ??', [status, countOf(status)]),
    ),
  );

/** Pending, while no job of the same key runs. */
const startable = (trx: Knex) =>
  jobs(trx)
    .where('status', 'pending')
    .whereNotExists(
      trx('jobs as running')
        .select(trx.raw('1'))
        .where('running.status', 'running')
        .where('running.exclusion_key', trx.ref('jobs.exclusion_key')),
    );

function toInsert(row: JobInsert) {
  return {
    id: row.id,
    type: row.type,
    library_id: row.libraryId,
    status: 'pending' as const,
    priority: row.priority,
    payload: JSON.stringify(row.payload),
    progress: 0,
    attempts: 0,
    interruptions: 0,
    is_cancelling: false,
    exclusion_key: row.exclusionKey,
    not_before: row.notBefore,
    created_at: row.createdAt,
  };
}

function toColumns({ lease, checkpoint, result, ...change }: JobChange): Record<string, unknown> {
  const columns = {
    status: change.status,
    plugin_id: change.pluginId,
    progress: change.progress,
    error_message: change.errorMessage,
    attempts: change.attempts,
    interruptions: change.interruptions,
    is_cancelling: change.isCancelling,
    not_before: change.notBefore,
    started_at: change.startedAt,
    completed_at: change.completedAt,
    ...(checkpoint !== undefined && { checkpoint: JSON.stringify(checkpoint) }),
    ...(result !== undefined && { result: JSON.stringify(result) }),
    ...(lease !== undefined && {
      lease_owner: lease?.owner ?? null,
      lease_until: lease?.until ?? null,
    }),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

const optional = (row: JobRow | undefined): QueuedJob | undefined => row && toQueuedJob(row);

function toQueuedJob(row: JobRow): QueuedJob {
  return {
    job: toJob(row),
    checkpoint: parsed(row.checkpoint),
    attempts: row.attempts,
    interruptions: row.interruptions,
    isCancelling: Boolean(row.is_cancelling),
    leaseOwner: row.lease_owner,
  };
}

function toJob(row: JobRow): Job {
  const checkpoint = parsed(row.checkpoint);
  return {
    id: row.id,
    type: row.type,
    libraryId: row.library_id,
    pluginId: row.plugin_id,
    status: row.status,
    priority: row.priority,
    payload: {
      ...asMap(parsed(row.payload)),
      ...(checkpoint !== null && !isOver(row.status) && { checkpoint }),
    },
    result: asMap(parsed(row.result)),
    progress: row.progress,
    errorMessage: row.error_message,
    createdAt: row.created_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
  };
}

const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

const asMap = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const countOf = (status: JobStatus): string => `${status}_jobs`;

function toCounts(row: unknown): JobCounts {
  const counts = jobStatuses.map(
    (status) => [status, numberIn(row, countOf(status)) ?? 0] as const,
  );
  return Object.fromEntries(counts) as Record<JobStatus, number>;
}

/** PostgreSQL gives counts and 64-bit numbers as text. */
function numberIn(row: unknown, column: string): number | null {
  const value = asMap(row)[column];
  return value === null || value === undefined ? null : Number(value);
}
