import { expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { createIndexReader, signIndex } from '../../../kernel/run/packages/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createPublisher } from '../../../test/support/plugins/packages.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { createSourceMemory, createSources, marketplaceMigrations } from './index.ts';

const dayMs = 86_400_000;
const url = 'https://plugins.example.org/index.json';

/** Sources with a web host that sends an index once, and then always replies "not modified". */
async function frozen() {
  const { database } = await openTestStorage({ migrations: [marketplaceMigrations] });
  const clock = createFakeClock();
  let added = 0;
  const moment = (days: number): string => new Date(clock.now() + days * dayMs).toISOString();
  const index = signIndex(
    {
      ...{ name: 'A source', indexId: '12'.repeat(16), sequence: 1, plugins: [] },
      ...{ updatedAt: moment(0), expiresAt: moment(14) },
    },
    createPublisher(),
  );
  const start = async () => {
    const sources = createSources({
      database,
      memory: createSourceMemory({ database, clock }),
      fetch: ({ headers = {} }) =>
        Promise.resolve({
          status: 'if-none-match' in headers ? 304 : 200,
          headers: { etag: '"1"' },
          body: new TextEncoder().encode(JSON.stringify(index)),
          receivedBytes: 0,
        }),
      readIndex: createIndexReader(),
      audit: () => Promise.resolve(),
      clock,
      newId: () => `source-${(added += 1)}`,
      log: silentLog,
    });
    await sources.open();
    return sources;
  };
  const sources = await start();
  await sources.add({ url }, { userId: 'ada' } as Viewer);
  return { clock, sources, start, index };
}

test('a source that two admins add at once, here or on another server, is added once', async () => {
  const { sources, start } = await frozen();
  await sources.remove('source-1', { userId: 'ada' } as Viewer);
  const all = [sources, sources, await start()];

  const ends = await Promise.allSettled(
    all.map((one) => one.add({ url }, { userId: 'ada' } as Viewer)),
  );

  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect((await start()).list()).toHaveLength(1);
  for (const end of ends)
    if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'conflict' });
});

test('an index that never changes expires, even if its host keeps confirming it', async () => {
  const { clock, sources, start, index } = await frozen();
  await clock.advance(14 * dayMs - 1);
  await sources.refresh();
  const before = sources.list();
  await clock.advance(1);
  await sources.refresh();
  await sources.refresh();
  const after = sources.list();
  const restarted = await start();
  await restarted.refresh();

  expect(before).toMatchObject([{ isExpired: false, error: null }]);
  expect(after).toMatchObject([{ isExpired: true, error: null, expiresAt: index.expiresAt }]);
  expect(after[0]?.fetchedAt).toBe(index.expiresAt);
  expect(restarted.list()).toEqual(after);
});

test('asks a source again at most once in ten seconds', async () => {
  const { clock, sources } = await frozen();

  const answers = [await sources.askAgain('source-1'), await sources.askAgain('source-1')];
  await clock.advance(10_000);
  answers.push(await sources.askAgain('source-1'), await sources.askAgain('nobody'));

  expect(answers).toEqual([true, false, true, false]);
});

/** Each request for the index waits for the answer that the test gives. */
async function answered() {
  const { database } = await openTestStorage({ migrations: [marketplaceMigrations] });
  const clock = createFakeClock();
  const publisher = createPublisher();
  const asked: ((answer: number | 'unchanged' | 'gone') => void)[] = [];
  const replyOf = (sequence: number) => {
    const index = signIndex(
      {
        ...{ name: 'A source', indexId: '12'.repeat(16), sequence, plugins: [] },
        updatedAt: new Date(clock.now()).toISOString(),
        expiresAt: new Date(clock.now() + dayMs).toISOString(),
      },
      publisher,
    );
    const body = new TextEncoder().encode(JSON.stringify(index));
    return { status: 200, headers: { etag: `"${sequence}"` }, body, receivedBytes: 0 };
  };
  const start = async () => {
    const sources = createSources({
      ...{ database, memory: createSourceMemory({ database, clock }), clock, log: silentLog },
      fetch: async () => {
        const answer = await new Promise((resolve) => asked.push(resolve));
        if (typeof answer === 'number') return replyOf(answer);
        const status = answer === 'unchanged' ? 304 : 503;
        return { status, headers: {}, body: new Uint8Array(), receivedBytes: 0 };
      },
      readIndex: createIndexReader(),
      audit: () => Promise.resolve(),
      newId: () => 'source-1',
    });
    await sources.open();
    return sources;
  };
  const sources = await start();
  const adding = sources.add({ url }, { userId: 'ada' } as Viewer);
  asked.shift()?.(1);
  await adding;
  return { sources, start, asked };
}

test.each(['unchanged', 'gone', 1] as const)(
  'an answer that comes late (%s) takes no newer index away, here or on another server',
  async (late) => {
    const { sources, start, asked } = await answered();
    const another = await start();
    const slow = [sources.refresh(), another.refresh()];
    const newer = sources.askAgain('source-1');
    asked.pop()?.(2);
    await newer;
    for (const answer of asked) answer(late);
    await Promise.all(slow);

    expect(sources.list()).toMatchObject([{ sequence: 2 }]);
    expect((await start()).list()).toMatchObject([{ sequence: 2 }]);
  },
);
