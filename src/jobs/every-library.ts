import { serverViewer } from '../accounts/index.ts';
import { AppError } from '../errors.ts';
import type { JobRunner } from './job-runner.ts';
import type { Jobs } from './jobs.ts';

/** What the runner needs. */
export interface EveryLibraryParts {
  /** Does the work for one library. */
  readonly runner: JobRunner;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly libraryIds: () => Promise<readonly string[]>;
}

/**
 * A job that names no library is one job for each: it enqueues them, leaves out libraries that are
 * busy with such a job already, and is done. Safe to repeat, since what it enqueued is busy then.
 */
export function createEveryLibraryRunner(parts: EveryLibraryParts): JobRunner {
  const { runner, jobs, libraryIds } = parts;

  async function fanOut(type: string, priority: number) {
    const jobIds: string[] = [];
    const busyLibraryIds: string[] = [];
    for (const libraryId of await libraryIds()) {
      try {
        jobIds.push((await jobs.enqueue({ type, libraryId, priority }, serverViewer)).id);
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
        ? { done: true, result: await fanOut(job.type, job.priority) }
        : runner.step(job, checkpoint, signal),
    ended: async (job) => {
      if (job.libraryId !== null) await runner.ended?.(job);
    },
  };
}

/** A library may also be removed while the others are enqueued. */
const codeOf = (error: unknown): string | null =>
  error instanceof AppError ? String(error.code) : null;
