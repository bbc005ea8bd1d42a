import { maySeeLibrary } from '../../accounts/index.ts';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp } from '../../../test/support/http.ts';
import { testPluginViewers } from '../../../test/support/plugin-viewers.ts';
import type { UISchema } from '../../../plugin-api/index.ts';
import { createPluginViews } from '../../operations/index.ts';
import { mount, type HttpApp } from '../http-app.ts';
import { viewRoutes } from './views.ts';

const pieces: readonly UISchema[] = [
  {
    type: 'metadata',
    slot: 'detail-metadata',
    id: 'facts',
    title: 'Facts',
    layout: 'key-value',
    fields: [{ label: 'Year', value: 1999, deep: { list: [1, null] } }],
  },
  { type: 'form', slot: 'settings-panes', id: 'form', title: 'Form', fields: [] },
  {
    type: 'action',
    slot: 'detail-actions',
    id: 'go',
    label: 'Go',
    confirm: 'Really?',
    rpcMethod: 'go',
  },
];

let collected: unknown[];
let shown: unknown[];
let app: HttpApp;

beforeEach(async () => {
  collected = [];
  shown = [];
  const views = createPluginViews({
    views: {
      collect: async (name, context, viewer) => {
        collected.push([name, context]);
        shown.push(viewer?.shownTo('a-plugin'));
        return pieces;
      },
    },
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

  test("hands plugins the keys of the slot's context, and nothing else that a client sends", async () => {
    const context = JSON.stringify({ itemId: 'i', libraryType: 'movies', isAdmin: true });

    await view('ui.item.detail.panels', context);

    expect(collected).toEqual([['ui.item.detail.panels', { itemId: 'i', libraryType: 'movies' }]]);
  });

  test('needs no context where the slot has none', async () => {
    expect((await view('ui.settings.sections')).status).toBe(200);
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

  test('answers 404 for a slot that the specification does not have', async () => {
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

  test('tells plugins for whom they answer: a role, a word for the profile, the first language', async () => {
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
});
