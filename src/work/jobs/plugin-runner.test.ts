import { describe, expect, test } from 'vitest';
import type { JobRunInput } from '../../../plugin-api/index.ts';
import { createPluginRunner } from './index.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';

const job: Job = {
  id: 'j',
  type: 'count',
  libraryId: 'films',
  pluginId: 'counter',
  status: 'running',
  priority: 50,
  payload: { to: 3, checkpoint: 2 },
  result: {},
  progress: 0,
  errorMessage: null,
  createdAt: '',
  startedAt: '',
  completedAt: null,
};
const { signal } = new AbortController();

describe('a job that a plugin runs', () => {
  test('calls it step by step: with the payload, the checkpoint, 60 seconds', async () => {
    const calls: { readonly input: JobRunInput; readonly timeoutMs: number }[] = [];
    const runner = createPluginRunner({
      jobRunner: (type) => (type === 'count' ? 'counter' : undefined),
      call: async (_pluginId, _method, input, { timeoutMs }) => {
        calls.push({ input, timeoutMs });
        return { done: false, checkpoint: 3, progress: 0.5 };
      },
    });

    const result = await runner.step(job, 2, signal);

    expect(runner.pluginFor?.('count', null)).toBe('counter');
    expect(result).toEqual({ done: false, checkpoint: 3, progress: 0.5 });
    expect(calls).toEqual([
      {
        input: { jobId: 'j', type: 'count', libraryId: 'films', payload: { to: 3 }, checkpoint: 2 },
        timeoutMs: 60_000,
      },
    ]);
  });

  test('is retried later while no plugin runs its type', async () => {
    const runner = createPluginRunner({ jobRunner: () => undefined, call: async () => null });

    await expect(runner.step(job, null, signal)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'No running plugin runs jobs of type count.',
    });
  });

  test.each([
    [null, 'it is not an object'],
    ['done', 'it is not an object'],
    [{}, '`done` is neither true nor false'],
    [{ done: false, progress: 0.5 }, '`checkpoint` is missing'],
    [{ done: false, checkpoint: 1, progress: 2 }, '`progress` is not a number from 0 to 1'],
    [
      { done: false, checkpoint: 1, progress: Number.NaN },
      '`progress` is not a number from 0 to 1',
    ],
    [
      { done: false, checkpoint: 'x'.repeat(300_000), progress: 0 },
      '`checkpoint` is 300002 characters',
    ],
    [{ done: true, result: [1] }, '`result` is not an object'],
    [{ done: true, result: { x: 'x'.repeat(300_000) } }, '`result` is 300008 characters'],
  ])('fails when the plugin answers %.60j', async (answer, message) => {
    const runner = createPluginRunner({ jobRunner: () => 'counter', call: async () => answer });

    await expect(runner.step(job, null, signal)).rejects.toThrow(message);
  });
});
