import type { JobRunner } from '../../work/jobs/index.ts';
import type { Backups } from './backups.ts';

/**
 * Runs jobs of the type `backup`, in one step: makes a backup as the schedule does, and removes the
 * oldest scheduled ones above the limit.
 */
export function createBackupRunner({
  createScheduled,
}: Pick<Backups, 'createScheduled'>): JobRunner {
  return {
    isForServer: true,
    step: async () => {
      const { filename, sizeBytes } = await createScheduled();
      return { done: true, result: { filename, sizeBytes } };
    },
  };
}
