import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { uiSlots, type UISchema } from '../../../plugin-api/index.ts';
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
import type { DispatchViewer } from '../dispatch-viewer.ts';
import { createViewAggregator } from './index.ts';

const view = 'ui.item.detail.panels';
const context = { itemId: 'i', libraryType: 'movies' };

const metadata: UISchema = {
  type: 'metadata',
  slot: 'detail-metadata',
  id: 'facts',
  title: 'Facts',
  layout: 'key-value',
  fields: [{ key: 'Year', value: 1979 }],
};
const form: UISchema = {
  type: 'form',
  slot: 'settings-panes',
  id: 'settings',
  title: 'Settings',
  fields: [{ key: 'token', label: 'Token', input: 'text' }],
};
const action: UISchema = {
  type: 'action',
  slot: 'detail-actions',
  id: 'refresh',
  label: 'Refresh',
  icon: 'refresh',
  confirm: 'Sure?',
  rpcMethod: 'refresh',
};

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  const left = vi.getTimerCount();
  vi.useRealTimers();
  expect(left).toBe(0);
});

function viewsOver(...plugins: readonly FakePlugin[]) {
  const log = recordingLog();
  const dispatcher = createDispatcher({ find: finder(...plugins) });
  const views = createViewAggregator({
    dispatcher,
    log,
    actionsOf: () => [{ name: 'refresh', access: 'user' }],
  });
  for (const { pluginId } of plugins) views.subscribe(pluginId, [view]);
  return { views, log };
}

const giving = (pluginId: string, value: unknown) => fakePlugin(pluginId, () => returned(value));

describe('a view', () => {
  test('asks every subscriber by view.dispatch with {slot, context} and 6 s', async () => {
    const plugins = [giving('a', []), giving('b', [])];
    const { views } = viewsOver(...plugins);

    await views.collect(view, context);

    for (const { requests } of plugins) {
      expect(requests).toEqual([
        {
          method: 'view.dispatch',
          inputJson: JSON.stringify({ slot: view, context }),
          timeoutMs: 6000,
        },
      ]);
    }
  });

  test('asks only those who subscribed to it, each once', async () => {
    const plugin = giving('a', [metadata]);
    const { views } = viewsOver(plugin);
    const undo = views.subscribe('a', [view, 'ui.settings.sections']);

    expect(await views.collect(view, context)).toEqual([{ ...metadata, pluginId: 'a' }]);
    expect(await views.collect('ui.player.overlays', context)).toEqual([]);
    undo();
    expect(await views.collect('ui.settings.sections', {})).toEqual([]);
    expect(plugin.requests).toHaveLength(1);
  });

  test('concatenates all answers, by plugin id and then in the order of each plugin', async () => {
    const slow = fakePlugin('a', async () => {
      await vi.advanceTimersByTimeAsync(100);
      return returned([metadata, form]);
    });
    const { views } = viewsOver(giving('b', [action]), slow);

    expect(await views.collect(view, context)).toEqual([
      { ...metadata, pluginId: 'a' },
      { ...form, pluginId: 'a' },
      { ...action, pluginId: 'b' },
    ]);
  });

  test('returns the answers of nine plugins after 6 s when the tenth hangs', async () => {
    const nine = Array.from({ length: 9 }, (_, n) => giving(`p${n}`, [metadata]));
    const { views, log } = viewsOver(
      fakePlugin('hung', () => never),
      ...nine,
    );
    const startedAt = performance.now();

    const collected = views.collect(view, context);
    await vi.advanceTimersByTimeAsync(6100);

    expect(await collected).toHaveLength(9);
    expect(performance.now() - startedAt).toBeLessThanOrEqual(6100);
    expect(log.lines).toEqual([`warn Plugin hung failed in ${view}.`]);
  });

  test('says nothing of a suspended handler, which has a line of its own already', async () => {
    const code = 'handler_suspended';
    const outcome = { kind: 'threw', code, message: 'It is suspended.', durationMs: 0 } as const;
    const { views, log } = viewsOver(fakePlugin('hung', () => outcome));

    expect(await views.collect(view, context)).toEqual([]);
    expect(log.lines).toEqual([]);
    expect(views.counters('hung')).toEqual({ dropped: 0, failed: 1 });
  });

  test('does not retry, and treats a throw and an unknown handler as no answer', async () => {
    const bad = fakePlugin('a', () => threw);
    const without = fakePlugin('b', () => ({ kind: 'unknown-handler' }));
    const { views } = viewsOver(bad, without, giving('c', [form]));

    expect(await views.collect(view, context)).toEqual([{ ...form, pluginId: 'c' }]);
    expect(bad.requests).toHaveLength(1);
    expect(views.counters('a')).toEqual({ dropped: 0, failed: 1 });
    expect(views.counters('b')).toEqual({ dropped: 0, failed: 0 });
  });
});

describe('a piece of user interface', () => {
  test.each(uiSlots)('may be placed in %s', async (slot) => {
    const { views } = viewsOver(giving('a', [{ ...form, slot }]));

    expect(await views.collect(view, context)).toEqual([{ ...form, slot, pluginId: 'a' }]);
  });

  test.each([
    ['in an unknown slot', { ...form, slot: 'footer' }, 'slot must be one of ["sidebar-discover"'],
    [
      'of an unknown type',
      { ...form, type: 'chart' },
      'type must be one of ["form","metadata","action"]',
    ],
    ['without a type', {}, 'value must have the key "type"'],
    ['with a key too many', { ...form, html: '<b>' }, 'value must not have the key "html"'],
    ['with a key too few', { ...metadata, layout: undefined }, 'value must have the key "layout"'],
    [
      'with an unknown layout',
      { ...metadata, layout: 'grid' },
      'layout must be one of ["key-value","list","chips","gallery"]',
    ],
    ['with fields that are not an array', { ...form, fields: {} }, 'fields must be array'],
    ['that is not an object', 'form', 'value must be object'],
    ['that is null', null, 'value must be object'],
    [
      'that sends a form to what the manifest does not list',
      { ...form, submit: { rpcMethod: 'wipe', label: 'Wipe' } },
      'rpcMethod "wipe" is not listed in the manifest\'s actions',
    ],
    [
      'with a picture of another host',
      {
        ...metadata,
        layout: 'gallery',
        fields: [{ key: 'a', image: 'https://tracker.example/a' }],
      },
      'fields[0].image',
    ],
    [
      'with a picture that another plugin could choose',
      { ...metadata, fields: [{ key: 'a', image: '/api/assets/../plugins' }] },
      'fields[0].image',
    ],
    [
      'with an address to follow',
      { ...metadata, fields: [{ key: 'a', href: 'https://tracker.example' }] },
      'fields[0] must not have the key "href"',
    ],
    [
      'with markup',
      { ...metadata, fields: [{ key: 'a', html: '<img onerror=alert(1)>' }] },
      'fields[0] must not have the key "html"',
    ],
    [
      'with a fact that is an object',
      { ...metadata, fields: [{ key: 'a', value: {} }] },
      'fields[0].value must be string',
    ],
    [
      'with a field of no known kind',
      { ...form, fields: [{ key: 'a', label: 'A', input: 'iframe' }] },
      'fields[0].input must be one of ["text"',
    ],
    [
      'that calls what the manifest does not list',
      { ...action, rpcMethod: 'wipe' },
      'rpcMethod "wipe" is not listed in the manifest\'s actions',
    ],
    [
      'with a prototype key',
      { ...form, fields: [JSON.parse('{"__proto__": 1}')] },
      'fields[0].__proto__ is a key that is never allowed',
    ],
  ])(
    '%s is dropped and reported, and the valid ones of the plugin stay',
    async (_, piece, reason) => {
      const { views, log } = viewsOver(giving('a', [metadata, piece, action]));

      expect(await views.collect(view, context)).toEqual([
        { ...metadata, pluginId: 'a' },
        { ...action, pluginId: 'a' },
      ]);
      expect(views.counters('a')).toEqual({ dropped: 1, failed: 0 });
      expect(log.lines).toEqual([
        expect.stringContaining(
          `warn Plugin a sent an invalid piece to ${view}: piece 1: ${reason}`,
        ),
      ]);
    },
  );

  test('beyond the fiftieth of an answer is dropped and counted', async () => {
    const { views } = viewsOver(
      giving(
        'a',
        Array.from({ length: 60 }, () => form),
      ),
    );

    expect(await views.collect(view, context)).toHaveLength(50);
    expect(views.counters('a')).toEqual({ dropped: 10, failed: 0 });
  });

  test('is an entry of an array: another answer is dropped, and null means nothing', async () => {
    const { views } = viewsOver(giving('a', form), giving('b', null));

    expect(await views.collect(view, context)).toEqual([]);
    expect(views.counters('a')).toEqual({ dropped: 1, failed: 0 });
    expect(views.counters('b')).toEqual({ dropped: 0, failed: 0 });
  });

  test('comes in an answer of 512 Ki characters at most', async () => {
    const big = { ...form, title: 'x'.repeat(512 * 1024) };
    const { views } = viewsOver(giving('a', [big]), giving('b', [form]));

    expect(await views.collect(view, context)).toEqual([{ ...form, pluginId: 'b' }]);
    expect(views.counters('a')).toEqual({ dropped: 0, failed: 1 });
  });

  test('may have a form that calls an action, and pictures of the server', async () => {
    const pieces: readonly UISchema[] = [
      { ...form, submit: { rpcMethod: 'refresh', label: 'Save' } },
      {
        ...metadata,
        layout: 'gallery',
        fields: [{ key: 'a', image: '/api/assets/0-a_B', itemId: 'i' }],
      },
    ] as const;
    const { views } = viewsOver(giving('a', pieces));

    expect(await views.collect(view, context)).toEqual(
      pieces.map((piece) => ({ ...piece, pluginId: 'a' })),
    );
  });
});

describe('a text of a piece', () => {
  const piece = { ...metadata, title: { text: 'facts', with: { count: 3 } } };
  const words = (value: unknown) => {
    const asked: unknown[] = [];
    const log = recordingLog();
    const views = createViewAggregator({
      dispatcher: createDispatcher({ find: finder(giving('a', value)) }),
      log,
      actionsOf: () => [{ name: 'refresh', access: 'user' }],
      textOf: (id, one) => {
        asked.push([id, one]);
        return one.key === 'long' ? { ok: true, text: 'x'.repeat(10_000) } : textOf(one.key);
      },
    });
    views.subscribe('a', [view]);
    return { views, asked, log };
  };
  const textOf = (key: string) =>
    key === 'none'
      ? ({ ok: false, reason: 'the text "none" is not there' } as const)
      : ({ ok: true, text: `Words of ${key}` } as const);

  test('may be a key, and is shown in the language of the viewer', async () => {
    const { views, asked } = words([
      { ...piece, fields: [{ key: { text: 'year' }, value: { text: 'old' } }] },
      { ...form, submit: { rpcMethod: 'refresh', label: { text: 'save' } } },
    ]);
    const person = { role: 'user', profile: 'p', locale: 'de' } as const;

    expect(await views.collect(view, context, { identity: {}, shownTo: () => person })).toEqual([
      {
        ...metadata,
        title: 'Words of facts',
        fields: [{ key: 'Words of year', value: 'Words of old' }],
        pluginId: 'a',
      },
      { ...form, submit: { rpcMethod: 'refresh', label: 'Words of save' }, pluginId: 'a' },
    ]);
    expect(asked[0]).toEqual(['a', { locale: 'de', key: 'facts', values: { count: 3 } }]);
  });

  test.each([
    ['that is not there', { text: 'none' }, 'the text "none" is not there'],
    ['with a key too many', { text: 'facts', html: '<b>' }, 'title must be string'],
    ['that is longer than its place', { text: 'long' }, 'title must NOT have more than 500'],
  ])('%s drops its piece alone', async (_, title, reason) => {
    const { views, log } = words([{ ...metadata, title }, form]);

    expect(await views.collect(view, context)).toEqual([{ ...form, pluginId: 'a' }]);
    expect(log.lines).toEqual([expect.stringContaining(`piece 0: ${reason}`)]);
  });

  test('makes no answer longer than one may be', async () => {
    const fields = Array.from({ length: 100 }, () => ({ key: 'a', value: { text: 'long' } }));
    const { views, log } = words([{ ...metadata, fields }]);

    expect(await views.collect(view, context)).toEqual([]);
    expect(log.lines).toEqual([expect.stringContaining('more than 524288 characters')]);
  });
});

describe('a viewer', () => {
  const personOf = (role: 'admin' | 'user' | 'guest'): DispatchViewer => ({
    identity: role,
    shownTo: (pluginId) => ({ role, profile: `p-${pluginId}`, locale: null }),
  });
  const submit = (rpcMethod: string): UISchema => ({ ...form, submit: { rpcMethod, label: 'Go' } });
  const button = (rpcMethod: string): UISchema => ({ ...action, rpcMethod });

  function open() {
    const plugin = giving('a', [
      metadata,
      button('tidy'),
      button('count'),
      submit('tidy'),
      submit('count'),
    ]);
    const log = recordingLog();
    const views = createViewAggregator({
      dispatcher: createDispatcher({ find: finder(plugin) }),
      log,
      actionsOf: () => [
        { name: 'tidy', access: 'admin' },
        { name: 'count', access: 'user' },
      ],
    });
    views.subscribe('a', [view]);
    return { views, plugin, log };
  }

  test.each([
    ['admin', 5],
    ['user', 3],
    ['guest', 3],
  ] as const)('who is %s is shown what they may press', async (role, count) => {
    const { views, log } = open();

    const shown = await views.collect(view, context, personOf(role));

    expect(shown).toHaveLength(count);
    expect(JSON.stringify(shown).includes('tidy')).toBe(role === 'admin');
    expect([log.lines, views.counters('a')]).toEqual([[], { dropped: 0, failed: 0 }]);
  });

  test('goes with the question to each plugin', async () => {
    const { views, plugin } = open();
    const viewer = personOf('user');

    await views.collect(view, context, viewer);

    expect(plugin.requests).toMatchObject([{ method: 'view.dispatch', viewer }]);
  });
});
