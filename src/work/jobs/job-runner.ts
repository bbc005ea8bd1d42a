import type { JobRunResult } from '../../../plugin-api/index.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';

/** Runs jobs of some types. */
export interface JobRunner {
  /** The types that it runs; jobs of other types have no runner. Any type when absent. */
  readonly types?: () => readonly string[];
  /** Its jobs are for the whole server: one with a library is refused. */
  readonly isForServer?: boolean;
  /**
   * Refuses the payload of a new job that no step can use, with `invalid_request`, before it is stored.
   * The library exists; without one, the job is for all of them.
   */
  readonly checkPayload?: (
    payload: Job['payload'],
    libraryId: string | null,
  ) => void | Promise<void>;
  /** The plugin that runs the job, if a plugin does. */
  readonly pluginFor?: (type: string, libraryId: string | null) => string | undefined;
  /**
   * Runs one step. The checkpoint is the one that the last step returned (`null` before the first).
   * It is stored before the next step, which may run in another process after a crash, so a step
   * must be safe to repeat. The signal says that the job is cancelled or the server stops: a long
   * step should end early. An error counts as one failed attempt of three; a permanent error (not
   * found, not permitted, not valid) fails the job at once.
   */
  readonly step: (job: Job, checkpoint: unknown, signal: AbortSignal) => Promise<JobRunResult>;
  /** Called after the job completed, failed or was cancelled. */
  readonly ended?: (job: Job) => Promise<void>;
}
