import { hostService, KernelError, type HostService } from '../../../kernel/index.ts';
import type { Permissions } from '../../../plugin-api/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { Jobs } from './jobs.ts';

/** `host.jobs`: plugins enqueue jobs of the types that they were granted. */
export const createJobsService = (jobs: Pick<Jobs, 'enqueue'>): HostService<'jobs'> =>
  hostService('jobs', {
    enqueue: {
      subject: ({ type }) => type,
      run: async (input, { granted, pluginId }) => {
        if (!mayEnqueue(input.type, pluginId, granted)) {
          throw new KernelError('permission_denied', `jobs of type ${input.type}`);
        }
        const { id } = await jobs.enqueue(input).catch(toKernelError);
        return { jobId: id };
      },
    },
  });

/** Types of its own that it runs, and types of others that it was granted. */
function mayEnqueue(type: string, pluginId: string, { jobs, serves }: Permissions): boolean {
  if (jobs?.includes(type) === true) return true;
  return type.startsWith(`${pluginId}.`) && serves?.includes(`job:${type}`) === true;
}

/** Plugins receive the codes of the kernel. */
function toKernelError(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  const code = error.code === 'job_running' ? 'conflict' : 'invalid_argument';
  throw new KernelError(code, error.message, { cause: error });
}
