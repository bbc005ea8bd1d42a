import { expect, test } from 'vitest';
import { createReindexRunner } from './reindex-runner.ts';

test('each search plugin is told once to build its index again, and called until it is done', async () => {
  const asked: unknown[] = [];
  const answers = [
    { indexed: 500, done: false },
    { indexed: 20, done: true },
    { indexed: 7, done: true },
  ];
  const runner = createReindexRunner({
    call: async (pluginId, _method, input) => {
      asked.push([pluginId, input]);
      return answers[asked.length - 1];
    },
    providers: () => ['search', 'other'],
  });
  const { signal } = new AbortController();

  let last = await runner.step({} as never, null, signal);
  while (!last.done)
    last = await runner.step({} as never, JSON.parse(JSON.stringify(last.checkpoint)), signal);

  expect(asked).toEqual([
    ['search', { rebuild: true }],
    ['search', {}],
    ['other', { rebuild: true }],
  ]);
  expect(last.result).toEqual({ plugins: 2, indexed: 527 });
});
