/** Conformance with the part "Views" of the service interface specification. */
import { afterEach, beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { createDispatcher } from '../../kernel/call/dispatch.ts';
import { createViewAggregator } from '../../kernel/call/views/index.ts';
import { uiSchema } from '../../manifests-schema/index.ts';
import { uiSlots, viewContextKeys, viewNames, type ViewName } from '../../plugin-api/index.ts';
import {
  fakePlugin,
  finder,
  never,
  recordingLog,
  returned,
  threw,
  type FakePlugin,
} from '../support/plugins/fake-plugins.ts';

/** The table of views: name and context. */
const viewTable = {
  'ui.item.detail.actions': ['itemId', 'libraryType'],
  'ui.item.detail.panels': ['itemId', 'libraryType'],
  'ui.library.header.actions': ['libraryId'],
  'ui.player.overlays': ['itemId', 'sessionId'],
  'ui.home.sections': [],
  'ui.shell': [],
  'ui.settings.sections': [],
} as const;

/** The sentence "Slot ids: …". */
const slotIds =
  'sidebar-discover, sidebar-bottom, header-actions, hero-banner, home-sections, detail-actions, detail-metadata, detail-sections, player-overlay, settings-panes, command-palette, routes'.split(
    ', ',
  );

/** The list "UISchema shapes", each with all its keys. */
const shapes = [
  { type: 'form', slot: 'settings-panes', id: 'f', title: 'Form', fields: [] },
  ...['key-value', 'list', 'chips', 'gallery'].map((layout) => ({
    type: 'metadata',
    slot: 'detail-metadata',
    id: layout,
    title: 'Facts',
    layout,
    fields: [],
  })),
  { type: 'action', slot: 'detail-actions', id: 'a', label: 'Do it', rpcMethod: 'run' },
  {
    type: 'action',
    slot: 'detail-actions',
    id: 'b',
    label: 'Do it',
    icon: 'bolt',
    confirm: 'Sure?',
    rpcMethod: 'run',
  },
];

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
});

function viewsOver(...plugins: readonly FakePlugin[]) {
  const log = recordingLog();
  const dispatcher = createDispatcher({ find: finder(...plugins), log });
  return createViewAggregator({
    dispatcher,
    log,
    actionsOf: () => [{ name: 'run', access: 'user' }],
  });
}

describe('### Views', () => {
  test('plugin-api knows the views of the table with their contexts, and no other', () => {
    expect(viewContextKeys).toEqual(viewTable);
    expect(viewNames).toEqual(Object.keys(viewTable));
    expectTypeOf<keyof typeof viewTable>().toEqualTypeOf<ViewName>();
  });

  test('plugin-api and the schema know the slot ids, in their order, and no other', () => {
    expect(uiSlots).toEqual(slotIds);
    expect(uiSchema.$defs.slot.enum).toEqual(slotIds);
  });

  test.each(viewNames)('%s asks every subscribed plugin at once, by view.dispatch, 6 s', (name) => {
    const plugins = ['a', 'b'].map((id) => fakePlugin(id, () => never));
    const views = viewsOver(...plugins);
    for (const { pluginId } of plugins) views.subscribe(pluginId, [name]);
    const context = Object.fromEntries(viewTable[name].map((key) => [key, 'x']));

    void views.collect(name, context);

    for (const { requests } of plugins) {
      expect(requests).toEqual([
        {
          method: 'view.dispatch',
          inputJson: JSON.stringify({ slot: name, context }),
          timeoutMs: 6000,
        },
      ]);
    }
  });

  test('the answer is the concatenation of the UISchema arrays of all subscribed plugins', async () => {
    const views = viewsOver(
      fakePlugin('b', () => returned(shapes.slice(3))),
      fakePlugin('a', () => returned(shapes.slice(0, 3))),
    );
    views.subscribe('b', ['ui.settings.sections']);
    views.subscribe('a', ['ui.settings.sections']);

    const shown = await views.collect('ui.settings.sections', {});

    // What a client gets beside is which plugin gave the piece, or it could press nothing.
    expect(shown).toEqual(
      shapes.map((shape, index) => ({ ...shape, pluginId: index < 3 ? 'a' : 'b' })),
    );
  });

  test('a subscriber that throws or takes longer than 6 s is not asked again, and the others count', async () => {
    const plugins = [
      fakePlugin('a', () => threw),
      fakePlugin('b', () => never),
      fakePlugin('c', () => returned(shapes)),
    ];
    const views = viewsOver(...plugins);
    for (const { pluginId } of plugins) views.subscribe(pluginId, ['ui.settings.sections']);

    const collected = views.collect('ui.settings.sections', {});
    await vi.advanceTimersByTimeAsync(6100);

    expect(await collected).toEqual(shapes.map((shape) => ({ ...shape, pluginId: 'c' })));
    expect(plugins.map(({ requests }) => requests.length)).toEqual([1, 1, 1]);
  });
});

describe('### Declaring subscriptions', () => {
  test("a declared view that the plugin does not handle yields 'unknown handler', a soft error", async () => {
    const views = viewsOver(fakePlugin('a', () => ({ kind: 'unknown-handler' })));
    views.subscribe('a', ['ui.settings.sections']);

    expect(await views.collect('ui.settings.sections', {})).toEqual([]);
  });
});
