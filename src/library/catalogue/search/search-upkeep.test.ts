import { expect, test, vi } from 'vitest';
import { silentLog } from '../../../../kernel/index.ts';
import { createSearchUpkeep } from './search-upkeep.ts';

const clock = { now: () => 0, after: (_: number, run: () => void) => (queueMicrotask(run), run) };

function upkeepOf(answers: readonly unknown[]) {
  const asked: string[] = [];
  const upkeep = createSearchUpkeep({
    call: async (pluginId, method) => {
      const answer = answers[asked.length];
      asked.push(`${pluginId} ${method}`);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    providers: () => ['search'],
    clock,
    log: silentLog,
  });
  return { upkeep, asked };
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

test('a plugin that fails is not called until the next wake', async () => {
  const { upkeep, asked } = upkeepOf([new Error('away'), { done: true }]);

  upkeep.wake();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  upkeep.wake();

  await vi.waitFor(() => expect(asked).toHaveLength(2));
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
