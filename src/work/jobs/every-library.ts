import { serverViewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRunner } from './job-runner.ts';
import type { Jobs } from './jobs.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';

/** What the runner needs. */
export interface EveryLibraryParts {
  /** Runs the job for one library. */
  readonly runner: JobRunner;
  readonly jobs: Pick<Jobs, 'request'>;
  readonly libraryIds: () => Promise<readonly string[]>;
}

/**
 * Splits a job without a library into one job with its payload for each library. One that runs for
 * a library may have passed what is wanted, so the new one waits behind it; a library is skipped only while one with
 * another payload waits there. It is safe to repeat: a job of it that waits is found again.
 */
export function createEveryLibraryRunner(parts: EveryLibraryParts): JobRunner {
  const { runner, jobs, libraryIds } = parts;

  async function fanOut({ type, priority, payload }: Job) {
    const jobIds: string[] = [];
    const busyLibraryIds: string[] = [];
    for (const libraryId of await libraryIds()) {
      try {
        jobIds.push((await jobs.request({ type, libraryId, priority, payload }, serverViewer)).id);
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
