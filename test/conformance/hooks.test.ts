/** Conformance with the part "Hooks" of the service interface specification. */
import { afterEach, beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { createDispatcher } from '../../kernel/call/dispatch.ts';
import { createHookChains } from '../../kernel/call/hooks/index.ts';
import { hookNames, type Bundle, type HookName } from '../../plugin-api/index.ts';
import {
  fakePlugin,
  finder,
  never,
  recordingLog,
  returned,
  threw,
  type FakePlugin,
} from '../support/plugins/fake-plugins.ts';

/** The table "Dispatched hooks". */
const dispatchedHooks = [
  'pipeline.scan.prepare',
  'pipeline.probe.afterProcess',
  'pipeline.index.afterProcess',
] as const;

const plannedHook = 'pipeline.item.beforeActivate';

const bundle: Bundle = {
  files: {
    media: [
      {
        uri: 'file:///a.mkv',
        path: 'a.mkv',
        filename: 'a.mkv',
        extension: 'mkv',
        size: 1,
        type: 'media',
      },
    ],
    auxiliary: [],
  },
  fields: { title: 'Alien', year: 1978 },
  ids: { tmdb: true },
  assets: [{ type: 'poster', uri: 'u', source: 's' }],
  subtitles: [],
  entities: { genre: [{ name: 'Horror', status: 'complete', source: 's' }] },
};

const inputs = {
  'pipeline.scan.prepare': { libraryType: 'movies', fsPlugin: 'filesystem-local' },
  'pipeline.probe.afterProcess': { itemId: 'i', bundle },
  'pipeline.index.afterProcess': { itemId: 'i', bundle },
} as const;

const itemHooks = ['pipeline.probe.afterProcess', 'pipeline.index.afterProcess'] as const;

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
});

function chainsOver(...plugins: readonly FakePlugin[]) {
  const log = recordingLog();
  const dispatcher = createDispatcher({ find: finder(...plugins), log });
  return createHookChains({ dispatcher, log });
}

describe('### Hooks', () => {
  test('plugin-api knows the dispatched hooks and the planned one, and no other', () => {
    expect(hookNames).toEqual([...dispatchedHooks, plannedHook]);
    expectTypeOf<(typeof hookNames)[number]>().toEqualTypeOf<HookName>();
  });

  test.each(dispatchedHooks)(
    '%s is dispatched with its input by hook.dispatch, 30 s',
    async (name) => {
      const plugin = fakePlugin('a');
      const chains = chainsOver(plugin);
      chains.subscribe('a', { name });

      await chains.run(name, inputs[name]);

      expect(plugin.requests).toEqual([
        {
          method: 'hook.dispatch',
          inputJson: JSON.stringify({ name, input: inputs[name] }),
          timeoutMs: 30_000,
        },
      ]);
    },
  );

  test('hooks run in ascending order, default 50', async () => {
    const asked: string[] = [];
    const plugins = ['early', 'middle', 'late'].map((id) =>
      fakePlugin(id, () => {
        asked.push(id);
        return returned(null);
      }),
    );
    const chains = chainsOver(...plugins);
    chains.subscribe('late', { name: 'pipeline.scan.prepare', order: 51 });
    chains.subscribe('middle', { name: 'pipeline.scan.prepare' });
    chains.subscribe('early', { name: 'pipeline.scan.prepare', order: 49 });

    await chains.run('pipeline.scan.prepare', inputs['pipeline.scan.prepare']);

    expect(asked).toEqual(['early', 'middle', 'late']);
  });

  test('the delta of pipeline.scan.prepare adds scan extensions and glob patterns', async () => {
    const chains = chainsOver(
      fakePlugin('a', () => returned({ extensions: ['iso'], patterns: ['**/*.x'] })),
    );
    chains.subscribe('a', { name: 'pipeline.scan.prepare' });

    const { output } = await chains.run('pipeline.scan.prepare', inputs['pipeline.scan.prepare']);

    expect(output).toMatchObject({ extensions: ['iso'], patterns: ['**/*.x'] });
  });

  test.each(itemHooks)(
    '%s: each delta is merged into the input before the next subscriber',
    async (name) => {
      const next = fakePlugin('b');
      const chains = chainsOver(
        fakePlugin('a', () => returned({ fields: { year: 1979 } })),
        next,
      );
      chains.subscribe('a', { name, order: 10 });
      chains.subscribe('b', { name, order: 20 });

      await chains.run(name, inputs[name]);

      const merged = { itemId: 'i', bundle: { ...bundle, fields: { title: 'Alien', year: 1979 } } };
      expect(JSON.parse(next.requests[0]!.inputJson)).toEqual({ name, input: merged });
    },
  );

  test.each(itemHooks)('%s: a null return means no change', async (name) => {
    const chains = chainsOver(fakePlugin('a', () => returned(null)));
    chains.subscribe('a', { name });

    expect((await chains.run(name, inputs[name])).output).toEqual(inputs[name]);
  });

  test.each([
    ['throw', () => threw],
    ['timeout', () => never],
  ])(
    'a %s triggers one retry; after that the subscriber is skipped and the chain continues',
    async (_, answer) => {
      const bad = fakePlugin('a', answer);
      const good = fakePlugin('b', () => returned({ fields: { year: 1979 } }));
      const chains = chainsOver(bad, good);
      chains.subscribe('a', { name: 'pipeline.probe.afterProcess' });
      chains.subscribe('b', { name: 'pipeline.probe.afterProcess' });

      const run = chains.run('pipeline.probe.afterProcess', inputs['pipeline.probe.afterProcess']);
      await vi.advanceTimersByTimeAsync(70_000);

      const { output, skipped } = await run;
      expect(bad.requests).toHaveLength(2);
      expect(skipped.map(({ pluginId }) => pluginId)).toEqual(['a']);
      expect(output.bundle.fields).toEqual({ title: 'Alien', year: 1979 });
    },
  );

  test('Merge rule: collections append; fields and ids shallow-merge', async () => {
    const delta = {
      fields: { year: 1979 },
      ids: { imdb: { id: 'tt0078748' } },
      assets: [{ type: 'logo', uri: 'v', source: 'a' }],
      subtitles: [{ type: 'embedded', format: 'srt', source: 'a' }],
      entities: { genre: [{ name: 'Science fiction', status: 'pending', source: 'a' }] },
      chapters: [{ startTime: 0, role: 'intro' }],
      files: { auxiliary: [{ uri: 'w', path: 'a.nfo', extension: 'nfo', sourcePlugin: 'a' }] },
    };
    const chains = chainsOver(fakePlugin('a', () => returned(delta)));
    chains.subscribe('a', { name: 'pipeline.index.afterProcess' });

    const { output } = await chains.run(
      'pipeline.index.afterProcess',
      inputs['pipeline.index.afterProcess'],
    );

    expect(output.bundle).toEqual({
      files: { media: bundle.files.media, auxiliary: delta.files.auxiliary },
      fields: { title: 'Alien', year: 1979 },
      ids: { tmdb: true, imdb: { id: 'tt0078748' } },
      assets: [...bundle.assets, ...delta.assets],
      subtitles: delta.subtitles,
      entities: { genre: [...(bundle.entities['genre'] ?? []), ...delta.entities.genre] },
      chapters: delta.chapters,
    });
  });

  test(`${plannedHook} is planned and is not dispatched`, async () => {
    const plugin = fakePlugin('a', () => returned({ activate: false }));
    const chains = chainsOver(plugin);
    chains.subscribe('a', { name: plannedHook });

    await chains.run(plannedHook, { itemId: 'i', bundle });

    expect(plugin.requests).toEqual([]);
  });

  test('requiresLocalFile is accepted and stored, false by default', () => {
    const chains = chainsOver();
    chains.subscribe('a', { name: 'pipeline.probe.afterProcess' });
    expect(chains.requiresLocalFile('pipeline.probe.afterProcess')).toBe(false);

    chains.subscribe('b', { name: 'pipeline.probe.afterProcess', requiresLocalFile: true });
    expect(chains.requiresLocalFile('pipeline.probe.afterProcess')).toBe(true);
  });
});

describe('### Declaring subscriptions', () => {
  test("a declared hook that the plugin does not handle yields 'unknown handler', a soft error", async () => {
    const chains = chainsOver(fakePlugin('a', () => ({ kind: 'unknown-handler' })));
    chains.subscribe('a', { name: 'pipeline.probe.afterProcess' });

    const run = await chains.run('pipeline.probe.afterProcess', { itemId: 'i', bundle });

    expect(run).toMatchObject({ output: { itemId: 'i', bundle }, provenance: [], skipped: [] });
  });

  test.each([0, 100])('order may be %d', (order) => {
    expect(() =>
      chainsOver().subscribe('a', { name: 'pipeline.scan.prepare', order }),
    ).not.toThrow();
  });

  test.each([-1, 101, 0.5])('order may not be %d', (order) => {
    expect(() => chainsOver().subscribe('a', { name: 'pipeline.scan.prepare', order })).toThrow();
  });
});
