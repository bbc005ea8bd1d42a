import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ItemHookInput } from '../../../plugin-api/index.ts';
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
import type { PluginReply, PluginRequest } from '../running-plugin.ts';
import { createHookChains } from './index.ts';

const hook = 'pipeline.probe.afterProcess';

const itemOf = (itemId: string): ItemHookInput => ({
  itemId,
  bundle: {
    files: { media: [], auxiliary: [] },
    fields: { title: itemId },
    ids: {},
    assets: [],
    subtitles: [],
    entities: {},
  },
});

const items = ['a', 'b', 'c'].map(itemOf);

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  const left = vi.getTimerCount();
  vi.useRealTimers();
  expect(left).toBe(0);
});

function chainsOver(...plugins: readonly FakePlugin[]) {
  const dispatcher = createDispatcher({ find: finder(...plugins) });
  const chains = createHookChains({ dispatcher, log: recordingLog() });
  for (const { pluginId } of plugins) chains.subscribe(pluginId, { name: hook });
  return chains;
}

type Item = ItemHookInput;

/** The inputs of a call, one or many. */
function inputsOf({ inputJson }: PluginRequest): readonly Item[] {
  const { input, inputs } = JSON.parse(inputJson) as { input?: Item; inputs?: readonly Item[] };
  return inputs ?? (input === undefined ? [] : [input]);
}

const deltaFor = ({ itemId }: Item) => ({ fields: { year: itemId.length, seen: itemId } });

/** Answers as a guest does: one input by its delta, many by a list. */
function answer(request: PluginRequest): PluginReply {
  const deltas = inputsOf(request).map(deltaFor);
  const isMany = request.method === 'hook.dispatchAll';
  return returned(isMany ? deltas.map((value) => ({ value })) : deltas[0]);
}

const asked = ({ requests }: FakePlugin) =>
  requests.map((request) => [request.method, ...inputsOf(request).map(({ itemId }) => itemId)]);

const seenBy = (runs: readonly { readonly output: Item }[]) =>
  runs.map(({ output }) => output.bundle.fields);

const allSeen = [
  { title: 'a', year: 1, seen: 'a' },
  { title: 'b', year: 1, seen: 'b' },
  { title: 'c', year: 1, seen: 'c' },
];

describe('the chains of many inputs', () => {
  test('ask each subscriber about all of them in one call, after those before it', async () => {
    const first = fakePlugin('1', answer);
    const second = fakePlugin('2', answer);
    const chains = chainsOver(first, second);

    const runs = await chains.runAll(hook, items);

    expect(asked(first)).toEqual([['hook.dispatchAll', 'a', 'b', 'c']]);
    const [told = []] = second.requests.map(inputsOf);
    expect(told.map(({ bundle }) => bundle.fields)).toEqual(allSeen);
    expect(seenBy(runs)).toEqual(allSeen);
  });

  test('ask once more about only the input that failed, alone', async () => {
    const plugin = fakePlugin('1', (request) => {
      if (request.method === 'hook.dispatch') return answer(request);
      const answers = inputsOf(request).map((item) =>
        item.itemId === 'b'
          ? { error: { code: 'boom', message: 'It broke.' } }
          : { value: deltaFor(item) },
      );
      return returned(answers);
    });

    const runs = await chainsOver(plugin).runAll(hook, items);

    expect(asked(plugin)).toEqual([
      ['hook.dispatchAll', 'a', 'b', 'c'],
      ['hook.dispatch', 'b'],
    ]);
    expect(seenBy(runs)).toEqual(allSeen);
  });

  test.each<[string, PluginReply]>([
    ['throws', threw],
    ['gives no list', returned({ value: null })],
    ['gives a list of another length', returned([{ value: null }])],
  ])('ask about each input alone when a plugin %s for many', async (_, reply) => {
    const plugin = fakePlugin('1', (request) =>
      request.method === 'hook.dispatchAll' ? reply : answer(request),
    );

    const runs = await chainsOver(plugin).runAll(hook, items);

    expect(asked(plugin).slice(1)).toEqual([
      ['hook.dispatch', 'a'],
      ['hook.dispatch', 'b'],
      ['hook.dispatch', 'c'],
    ]);
    expect(seenBy(runs)).toEqual(allSeen);
  });

  test('let an input that hangs cost its own item two time-outs, and others nothing', async () => {
    const plugin = fakePlugin('1', (request) =>
      inputsOf(request).some(({ itemId }) => itemId === 'b') ? never : answer(request),
    );
    const pending = chainsOver(plugin).runAll(hook, items);
    await vi.advanceTimersByTimeAsync(3 * 31_000);

    const runs = await pending;

    expect(runs.map(({ skipped }) => skipped.map(({ code }) => code))).toEqual([
      [],
      ['timed_out'],
      [],
    ]);
    expect(seenBy(runs)).toEqual([allSeen[0], { title: 'b' }, allSeen[2]]);
  });

  test('send fewer inputs at a time to a plugin that failed with many, and later more again', async () => {
    let isBroken = true;
    const plugin = fakePlugin('1', (request) =>
      isBroken && request.method === 'hook.dispatchAll' ? threw : answer(request),
    );
    const chains = chainsOver(plugin);
    const four = [...items, itemOf('d')];
    const groups = async () => {
      const before = plugin.requests.length;
      await chains.runAll(hook, four);
      return asked({ ...plugin, requests: plugin.requests.slice(before) }).map(
        ([, ...ids]) => ids.length,
      );
    };

    expect(await groups()).toEqual([4, 1, 1, 1, 1]);
    isBroken = false;
    expect(await groups()).toEqual([2, 2]);
    expect(await groups()).toEqual([4]);
  });
});
