/** A plugin with several instances, with the real sandbox. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sampleOf } from '../support/run/nightly.ts';
import { testByNight } from '../support/run/test-by-night.ts';
import {
  createPluginFolder,
  startPluginServer,
  type PluginFolder,
  type PluginServer,
} from './plugin-server.ts';

let folder: PluginFolder;
let server: PluginServer | undefined;

beforeEach(async () => {
  folder = await createPluginFolder();
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  await folder.remove();
});

const source = `
  const me = crypto.randomUUID();
  let calls = 0;
  const compute = (ms) => {
    const from = Date.now();
    while (Date.now() - from < ms);
    return { me, from, to: Date.now() };
  };
  export default {
    events: { 'library.item.added': () => { calls += 1; } },
    methods: {
      'job.run': ({ payload }) => compute(payload.ms),
      'library.describe': () => ({ me, calls }),
      'probe.probe': () => { for (;;); },
    },
  };`;

async function startTwins(place: 'builtins' | 'plugins') {
  await folder.add(
    {
      id: 'twins',
      resources: { instances: 2 },
      subscriptions: { events: ['library.item.added'] },
    },
    source,
    place,
  );
  server = await startPluginServer(folder);
  const { plugins, dispatcher } = server;
  if (place === 'plugins') await plugins.grants.set('twins', {});
  const ask = async (method: string, payload: object = {}, timeoutMs = 20_000) => {
    const inputJson = JSON.stringify({ payload });
    const outcome = await dispatcher.dispatch({ pluginId: 'twins', method, inputJson, timeoutMs });
    return (outcome.kind === 'returned' ? outcome.value : outcome.kind) as never;
  };
  return { ...server, ask };
}

interface Span {
  readonly me: string;
  readonly from: number;
  readonly to: number;
}

describe('a plugin with two instances', () => {
  test.each(sampleOf(['plugins', 'builtins'] as const, 1))(
    'computes in both at the same time, as one of the %s',
    async (place) => {
      const { ask } = await startTwins(place);

      // Long enough to overlap on a busy machine, where one process may wait for a processor.
      const ms = 2000;
      const spans: readonly Span[] = await Promise.all([
        ask('job.run', { ms }),
        ask('job.run', { ms }),
      ]);

      expect(new Set(spans.map(({ me }) => me)).size).toBe(2);
      expect(Math.max(...spans.map(({ from }) => from))).toBeLessThan(
        Math.min(...spans.map(({ to }) => to)),
      );
    },
  );

  test('hears each event once, in one of them', async () => {
    const { ask, events } = await startTwins('builtins');

    for (let count = 0; count < 5; count += 1)
      events.emit('library.item.added', {
        itemId: `${count}`,
        libraryId: 'films',
        title: 'A film',
      });
    await events.drain(5000);
    const seen: readonly { readonly calls: number }[] = await Promise.all([
      ask('library.describe'),
      ask('library.describe'),
    ]);

    expect(seen.map(({ calls }) => calls)).toEqual([5, 0]);
  });

  testByNight('restarts both after a crash of one, and counts one crash', async () => {
    const { ask, plugins, until } = await startTwins('builtins');
    const before: { readonly me: string } = await ask('library.describe');

    const endless = ask('probe.probe', {}, 300);
    await endless;
    await until(({ type }) => type === 'plugin.restarted');
    const after: readonly Span[] = await Promise.all([
      ask('job.run', { ms: 200 }),
      ask('job.run', { ms: 200 }),
    ]);

    expect(plugins.registry.get('twins')).toMatchObject({ state: 'running', restartAttempts: 1 });
    expect(new Set([before.me, ...after.map(({ me }) => me)]).size).toBe(3);
  });

  test('uses what both use', async () => {
    const { ask, plugins } = await startTwins('builtins');

    await Promise.all([ask('job.run', { ms: 20 }), ask('job.run', { ms: 20 })]);

    expect(plugins.usage.of('twins').calls).toBe(2);
  });
});
