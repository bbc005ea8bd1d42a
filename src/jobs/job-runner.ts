import type { JobRunResult } from '../../plugin-api/index.ts';
import type { Job } from './job.ts';

/** Does the work of one type of jobs. */
export interface JobRunner {
  /** The types that it does the work of; of all others nobody does. Any type when absent. */
  readonly types?: () => readonly string[];
  /** The plugin that does it, where one does. */
  readonly pluginFor?: (type: string, libraryId: string | null) => string | undefined;
  /**
   * One step. The checkpoint is what the last step gave (`null` before the first); it is stored
   * before the next step, which may run in another process after a crash, so a step must be safe to
   * repeat. The signal says that the job is cancelled or the server stops: a long step ends early.
   * A throw is one failed attempt of three; what is final (not found, not permitted, not valid)
   * fails the job at once.
   */
  readonly step: (job: Job, checkpoint: unknown, signal: AbortSignal) => Promise<JobRunResult>;
  /** After the job completed, failed or was cancelled. */
  readonly ended?: (job: Job) => Promise<void>;
}
