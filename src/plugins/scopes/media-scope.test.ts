/** `host.media` over a real library: what a plugin gets with its grant, and what with a viewer's access. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DispatchViewer, HostService, Reach } from '../../../kernel/index.ts';
import type { MediaItem, MediaPage, MediaQuery } from '../../../plugin-api/index.ts';
import {
  answerByFolder,
  openTestLibrary,
  type TestLibrary,
} from '../../../test/support/library/library.ts';
import { testPluginViewers } from '../../../test/support/plugins/plugin-viewers.ts';
import { serverViewer, visibilityOfLibraries } from '../../people/viewer/index.ts';
import { playbackMigrations } from '../../viewing/playback/index.ts';
import { createPluginReach, type PluginReach } from './index.ts';

const viewers = testPluginViewers();
let library: TestLibrary;
let reach: PluginReach;
const ids = { Films: '', Shows: '', Secret: '' };
const items = new Map<string, string>();

beforeAll(async () => {
  const parts: Parameters<typeof openTestLibrary>[0] = {
    mediaScopeFor: (caller) => reach.mediaScopeFor(caller),
    providers: (key) => (key === 'search' ? ['searcher'] : ['by-folder']),
    call: async (pluginId, method, input) => {
      if (method !== 'search.query')
        return answerByFolder(pluginId, method, input, { timeoutMs: 1 });
      const hits = [...items.values()].map((id) => ({ id, confidence: 0.5 }));
      return { items: hits, entities: [], itemsTotal: hits.length };
    },
  };
  library = await openTestLibrary(parts, undefined, [playbackMigrations]);
  reach = createPluginReach({
    ...library,
    viewers,
    inspect: async () => ({ ok: true }),
    runsJobs: () => false,
    personOf: async () => null,
    ownsSessions: async () => true,
    authors: {
      withSlug: () => [],
      runnerOf: () => undefined,
      reachOf: () => 'all',
      isOwn: () => false,
    },
  });
  await fill('Films', ['Alien (1979)', 'Brazil (1985)', 'Kids/Cars (2006)', 'Kids/Up (2009)']);
  await fill('Shows', ['Yes (1980)']);
  await fill('Secret', ['Vault (2011)']);
  const all = await library.items.list(serverViewer, {});
  for (const { id, title } of all.items) items.set(title, id);
  await library.libraries.update(ids.Secret, { hidden: true }, serverViewer);
});

afterAll(() => library.close());

async function fill(name: keyof typeof ids, folders: readonly string[]): Promise<void> {
  const root = `file:///${name}`;
  const made = await library.libraries.create({ name, type: 'movies', roots: [root] });
  ids[name] = made.id;
  const files = folders
    .map((folder) => `${root}/${folder.split('/').map(encodeURIComponent).join('/')}/a.mkv`)
    .sort()
    .map((uri, at) => ({ uri, size: 100 + at, modifiedAt: 1 }));
  await library.reconcile({
    ...{ libraryId: made.id, root, files },
    ...{ after: null, through: null, unreadable: [] },
  });
}

async function media<Answer>(
  method: keyof HostService['methods'],
  input: object,
  caller: {
    readonly reach?: Reach;
    readonly viewer?: DispatchViewer;
    readonly pluginId?: string;
  } = {},
): Promise<Answer> {
  const { signal } = new AbortController();
  const run = library.mediaService.methods[method]?.run as (
    input: object,
    caller: object,
  ) => Promise<unknown>;
  const usual = { pluginId: 'example', granted: {}, reach: 'all', viewer: null, signal };
  return (await run(input, { ...usual, ...caller })) as Answer;
}

type Caller = Parameters<typeof media>[2];
const list = (query: MediaQuery, caller?: Caller) => media<MediaPage>('list', query, caller);
const titles = async (caller?: Caller, query: MediaQuery = {}) =>
  (await list(query, caller)).items.map(({ title }) => title);

const person = (libraries: readonly string[] | null, showsHidden = false) =>
  viewers.toPlugins({
    ...serverViewer,
    visibility: {
      ...(libraries === null ? serverViewer.visibility : visibilityOfLibraries(libraries)),
      showsHidden,
    },
  });
const onlyKids = (): Reach => [{ id: ids.Films, folders: ['file:///Films/Kids'] }];

describe('host.media for nobody', () => {
  test('gives what the grant allows, a hidden library by its name alone', async () => {
    expect(await titles({ reach: [{ id: ids.Shows }] })).toEqual(['Yes']);
    expect(await titles({ reach: [{ id: ids.Shows }, { id: ids.Secret }] })).toEqual([
      'Vault',
      'Yes',
    ]);
    expect(await titles({ reach: [] })).toEqual([]);
  });

  test('fills a page with items of granted folders alone, and does not count them', async () => {
    const first = await list({ limit: 1, includeTotal: true }, { reach: onlyKids() });
    const rest = await list({ limit: 5, cursor: first.nextCursor ?? '' }, { reach: onlyKids() });

    expect(first).toMatchObject({ items: [{ title: 'Kids/Cars' }], total: null });
    expect(rest).toMatchObject({ items: [{ title: 'Kids/Up' }], nextCursor: null });
    await expect(
      media('get', { itemId: items.get('Alien') }, { reach: onlyKids() }),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect(await media('counts', {}, { reach: onlyKids() })).toMatchObject({
      total: null,
      libraries: [{ id: ids.Films, items: null }],
    });
  });

  test.each<MediaQuery>([
    { watched: 'watched' },
    { favourite: true },
    { myRating: '4..' },
    { collectionId: 'c' },
    { sortBy: 'playCount' },
    { sortBy: 'lastPlayedAt' },
  ])('refuses %j, which belongs to a profile', async (query) => {
    await expect(list(query)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('belongs to a profile') as string,
    });
    expect(await titles({ viewer: person(null) }, { sortBy: 'playCount' })).toHaveLength(5);
  });
});

describe('host.media for a viewer', () => {
  test('gives what both the grant and the viewer may see', async () => {
    const viewer = person([ids.Shows]);

    expect(await titles({ viewer })).toEqual(['Yes']);
    expect(await titles({ viewer, reach: [{ id: ids.Films }] })).toEqual([]);
    expect(await titles({ viewer: person(null) })).not.toContain('Vault');
    expect(await titles({ viewer: person(null, true) })).toContain('Vault');
    expect(await titles({ viewer: person(null, true), reach: onlyKids() })).toEqual([
      'Kids/Cars',
      'Kids/Up',
    ]);
    const stranger: DispatchViewer = {
      identity: 'x',
      shownTo: () => ({ role: 'admin', profile: 'p', locale: null }),
    };
    await expect(list({}, { viewer: stranger })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  test('gives the items of the same request over HTTP, without a path even for an admin', async () => {
    const viewer = person(null);
    const query = { year: '1979..1985', sortBy: 'year', sortOrder: 'desc', limit: 2 } as const;
    const wanted = { ...serverViewer, role: 'user' } as const;

    expect(await list(query, { viewer })).toEqual(await library.items.list(wanted, query));
    expect(await list({ ...query, fields: 'tile' }, { viewer })).toEqual(
      await library.items.tiles(wanted, query),
    );
    const item = await media<MediaItem>('get', { itemId: items.get('Alien') }, { viewer });
    expect(item).toMatchObject({ title: 'Alien', files: [{ filename: 'a.mkv' }] });
    expect(JSON.stringify([item, await list({}, { viewer })])).not.toContain('file:');
  });

  test('counts by library', async () => {
    expect(await media('counts', { year: '2000..' }, { viewer: person(null) })).toEqual({
      total: 2,
      libraries: [{ id: ids.Films, name: 'Films', type: 'movies', items: 2 }],
    });
  });

  test('searches, except for the plugin that serves search', async () => {
    const found = async (caller: Caller) =>
      (await media<{ items: readonly MediaItem[] }>('search', { q: 'a' }, caller)).items
        .map(({ title }) => title)
        .sort();

    expect(await found({ viewer: person([ids.Shows]) })).toEqual(['Yes']);
    expect(await found({ reach: onlyKids() })).toEqual(['Kids/Cars', 'Kids/Up']);
    await expect(found({ pluginId: 'searcher' })).rejects.toMatchObject({ code: 'conflict' });
  });

  test.each<readonly [object, string, string]>([
    [{ year: 'x' }, 'invalid_argument', 'year must be a range'],
    [{ cursor: 'x' }, 'invalid_argument', 'cursor'],
    [{ letter: 'S', sortBy: 'year' }, 'invalid_argument', 'letter is for a list by title'],
  ])('refuses %j by its name', async (query, code, message) => {
    await expect(list(query, { viewer: person(null) })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(new RegExp(`^${message}`)) as string,
    });
  });
});
