import { describe, expect, test } from 'vitest';
import { AppError } from '../../platform/errors.ts';
import { createEveryLibraryRunner, type JobRunner } from './index.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';
import type { NewJob } from '../../contract/resources/operations/jobs.ts';

const runner: JobRunner = { step: async () => ({ done: true, result: { scanned: 1 } }) };
const job = (libraryId: string | null): Job => ({
  id: 'j',
  type: 'scan',
  libraryId,
  pluginId: null,
  status: 'running',
  priority: 60,
  payload: {},
  result: {},
  progress: 0,
  errorMessage: null,
  createdAt: '',
  startedAt: '',
  completedAt: null,
});

describe('a scan without a library', () => {
  test('becomes one scan with its payload for each library without one that waits with another payload', async () => {
    const enqueued: NewJob[] = [];
    const jobs = {
      request: async (newJob: NewJob) => {
        if (newJob.libraryId === 'busy') {
          throw new AppError('job_running', {
            jobId: 'x',
            type: 'scan',
            what: '',
            status: 'pending',
          });
        }
        enqueued.push(newJob);
        return { ...job(newJob.libraryId ?? null), id: `scan-of-${newJob.libraryId ?? ''}` };
      },
    };
    const all = createEveryLibraryRunner({
      runner,
      jobs,
      libraryIds: async () => ['films', 'busy', 'series'],
    });

    const payload = { media: 'keep' };
    const result = await all.step({ ...job(null), payload }, null, new AbortController().signal);

    expect(result).toEqual({
      done: true,
      result: { jobIds: ['scan-of-films', 'scan-of-series'], busyLibraryIds: ['busy'] },
    });
    expect(enqueued).toEqual([
      { type: 'scan', libraryId: 'films', priority: 60, payload },
      { type: 'scan', libraryId: 'series', priority: 60, payload },
    ]);
  });

  test('leaves a scan of one library to the runner of scans', async () => {
    const jobs = { request: async () => job(null) };
    const all = createEveryLibraryRunner({ runner, jobs, libraryIds: async () => [] });

    const result = await all.step(job('films'), null, new AbortController().signal);

    expect(result).toEqual({ done: true, result: { scanned: 1 } });
  });
});
