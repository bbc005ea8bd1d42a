import { expect, test, vi } from 'vitest';
import { silentLog } from '../../../../kernel/index.ts';
import { createSearchUpkeep } from './search-upkeep.ts';

function upkeepOf(answers: readonly unknown[]) {
  const asked: string[] = [];
  const waits: number[] = [];
  const after = (ms: number, run: () => void) => {
    waits.push(ms);
    queueMicrotask(run);
    return () => undefined;
  };
  const upkeep = createSearchUpkeep({
    call: async (pluginId, method) => {
      const answer = answers[asked.length];
      asked.push(`${pluginId} ${method}`);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    providers: () => ['search'],
    clock: { now: () => 0, after },
    log: silentLog,
  });
  return { upkeep, asked, waits };
}

test('a search plugin is called until it is done', async () => {
  const { upkeep, asked } = upkeepOf([
    { indexed: 500, done: false },
    { indexed: 0, done: false },
    { indexed: 20, done: true },
  ]);

  upkeep.wake();

  await vi.waitFor(() => expect(asked).toEqual(Array(3).fill('search search.index')));
});

test('a wake during a run makes one more run, and a wake after the stop makes none', async () => {
  const { upkeep, asked } = upkeepOf(Array(9).fill({ indexed: 0, done: true }));

  upkeep.wake();
  upkeep.wake();
  upkeep.wake();
  await vi.waitFor(() => expect(asked).toHaveLength(2));

  upkeep.stop();
  upkeep.wake();
  await Promise.resolve();
  expect(asked).toHaveLength(2);
});

test('a plugin that fails is asked again by itself until it is done', async () => {
  const { upkeep, asked, waits } = upkeepOf([
    new Error('busy'),
    { done: false },
    new Error('busy'),
    { done: true },
  ]);

  upkeep.wake();

  await vi.waitFor(() => expect(asked).toHaveLength(4));
  expect(waits).toEqual([10_000, 500, 60_000]);
});

test('a plugin that goes on failing is asked three times more, and then at the next wake', async () => {
  const { upkeep, asked, waits } = upkeepOf(Array(9).fill(new Error('away')));

  upkeep.wake();
  await vi.waitFor(() => expect(asked).toHaveLength(4));
  await new Promise(setImmediate);
  expect(asked).toHaveLength(4);
  expect(waits).toEqual([10_000, 60_000, 300_000]);
  upkeep.wake();

  await vi.waitFor(() => expect(asked).toHaveLength(8));
  upkeep.stop();
});

test('many changes in a row cause a run every five seconds, and one more after the last', async () => {
  let time = 0;
  let timer: { readonly at: number; readonly run: () => void } | null = null;
  const asked: number[] = [];
  const upkeep = createSearchUpkeep({
    call: () => {
      asked.push(time);
      return Promise.resolve({ done: true });
    },
    providers: () => ['search'],
    clock: {
      now: () => time,
      after: (ms, run) => {
        timer = { at: time + ms, run };
        return () => (timer = null);
      },
    },
    log: silentLog,
  });
  const pass = async (): Promise<void> => {
    const due = timer;
    if (due === null || due.at > time) return;
    timer = null;
    due.run();
    await new Promise(setImmediate);
  };

  for (; time < 12_000; time += 100) {
    await pass();
    upkeep.wakeSoon();
  }
  for (; time < 20_000; time += 100) await pass();

  expect(asked[0]).toBe(5000);
  expect(asked.length).toBeLessThanOrEqual(4);
  expect(asked.at(-1)).toBeGreaterThanOrEqual(12_000);
  expect(asked.at(-1)).toBeLessThanOrEqual(14_000);
});
