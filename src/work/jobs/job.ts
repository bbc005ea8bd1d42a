import type { JobEventData } from '../../../plugin-api/index.ts';
import { AppError } from '../../platform/errors.ts';
import { type Job, type JobStatus } from '../../contract/resources/library/catalogue.ts';
import type { NewJob } from '../../contract/resources/operations/jobs.ts';

/** The number of jobs by status. */
export type JobCounts = Readonly<Record<JobStatus, number>>;

/** The only allowed transitions. */
const transitions: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  pending: ['running', 'cancelled'],
  running: ['completed', 'failed', 'cancelled', 'pending'],
  completed: [],
  failed: ['pending'],
  cancelled: [],
};

/** Whether a job may go from one status to another. */
export const mayBecome = (from: JobStatus, to: JobStatus): boolean =>
  transitions[from].includes(to);

/** Whether the job is finished; only a retry starts it again. */
export const isOver = (status: JobStatus): boolean => status !== 'pending' && status !== 'running';

/** A library, or the server, runs at most one job of each of these types. */
const exclusiveTypes: ReadonlySet<string> = new Set(['scan', 'probe', 'reindex', 'backup']);

/** Jobs with the same key never run at the same time; `null` = no such rule. */
export const exclusionKey = (type: string, libraryId: string | null): string | null =>
  exclusiveTypes.has(type) ? `${type}:${libraryId ?? '*'}` : null;

/** `data` of the events about a job. */
export const jobEventData = (job: Job): JobEventData => ({
  jobId: job.id,
  type: job.type,
  libraryId: job.libraryId,
  status: job.status,
  progress: job.progress,
  errorMessage: job.errorMessage,
});

const longestType = 129;
const typePattern = /^((@[a-z0-9-]+\/)?[a-z0-9][a-z0-9-]*\.)?[a-z][a-z0-9-]*$/;

/** The parts of a new job with their defaults, or a refusal that names the field. */
export function parseNewJob({ type, libraryId, payload = {}, priority = 50 }: NewJob): {
  readonly type: string;
  readonly libraryId: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly priority: number;
} {
  if (!typePattern.test(type) || type.length > longestType) {
    throw refusal(
      `type must be lowercase letters, digits and -, such as scan, or with the id of a plugin before it, such as steward.duplicates; at most ${longestType} characters.`,
    );
  }
  if (libraryId === '') throw refusal('libraryId must not be empty.');
  if (!Number.isInteger(priority) || priority < 0 || priority > 100) {
    throw refusal('priority must be a whole number from 0 to 100.');
  }
  if ('checkpoint' in payload) throw refusal('payload.checkpoint is reserved for the server.');
  return { type, libraryId: libraryId ?? null, payload, priority };
}

const refusal = (what: string): AppError => new AppError('invalid_request', { what });
