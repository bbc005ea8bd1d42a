import { describe, expect, test } from 'vitest';
import { KernelError } from '../../../kernel/index.ts';
import { AppError } from '../../platform/errors.ts';
import { createJobsService } from './index.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';

const caller = {
  pluginId: 'p',
  granted: { jobs: ['scan'] },
  reach: 'all' as const,
  viewer: null,
  signal: new AbortController().signal,
};

function enqueue(input: object, answer: () => Promise<Job>): Promise<unknown> {
  const method = createJobsService({ enqueue: answer }).methods['enqueue'];
  if (!method) throw new Error('There is no host.jobs.enqueue.');
  return method.run(input as never, caller);
}

describe('host.jobs.enqueue', () => {
  test('enqueues a job of a granted type', async () => {
    const answer = await enqueue({ type: 'scan' }, async () => ({ id: 'j' }) as Job);

    expect(answer).toEqual({ jobId: 'j' });
  });

  test('refuses a type that was not granted', async () => {
    await expect(enqueue({ type: 'backup' }, async () => ({ id: 'j' }) as Job)).rejects.toEqual(
      new KernelError('permission_denied', 'jobs of type backup'),
    );
  });

  test('refuses a second scan of a busy library with conflict', async () => {
    const busy = new AppError('job_running', {
      jobId: 'j',
      type: 'scan',
      what: 'x',
      status: 'running',
    });

    await expect(enqueue({ type: 'scan' }, () => Promise.reject(busy))).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});
