import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Bundle } from '../../../plugin-api/index.ts';
import {
  fakePlugin,
  finder,
  never,
  recordingLog,
  returned,
  threw,
  type FakePlugin,
} from '../../../test/support/plugins/fake-plugins.ts';
import { createDispatcher } from '../dispatch.ts';
import type { Failure, NoteFailure } from '../failure.ts';
import { KernelError } from '../../errors.ts';
import type { PluginReply } from '../running-plugin.ts';
import { createHookChains } from './index.ts';

const hook = 'pipeline.probe.afterProcess';

const bundle: Bundle = {
  files: { media: [], auxiliary: [] },
  fields: { title: 'Alien' },
  ids: {},
  assets: [],
  subtitles: [],
  entities: {},
};

const input = { itemId: 'i', bundle };

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  const left = vi.getTimerCount();
  vi.useRealTimers();
  expect(left).toBe(0);
});

function chainsOver(...plugins: readonly FakePlugin[]) {
  const log = recordingLog();
  const dispatcher = createDispatcher({ find: finder(...plugins) });
  const failures: (readonly [string, Failure])[] = [];
  const onFailure: NoteFailure = (id, failure) => void failures.push([id, failure]);
  return { chains: createHookChains({ dispatcher, log, onFailure }), log, failures };
}

/** The inputs that a plugin was asked with. */
const inputs = ({ requests }: FakePlugin) =>
  requests.map(({ inputJson }) => JSON.parse(inputJson) as { name: string; input: typeof input });

describe('a hook chain', () => {
  test('asks by hook.dispatch with {name, input} and 30 s', async () => {
    const plugin = fakePlugin('a');
    const { chains } = chainsOver(plugin);
    chains.subscribe('a', { name: hook });

    const run = await chains.run(hook, input);

    expect(plugin.requests).toEqual([
      { method: 'hook.dispatch', inputJson: expect.any(String), timeoutMs: 30_000 },
    ]);
    expect(inputs(plugin)).toEqual([{ name: hook, input }]);
    expect(run).toEqual({
      output: input,
      provenance: [],
      answers: [{ pluginId: 'a', delta: null }],
      skipped: [],
    });
  });

  test('runs in ascending order, equal orders by plugin id, 50 where none is given', async () => {
    const asked: string[] = [];
    const plugins = ['d', 'c', 'b', 'a'].map((id) =>
      fakePlugin(id, () => {
        asked.push(id);
        return returned(null);
      }),
    );
    const { chains } = chainsOver(...plugins);
    chains.subscribe('d', { name: hook, order: 100 });
    chains.subscribe('c', { name: hook });
    chains.subscribe('b', { name: hook, order: 50 });
    chains.subscribe('a', { name: hook, order: 0 });

    await chains.run(hook, input);

    expect(asked).toEqual(['a', 'b', 'c', 'd']);
  });

  test('waits for each subscriber before it asks the next', async () => {
    const first = Promise.withResolvers<PluginReply>();
    const second = fakePlugin('b');
    const { chains } = chainsOver(
      fakePlugin('a', () => first.promise),
      second,
    );
    chains.subscribe('a', { name: hook });
    chains.subscribe('b', { name: hook });

    const run = chains.run(hook, input);
    await vi.advanceTimersByTimeAsync(1000);
    expect(second.requests).toHaveLength(0);
    first.resolve(returned(null));
    await run;

    expect(second.requests).toHaveLength(1);
  });

  test('merges each delta into the input before the next subscriber, and keeps provenance', async () => {
    const a = fakePlugin('a', () =>
      returned({
        fields: { year: 1979, title: 'ALIEN' },
        assets: [{ type: 'poster', uri: 'u', source: 'a' }],
        entities: { director: [{ name: 'Ridley Scott', status: 'pending', source: 'a' }] },
      }),
    );
    const b = fakePlugin('b', () =>
      returned({
        fields: { title: 'Alien³' },
        ids: { imdb: { id: 'tt0103644' } },
        assets: [{ type: 'logo', uri: 'v', source: 'b' }],
        entities: { director: [{ name: 'David Fincher', status: 'pending', source: 'b' }] },
      }),
    );
    const { chains } = chainsOver(a, b);
    chains.subscribe('b', { name: hook, order: 60 });
    chains.subscribe('a', { name: hook, order: 40 });

    const { output, provenance, skipped } = await chains.run(hook, input);

    expect(inputs(b)[0]?.input.bundle.fields).toEqual({ title: 'ALIEN', year: 1979 });
    expect(inputs(b)[0]?.input.bundle.assets).toHaveLength(1);
    expect(output).toEqual({
      itemId: 'i',
      bundle: {
        ...bundle,
        fields: { title: 'Alien³', year: 1979 },
        ids: { imdb: { id: 'tt0103644' } },
        assets: [
          { type: 'poster', uri: 'u', source: 'a' },
          { type: 'logo', uri: 'v', source: 'b' },
        ],
        entities: {
          director: [
            { name: 'Ridley Scott', status: 'pending', source: 'a' },
            { name: 'David Fincher', status: 'pending', source: 'b' },
          ],
        },
      },
    });
    expect(Object.fromEntries(provenance.map(({ path, pluginId }) => [path, pluginId]))).toEqual({
      'fields.year': 'a',
      'fields.title': 'b',
      'ids.imdb': 'b',
      'assets[0]': 'a',
      'assets[1]': 'b',
      'entities.director[0]': 'a',
      'entities.director[1]': 'b',
    });
    expect(skipped).toEqual([]);
    expect(input.bundle.fields).toEqual({ title: 'Alien' });
  });

  test('serialises an input once for all subscribers that see the same', async () => {
    const toJSON = vi.fn(() => 'x');
    const plugins = ['a', 'b', 'c'].map((id) => fakePlugin(id));
    const { chains } = chainsOver(...plugins);
    for (const { pluginId } of plugins) chains.subscribe(pluginId, { name: hook });

    await chains.run(hook, { itemId: 'i', bundle: { ...bundle, fields: { x: { toJSON } } } });

    expect(toJSON).toHaveBeenCalledTimes(1);
  });

  test('tries a throw once more, with the same input, and takes the second answer', async () => {
    const replies = [threw, returned({ fields: { year: 1979 } })];
    const plugin = fakePlugin('a', () => replies.shift() ?? threw);
    const { chains } = chainsOver(plugin);
    chains.subscribe('a', { name: hook });

    const { output, skipped } = await chains.run(hook, input);

    expect(plugin.requests[0]).toEqual(plugin.requests[1]);
    expect(output.bundle.fields).toEqual({ title: 'Alien', year: 1979 });
    expect(skipped).toEqual([]);
  });

  test('skips a subscriber that throws twice, reports it, and goes on', async () => {
    const bad = fakePlugin('a', () => threw);
    const good = fakePlugin('b', () => returned({ fields: { year: 1979 } }));
    const { chains, log } = chainsOver(bad, good);
    chains.subscribe('a', { name: hook });
    chains.subscribe('b', { name: hook });

    const { output, skipped } = await chains.run(hook, input);

    expect(bad.requests).toHaveLength(2);
    expect(skipped).toEqual([{ pluginId: 'a', code: 'boom', reason: 'It broke.' }]);
    expect(output.bundle.fields).toEqual({ title: 'Alien', year: 1979 });
    expect(log.lines).toEqual([`warn Plugin a was skipped in ${hook}: It broke.`]);
  });

  test('gives a subscriber that hangs 30 s, twice, then goes on', async () => {
    const hung = fakePlugin('a', () => never);
    const good = fakePlugin('b');
    const { chains } = chainsOver(hung, good);
    chains.subscribe('a', { name: hook });
    chains.subscribe('b', { name: hook });

    const run = chains.run(hook, input);
    await vi.advanceTimersByTimeAsync(30_050);
    expect(hung.requests).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(30_050);

    expect((await run).skipped).toEqual([
      { pluginId: 'a', code: 'timed_out', reason: 'It gave no answer in 30 s, twice.' },
    ]);
    expect(good.requests).toHaveLength(1);
  });

  test('asks a crashed subscriber again after its restart, since another plugin may have crashed', async () => {
    const running: FakePlugin[] = [];
    const dispatcher = createDispatcher({ find: (id) => finder(...running)(id) });
    const chains = createHookChains({ dispatcher, log: recordingLog() });
    running.push(
      fakePlugin('a', () => {
        running.pop();
        return { kind: 'gone' };
      }),
    );
    chains.subscribe('a', { name: hook });

    const run = chains.run(hook, input);
    await vi.advanceTimersByTimeAsync(1000);
    running.push(fakePlugin('a', () => returned({ fields: { year: 1979 } })));
    await vi.advanceTimersByTimeAsync(50);

    expect((await run).output.bundle.fields).toEqual({ title: 'Alien', year: 1979 });
  });

  test('skips a subscriber that crashed and is not back within 3 s', async () => {
    const running: FakePlugin[] = [];
    const dispatcher = createDispatcher({ find: (id) => finder(...running)(id) });
    const chains = createHookChains({ dispatcher, log: recordingLog() });
    running.push(
      fakePlugin('a', () => {
        running.pop();
        return { kind: 'gone' };
      }),
    );
    chains.subscribe('a', { name: hook });

    const run = chains.run(hook, input);
    await vi.advanceTimersByTimeAsync(3000);

    expect((await run).skipped).toEqual([
      { pluginId: 'a', code: 'plugin_not_running', reason: 'Plugin a is not running.' },
    ]);
  });

  test('does not retry an invalid delta, and merges nothing of it', async () => {
    const bad = fakePlugin('a', () => returned({ assets: [{}] }));
    const { chains } = chainsOver(bad);
    chains.subscribe('a', { name: hook });

    const run = await chains.run(hook, input);

    expect(bad.requests).toHaveLength(1);
    expect(run).toEqual({
      output: input,
      provenance: [],
      answers: [],
      skipped: [
        {
          pluginId: 'a',
          code: 'invalid_delta',
          reason: 'The delta is invalid: assets[0] must have the key "type".',
        },
      ],
    });
  });

  test('merges the valid keys of a delta, and reports each of the others', async () => {
    const delta = { fields: { year: 1979 }, assets: [{}], title: 'x' };
    const plugin = fakePlugin('a', () => returned(delta));
    const { chains, failures } = chainsOver(plugin);
    chains.subscribe('a', { name: hook });

    const { output, answers, skipped } = await chains.run(hook, input);

    expect(output.bundle.fields).toEqual({ title: 'Alien', year: 1979 });
    expect(answers).toEqual([{ pluginId: 'a', delta: { fields: { year: 1979 } } }]);
    expect(skipped).toEqual([]);
    expect(failures.map(([, { kind, message }]) => [kind, message])).toEqual([
      ['delta-refused', 'A key of the delta is left out: assets[0] must have the key "type".'],
      ['delta-refused', 'A key of the delta is left out: value must not have the key "title".'],
    ]);
  });

  test('reports a refused delta as a failure of the plugin', async () => {
    const bad = fakePlugin('a', () => returned({ assets: [{}] }));
    const { chains, failures } = chainsOver(bad);
    chains.subscribe('a', { name: hook });

    await chains.run(hook, input);

    const message = 'The delta is invalid: assets[0] must have the key "type".';
    const durationMs = expect.any(Number) as number;
    expect(failures).toEqual([
      ['a', { kind: 'delta-refused', handler: `hook ${hook}`, message, durationMs }],
    ]);
  });

  test('asks an observer like the others, drops its delta and reports that', async () => {
    const observer = fakePlugin('a', () => returned({ fields: { year: 1979 } }));
    const writer = fakePlugin('b', () => returned({ fields: { rating: 8 } }));
    const { chains, failures } = chainsOver(observer, writer);
    chains.subscribe('a', { name: hook }, { isObserver: true });
    chains.subscribe('b', { name: hook });

    const { output, provenance, skipped } = await chains.run(hook, input);

    expect(inputs(observer)).toEqual([{ name: hook, input }]);
    expect(output.bundle.fields).toEqual({ title: 'Alien', rating: 8 });
    expect(provenance).toEqual([{ pluginId: 'b', path: 'fields.rating' }]);
    expect(skipped).toEqual([]);
    expect(failures).toMatchObject([['a', { kind: 'delta-not-granted' }]]);
  });

  test('reports nothing for an observer that returns nothing', async () => {
    const { chains, failures } = chainsOver(fakePlugin('a', () => returned(null)));
    chains.subscribe('a', { name: hook }, { isObserver: true });

    await chains.run(hook, input);

    expect(failures).toEqual([]);
  });

  test('tells a plugin that returns the whole {itemId, bundle} how to return a delta', async () => {
    const echo = fakePlugin('a', ({ inputJson }) =>
      returned((JSON.parse(inputJson) as { input: unknown }).input),
    );
    const { chains, log } = chainsOver(echo);
    chains.subscribe('a', { name: hook });

    await chains.run(hook, input);

    expect(log.lines).toEqual([
      `warn Plugin a was skipped in ${hook}: The delta is invalid: it is the whole {itemId, bundle}; return only what you add, for example {"fields": {"year": 1999}}, or null for no change.`,
    ]);
  });

  test('refuses a delta above 2 Mi characters before it is parsed', async () => {
    const body = JSON.stringify({ fields: { text: 'x'.repeat(2 * 1024 * 1024) } });
    const { chains } = chainsOver(fakePlugin('a', () => ({ kind: 'returned', body })));
    chains.subscribe('a', { name: hook });

    const { skipped } = await chains.run(hook, input);

    expect(skipped).toMatchObject([{ pluginId: 'a', code: 'invalid_reply' }]);
  });

  test('treats an unknown handler as no change, once, and skips no subscriber', async () => {
    const plugin = fakePlugin('a', () => ({ kind: 'unknown-handler' }));
    const { chains } = chainsOver(plugin);
    chains.subscribe('a', { name: hook });

    expect(await chains.run(hook, input)).toMatchObject({
      output: input,
      provenance: [],
      skipped: [],
    });
    expect(plugin.requests).toHaveLength(1);
  });

  test('skips a subscriber whose undo comes while the chain runs', async () => {
    const late = fakePlugin('b');
    const first = fakePlugin('a', () => {
      undo();
      return returned(null);
    });
    const { chains } = chainsOver(first, late);
    chains.subscribe('a', { name: hook });
    const undo = chains.subscribe('b', { name: hook });

    await chains.run(hook, input);

    expect(late.requests).toHaveLength(0);
    expect(chains.hasSubscribers(hook)).toBe(true);
  });

  test.each([-1, 101, 1.5, NaN])('refuses order %d', (order) => {
    const { chains } = chainsOver();

    expect(() => chains.subscribe('a', { name: hook, order })).toThrow(
      new KernelError(
        'invalid_argument',
        `Hook order ${order} of "${hook}" is not an integer from 0 to 100.`,
      ),
    );
  });

  test.each(['pipeline.probe', 'toString', '__proto__'])(
    'refuses %s, which is not a hook',
    (name) => {
      const { chains } = chainsOver();

      expect(() => chains.subscribe('a', { name: name as typeof hook })).toThrow(
        new KernelError('invalid_argument', `Hook "${name}" is not in the catalogue.`),
      );
    },
  );
});

describe('pipeline.scan.prepare', () => {
  test('gives the input with all extensions and patterns that were added, empty lists for none', async () => {
    const a = fakePlugin('a', () => returned({ extensions: ['cbz'] }));
    const b = fakePlugin('b', () => returned({ extensions: ['cbr'], patterns: ['*.x'] }));
    const { chains } = chainsOver(a, b);
    const scan = { libraryType: 'comics', fsPlugin: 'local' };

    const before = await chains.run('pipeline.scan.prepare', scan);
    chains.subscribe('b', { name: 'pipeline.scan.prepare' });
    chains.subscribe('a', { name: 'pipeline.scan.prepare' });
    const after = await chains.run('pipeline.scan.prepare', scan);

    expect(before.output).toEqual({ ...scan, extensions: [], patterns: [] });
    expect(after.output).toEqual({ ...scan, extensions: ['cbz', 'cbr'], patterns: ['*.x'] });
    expect(after.provenance).toEqual([
      { pluginId: 'a', path: 'extensions[0]' },
      { pluginId: 'b', path: 'extensions[1]' },
      { pluginId: 'b', path: 'patterns[0]' },
    ]);
    expect(inputs(a).map((asked) => asked.input)).toEqual([scan]);
    expect(inputs(b).map((asked) => asked.input)).toEqual([{ ...scan, extensions: ['cbz'] }]);
  });
});

describe('pipeline.item.beforeActivate', () => {
  test('may be subscribed to and is never dispatched', async () => {
    const plugin = fakePlugin('a', () => returned({ activate: false }));
    const { chains } = chainsOver(plugin);
    const undo = chains.subscribe('a', { name: 'pipeline.item.beforeActivate' });

    const run = await chains.run('pipeline.item.beforeActivate', input);

    expect(run).toEqual({ output: input, provenance: [], answers: [], skipped: [] });
    expect(chains.hasSubscribers('pipeline.item.beforeActivate')).toBe(false);
    expect(plugin.requests).toEqual([]);
    undo();
  });
});

describe('requiresLocalFile', () => {
  test('is true while any subscriber of the hook asks for it', () => {
    const { chains } = chainsOver();
    chains.subscribe('a', { name: hook });
    expect(chains.requiresLocalFile(hook)).toBe(false);

    const undo = chains.subscribe('b', { name: hook, requiresLocalFile: true });
    expect(chains.requiresLocalFile(hook)).toBe(true);
    expect(chains.requiresLocalFile('pipeline.scan.prepare')).toBe(false);

    undo();
    expect(chains.requiresLocalFile(hook)).toBe(false);
  });
});
