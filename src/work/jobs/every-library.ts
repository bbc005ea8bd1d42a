import { serverViewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { Job } from './job.ts';
import type { JobRunner } from './job-runner.ts';
import type { Jobs } from './jobs.ts';

/** What the runner needs. */
export interface EveryLibraryParts {
  /** Runs the job for one library. */
  readonly runner: JobRunner;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly libraryIds: () => Promise<readonly string[]>;
}

/**
 * Splits a job without a library into one job with its payload for each library. It skips libraries that have an
 * active job of this type. It is safe to repeat, since the jobs that it enqueued are active then.
 */
export function createEveryLibraryRunner(parts: EveryLibraryParts): JobRunner {
  const { runner, jobs, libraryIds } = parts;

  async function fanOut({ type, priority, payload }: Job) {
    const jobIds: string[] = [];
    const busyLibraryIds: string[] = [];
    for (const libraryId of await libraryIds()) {
      try {
        jobIds.push((await jobs.enqueue({ type, libraryId, priority, payload }, serverViewer)).id);
      } catch (error) {
        const code = codeOf(error);
        if (code === 'job_running') busyLibraryIds.push(libraryId);
        else if (code !== 'not_found') throw error;
      }
    }
    return { jobIds, busyLibraryIds };
  }

  return {
    ...runner,
    step: async (job, checkpoint, signal) =>
      job.libraryId === null
        ? { done: true, result: await fanOut(job) }
        : runner.step(job, checkpoint, signal),
    ended: async (job) => {
      if (job.libraryId !== null) await runner.ended?.(job);
    },
  };
}

/** A library may be removed while the others are enqueued. */
const codeOf = (error: unknown): string | null =>
  error instanceof AppError ? String(error.code) : null;
