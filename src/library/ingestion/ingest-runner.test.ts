import { expect, test } from 'vitest';
import type { Ingests } from '../catalogue/commit/index.ts';
import type { LibraryRow } from '../catalogue/index.ts';
import { createIngestRunner } from './ingest-runner.ts';

const { signal } = new AbortController();
const job = { id: 'job', type: 'probe', libraryId: 'films', payload: {}, progress: 0 } as never;

test('the first step is short, so that a server that is stopped soon after each start makes progress', async () => {
  let now = 0;
  let waiting = 10_000;
  const ingests = {
    library: async () => ({ no: 1, id: 'films' }) as LibraryRow,
    count: async () => ({ pending: waiting, failed: 0, total: waiting }),
    pending: async (_library, { after, limit }) =>
      Array.from({ length: limit }, (_, at) => after + at + 1),
  } as Partial<Ingests> as Ingests;
  const runner = () =>
    createIngestRunner({
      ingests,
      ingest: async (_library, numbers) => {
        now += 100;
        waiting -= numbers.length;
        return { settled: numbers.length, failed: 0, enriched: 0, isAway: false };
      },
      background: { batchSize: async (wanted) => wanted },
      emit: () => undefined,
      now: () => now,
      putBack: async () => undefined,
      booted: async () => undefined,
    });
  const settledIn = async (work: () => Promise<unknown>): Promise<number> => {
    const before = waiting;
    await work();
    return before - waiting;
  };
  let checkpoint: unknown = null;
  let life = runner();
  const step = async (): Promise<void> => {
    const result = await life.step(job, checkpoint, signal);
    if (!result.done) checkpoint = result.checkpoint;
  };
  await step();

  const first = await settledIn(step);
  const second = await settledIn(step);
  life = runner();
  const afterRestart = await settledIn(step);

  expect(first).toBeGreaterThan(0);
  expect(second).toBeGreaterThan(3 * first);
  expect(afterRestart).toBeLessThanOrEqual(first);
});
