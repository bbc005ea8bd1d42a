import type { JobRunInput } from '../../../plugin-api/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRunner } from './job-runner.ts';
import { parseStepResult } from './step-result.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';

/** What the runner needs of the kernel. */
export interface PluginRunnerParts {
  /** The running plugin that was granted jobs of this type, in the given library. */
  readonly jobRunner: (type: string, libraryId?: string | null) => string | undefined;
  /** The types that enabled plugins run; any when absent. */
  readonly jobTypes?: () => readonly string[];
  /** Calls `job.run`; rejects when the plugin throws, crashes or takes too long. */
  readonly call: (
    pluginId: string,
    method: 'job.run',
    input: JobRunInput,
    options: { readonly timeoutMs: number },
  ) => Promise<unknown>;
}

const stepTimeoutMs = 60_000;

/** Runs jobs through the plugin that provides their type. */
export function createPluginRunner({ jobRunner, jobTypes, call }: PluginRunnerParts): JobRunner {
  return {
    ...(jobTypes && { types: jobTypes }),
    pluginFor: jobRunner,
    step: async (job, checkpoint) => {
      const pluginId = jobRunner(job.type, job.libraryId);
      if (pluginId === undefined) {
        const what = `No running plugin runs jobs of type ${job.type}.`;
        throw new AppError('unavailable', { what });
      }
      const input = inputOf(job, checkpoint);
      return parseStepResult(await call(pluginId, 'job.run', input, { timeoutMs: stepTimeoutMs }));
    },
  };
}

function inputOf(job: Job, checkpoint: unknown): JobRunInput {
  const { id: jobId, type, libraryId } = job;
  const given = Object.entries(job.payload).filter(([key]) => key !== 'checkpoint');
  return { jobId, type, libraryId, payload: Object.fromEntries(given), checkpoint };
}
