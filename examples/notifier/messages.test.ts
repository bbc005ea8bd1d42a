/** The notifier's own rules, with a host in memory and a clock that the test moves. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FetchInput } from '../../plugin-api/index.ts';
import type * as notifier from './index.js';
import { loadFresh } from '../../test/support/run/load-fresh.ts';

type Call = (input: unknown, host: never) => Promise<unknown>;

const hourMs = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21) });
});

afterEach(() => vi.useRealTimers());

async function createWorld(settings: object = {}) {
  const { default: plugin } = await loadFresh<typeof notifier>(import.meta.resolve('./index.js'));
  const wakes = new Map<string, number>();
  const sent: FetchInput[] = [];
  const answers = { status: 204 };
  const kept = new Map<string, unknown>();
  const host = {
    config: {
      get: async () => ({
        kind: 'discord',
        address: 'https://discord.com/api/webhooks/1/key',
        libraries: [],
        tellFailedJobs: true,
        tellPluginErrors: true,
        tellNotifications: true,
        gatherSeconds: 60,
        messagesPerMinute: 10,
        ...settings,
      }),
    },
    kv: {
      get: async ({ key }: { key: string }) => kept.get(key) ?? null,
      set: async ({ key, value }: { key: string; value: unknown }) => {
        kept.set(key, structuredClone(value));
      },
    },
    library: { get: async () => ({ name: 'Films' }) },
    net: {
      fetch: async (input: FetchInput) => {
        sent.push(input);
        return { status: answers.status, headers: {}, body: '', cache: 'miss' };
      },
    },
    schedule: {
      set: async ({ name, at }: { name: string; at: number }) => void wakes.set(name, at),
    },
  } as never;
  const call = (kind: 'events' | 'methods' | 'views', name: string, input: unknown) =>
    ((plugin[kind] ?? {})[name as never] as unknown as Call)(input, host);
  return {
    answers,
    wakes,
    kept,
    event: (type: string, data: object) => call('events', type, { type, timestamp: '', data }),
    view: async () => JSON.stringify(await call('views', 'ui.settings.sections', {})),
    /** Moves to the next scheduled time, and wakes the plugin. */
    async wake() {
      vi.setSystemTime(Math.max(Date.now(), wakes.get('send') ?? 0));
      wakes.delete('send');
      await call('methods', 'schedule.wake', { name: 'send' });
    },
    contents: () =>
      sent.map(({ body = '' }) => (JSON.parse(body) as { readonly content: string }).content),
  };
}

const failedJob = { type: 'scan', libraryId: 'l', errorMessage: 'The disk is gone.' };

test('reports failed jobs, failed plugins and notifications, each with its own switch', async () => {
  const { event, wake, contents } = await createWorld({ tellPluginErrors: false });

  await event('job.failed', failedJob);
  await event('plugin.error', { pluginId: 'other', errorMessage: 'It fell.' });
  await event('notification.created', {
    id: 'n',
    level: 'warning',
    title: 'The disk is full.',
    source: 'storage',
  });
  await wake();

  expect(contents()).toEqual([
    '**The job scan of Films failed**\n• The disk is gone.',
    '**Notification \\(warning\\)**\n• The disk is full.',
  ]);
});

test('does not report its own failures, which would never end', async () => {
  const { event, wakes } = await createWorld();

  await event('plugin.error', { pluginId: 'notifier', errorMessage: 'It fell.' });

  expect(wakes.size).toBe(0);
});

test('counts a repeated failure in the waiting message', async () => {
  const { event, wake, contents } = await createWorld();

  for (let at = 0; at < 3; at += 1) await event('job.failed', failedJob);
  await wake();

  expect(contents()).toEqual([expect.stringContaining('• 3 times')]);
});

test('waits from seconds to an hour, and after a day gives up and says so', async () => {
  const { event, wake, wakes, answers, view } = await createWorld();
  const startedAt = Date.now();
  answers.status = 503;
  await event('job.failed', failedJob);
  const pauses: number[] = [];

  while (wakes.has('send')) {
    const before = Date.now();
    await wake();
    pauses.push(Math.round((Date.now() - before) / 1000));
  }

  expect(pauses.slice(1, 5)).toEqual([5, 15, 45, 135]);
  expect(Math.max(...pauses)).toBe(3600);
  expect(Date.now() - startedAt).toBeLessThan(25.5 * hourMs);
  expect(await view()).toContain('given up');
});

test('a message that a target calls malformed does not block the next ones', async () => {
  const { event, wake, answers, view, contents } = await createWorld();
  answers.status = 400;
  await event('job.failed', failedJob);
  await event('job.failed', { ...failedJob, type: 'probe' });

  await wake();

  expect(contents()).toHaveLength(2);
  expect(await view()).toContain('"value":"nothing"');
});

test('the queue is bounded, obeys the rate, and the first message that arrives says how many are missing', async () => {
  const { event, wake, contents, kept } = await createWorld();
  for (let at = 0; at < 60; at += 1) await event('job.failed', { ...failedJob, type: `job${at}` });
  expect(kept.get('state')).toMatchObject({ queue: { length: 50 }, leftOut: 10 });

  await wake();

  expect(contents()).toHaveLength(10);
  expect(contents()[0]).toContain('10 earlier messages were left out');
  expect(contents()[1]).not.toContain('left out');
  await wake();
  expect(contents()).toHaveLength(20);
});
