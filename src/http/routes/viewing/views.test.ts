import { maySeeLibrary } from '../../../people/viewer/index.ts';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { bearer, createTestApp } from '../../../../test/support/servers/http.ts';
import { testPluginViewers } from '../../../../test/support/plugins/plugin-viewers.ts';
import type { ShownPiece } from '../../../../kernel/call/views/index.ts';
import { createPluginViews, createViewerRateLimit } from '../../../plugins/admin/index.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { viewRoutes } from './views.ts';

const pieces: readonly ShownPiece[] = [
  {
    type: 'metadata',
    pluginId: 'a-plugin',
    slot: 'detail-metadata',
    id: 'facts',
    title: 'Facts',
    layout: 'key-value',
    fields: [
      { key: 'Year', value: 1999 },
      { key: 'Rated', value: null, description: 'Nobody did.' },
      {
        key: 'Poster',
        value: true,
        image: '/api/assets/p',
        itemId: 'i',
        libraryId: 'l',
        entityId: 'e',
      },
    ],
  },
  {
    type: 'form',
    pluginId: 'a-plugin',
    slot: 'settings-panes',
    id: 'form',
    title: 'Form',
    fields: [
      {
        key: 'depth',
        label: 'Depth',
        input: 'slider',
        required: true,
        default: 3,
        options: [1, 'two', false],
        min: 1,
        max: 9,
        description: 'How deep.',
      },
    ],
    submit: { rpcMethod: 'save', label: 'Save' },
  },
  {
    type: 'action',
    pluginId: 'a-plugin',
    slot: 'detail-actions',
    id: 'go',
    label: 'Go',
    confirm: 'Really?',
    rpcMethod: 'go',
  },
];

let collected: unknown[];
let shown: unknown[];
let pressed: unknown[];
let app: HttpApp;

beforeEach(async () => {
  collected = [];
  shown = [];
  pressed = [];
  const views = createPluginViews({
    views: {
      collect: async (name, context, viewer) => {
        collected.push([name, context]);
        shown.push(viewer?.shownTo('a-plugin'));
        return pieces;
      },
      askedFor: () => ['a-plugin'],
    },
    callAction: async (...call) => {
      pressed.push(call.slice(0, 3));
      return '{"done":[1,2]}';
    },
    pace: createViewerRateLimit(createFakeClock()),
    mayView: async (viewer, { itemId, libraryId }) =>
      itemId !== 'hidden' && (libraryId === undefined || maySeeLibrary(viewer, libraryId)),
    maySend: async (_viewer, texts) => !Object.values(texts).includes('hidden'),
    toPlugins: testPluginViewers().toPlugins,
  });
  app = await createTestApp([mount(viewRoutes, { views })]);
  onTestFinished(() => app.close());
});

async function view(slot: string, context?: string, who = 'guest', headers = {}) {
  const query = context === undefined ? '' : `?context=${encodeURIComponent(context)}`;
  const reply = await app.inject({
    url: `/api/plugins/views/${slot}${query}`,
    headers: { ...bearer(who), ...headers },
  });
  return { status: reply.statusCode, body: reply.json<unknown>() };
}

describe('GET /api/plugins/views/:slot', () => {
  test('answers the array itself, with every field of each kind of UISchema', async () => {
    const context = JSON.stringify({ itemId: 'i', libraryType: 'movies' });

    expect(await view('ui.item.detail.panels', context)).toEqual({ status: 200, body: pieces });
  });

  test('passes the keys of the slot’s context to plugins, and nothing else that a client sends', async () => {
    const context = JSON.stringify({ itemId: 'i', libraryType: 'movies', isAdmin: true });

    await view('ui.item.detail.panels', context);

    expect(collected).toEqual([['ui.item.detail.panels', { itemId: 'i', libraryType: 'movies' }]]);
  });

  test('needs no context if the slot has none', async () => {
    expect((await view('ui.settings.sections', undefined, 'admin')).status).toBe(200);
    expect(collected).toEqual([['ui.settings.sections', {}]]);
  });

  test.each([
    ['no JSON', 'query.context must be one JSON object, URL-encoded.'],
    ['[]', 'query.context must be one JSON object, URL-encoded.'],
    ['null', 'query.context must be one JSON object, URL-encoded.'],
    ['{}', 'query.context lacks the key itemId, which ui.item.detail.panels needs.'],
    [
      '{"itemId":"i"}',
      'query.context lacks the key libraryType, which ui.item.detail.panels needs.',
    ],
    [
      '{"itemId":5,"libraryType":"tv"}',
      'query.context must have a text of 1 to 200 characters as itemId.',
    ],
  ])('answers 400 to the context %s', async (context, error) => {
    expect(await view('ui.item.detail.panels', context)).toEqual({ status: 400, body: { error } });
    expect(collected).toEqual([]);
  });

  test('answers 404 for a slot that is not in the specification', async () => {
    expect(await view('ui.nothing')).toEqual({
      status: 404,
      body: { error: 'View ui.nothing does not exist.' },
    });
  });

  test('answers 404, and asks no plugin, when the viewer may not see what the context names', async () => {
    const item = JSON.stringify({ itemId: 'hidden', libraryType: 'movies' });
    const library = JSON.stringify({ libraryId: 'series' });

    expect((await view('ui.item.detail.panels', item)).status).toBe(404);
    expect((await view('ui.library.header.actions', library, 'guest-of-films')).status).toBe(404);
    expect(collected).toEqual([]);
  });

  test('answers 404 when any text of the context names what the viewer may not see', async () => {
    const context = JSON.stringify({ itemId: 'i', sessionId: 'hidden' });

    expect((await view('ui.player.overlays', context)).status).toBe(404);
    expect(collected).toEqual([]);
  });

  test('tells plugins about the viewer: a role, a pseudonym of the profile, the first language', async () => {
    await view('ui.settings.sections', undefined, 'admin', {
      'accept-language': 'en;q=0.4, de-at',
    });
    await view('ui.library.header.actions', '{"libraryId":"films"}', 'guest');

    const word = expect.stringMatching(/^[A-Za-z0-9_-]{22}$/) as string;
    expect(shown).toEqual([
      { role: 'admin', profile: word, locale: 'de-AT' },
      { role: 'guest', profile: word, locale: null },
    ]);
  });

  test.each(['user', 'guest', 'admin-of-films'])(
    'answers 403 to a %s who requests the sections of the settings, and asks no plugin',
    async (who) => {
      expect(await view('ui.settings.sections', undefined, who)).toEqual({
        status: 403,
        body: { error: 'The view ui.settings.sections is for admins of the whole server.' },
      });
      expect(collected).toEqual([]);
    },
  );

  test('answers 429 with Retry-After to a user who asks more often than plugins work for one', async () => {
    const context = JSON.stringify({ libraryId: 'films' });
    for (let time = 0; time < 30; time += 1)
      expect((await view('ui.library.header.actions', context, 'user')).status).toBe(200);

    const reply = await app.inject({
      url: `/api/plugins/views/ui.library.header.actions?context=${encodeURIComponent(context)}`,
      headers: bearer('user'),
    });

    expect(reply.statusCode).toBe(429);
    expect(reply.headers['retry-after']).toMatch(/^\d+$/);
    expect((await view('ui.library.header.actions', context, 'admin')).status).toBe(200);
  });
});

describe('POST /api/plugins/views/actions', () => {
  const press = async (body: object, who = 'user') => {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/plugins/views/actions',
      headers: bearer(who),
      payload: body,
    });
    return { status: reply.statusCode, body: reply.json<unknown>() };
  };
  const button = {
    pluginId: 'a-plugin',
    rpcMethod: 'go',
    view: 'ui.item.detail.actions',
    context: { itemId: 'i', libraryType: 'movies' },
  };

  test('calls the action with the context of the view, and passes its answer on unchanged', async () => {
    expect(await press(button)).toEqual({ status: 200, body: { result: { done: [1, 2] } } });
    expect(pressed).toEqual([['a-plugin', 'go', { itemId: 'i', libraryType: 'movies' }]]);
  });

  test('adds the values of a form, which replace nothing of the context', async () => {
    const values = { depth: 3, itemId: 'another' };

    await press({ ...button, values });

    expect(pressed).toEqual([['a-plugin', 'go', { itemId: 'i', libraryType: 'movies', values }]]);
  });

  test('passes on only the keys of the context', async () => {
    await press({ ...button, context: { ...button.context, viewer: 'me', role: 'admin' } });

    expect(pressed).toEqual([['a-plugin', 'go', { itemId: 'i', libraryType: 'movies' }]]);
  });

  test.each([
    [{ view: 'ui.nothing' }, 404, 'View ui.nothing does not exist.'],
    [{ pluginId: 'another' }, 404, 'The plugin another in ui.item.detail.actions does not exist.'],
    [
      { context: { itemId: 'hidden', libraryType: 'movies' } },
      404,
      'A resource in query.context does not exist.',
    ],
    [
      { context: {} },
      400,
      'body.context lacks the key itemId, which ui.item.detail.actions needs.',
    ],
    [
      { context: { itemId: 'i', libraryType: 7 } },
      400,
      'body.context must have a text of 1 to 200 characters as libraryType.',
    ],
    [
      { view: 'ui.settings.sections' },
      403,
      'The view ui.settings.sections is for admins of the whole server.',
    ],
  ])('with %j answers %i', async (fault, status, error) => {
    expect(await press({ ...button, ...fault })).toMatchObject({ status, body: { error } });
    expect(pressed).toEqual([]);
  });

  test('is not for guests', async () => {
    expect((await press(button, 'guest')).status).toBe(403);
  });
});
