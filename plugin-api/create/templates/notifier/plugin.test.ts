import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPlugin, type PluginUnderTest } from 'vitrine/plugin-test';

const topic = 'https://ntfy.example.org/a-topic';

let plugin: PluginUnderTest;
/** How many requests there were before the test. */
let before: number;

/** Opening one takes most of the time of a test, so all of them share it. */
beforeAll(async () => {
  plugin = await openPlugin(import.meta.dirname, { configuration: { topic } });
});

/** Messages that another test left waiting are sent first. */
beforeEach(async () => {
  plugin.net.answer(topic, { status: 200 });
  await plugin.clock.advance(120_000);
  before = plugin.net.requests().length;
});

afterAll(() => plugin.close());

async function jobFailed(jobId: string, errorMessage: string | null): Promise<void> {
  await plugin.event('job.failed', {
    jobId,
    type: 'scan',
    libraryId: null,
    status: 'failed',
    progress: 0.5,
    errorMessage,
  });
  await plugin.clock.advance(2000);
}

/** What was sent about jobs since the test began. */
const sent = () =>
  plugin.net
    .requests()
    .slice(before)
    .map(({ body }) => body ?? '')
    .filter((body) => body.startsWith('The job'));

test('reports a failed job and a failed plugin', async () => {
  await plugin.event('plugin.error', {
    pluginId: 'film-index',
    version: '1.0.0',
    state: 'failed',
    errorMessage: null,
  });
  await jobFailed('1', 'The disk is gone.');

  const requests = plugin.net.requests().slice(before);
  expect(requests[0]).toMatchObject({ method: 'POST', url: topic });
  expect(requests.map(({ body }) => body).sort()).toEqual([
    'The job scan failed: The disk is gone.',
    'The plugin film-index failed: it does not say why',
  ]);
});

test('stores unsent messages over a restart, and tries again in a minute', async () => {
  plugin.net.answer(topic, 'unreachable');
  await jobFailed('1', 'First.');
  await jobFailed('2', 'Second.');
  await plugin.restart();
  plugin.net.answer(topic, { status: 200 });
  const tried = sent().length;

  await plugin.clock.advance(61_000);

  expect(sent().slice(tried).sort()).toEqual([
    'The job scan failed: First.',
    'The job scan failed: Second.',
  ]);
});

test('drops messages that the topic refuses', async () => {
  plugin.net.answer(topic, { status: 403 });
  await jobFailed('1', 'First.');
  plugin.net.answer(topic, { status: 200 });

  await plugin.clock.advance(120_000);

  expect(sent()).toEqual(['The job scan failed: First.']);
});

test('never writes the topic into its log', async () => {
  plugin.net.answer(topic, 'timeout');

  await jobFailed('1', 'First.');

  const lines = JSON.stringify(plugin.logs());
  expect(lines).toContain('Not sent');
  expect(lines).not.toContain('a-topic');
});

test('stores messages without sending while the host is not granted', async () => {
  const granted = { kv: { quotaMb: 1 }, schedule: true, hears: ['jobs', 'plugins'] } as const;
  await plugin.grant(granted);
  await jobFailed('1', 'First.');
  await plugin.grant({ ...granted, net: ['ntfy.example.org'] });

  await plugin.clock.advance(61_000);

  expect(sent()).toEqual(['The job scan failed: First.']);
});
