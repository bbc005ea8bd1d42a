import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  bookOf,
  episodeOf,
  openMixedLibrary,
  trackOf,
  type MixedLibrary,
} from '../../../../test/support/library/mixed-library.ts';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { bearer, createTestApp } from '../../../../test/support/servers/http.ts';
import { serverViewer, visibilityOfLibraries, type Viewer } from '../../../people/viewer/index.ts';
import { Collections } from '../../../viewing/collections/index.ts';
import { createHome, type HomePage, type HomeRow } from '../../../viewing/home/index.ts';
import { createUuidV7 } from '../../../platform/uuid-v7.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { createResponseCache } from '../../response-cache.ts';
import { homeRoutes } from './home.ts';

type Piece = NonNullable<HomeRow['view']>;

let app: HttpApp;
let library: MixedLibrary;
let viewer: Viewer;
let series: string;
let films: string;
let homeRows: readonly string[] = [];
/** What plugins answer; undefined = no plugin gives rows. */
let pieces: (() => Promise<readonly Piece[]>) | undefined;
const clock = createFakeClock();

beforeAll(async () => {
  library = await openMixedLibrary();
  const { database } = library.storage;
  const newId = createUuidV7({ now: Date.now });
  const collections = new Collections({
    ...{ ...library, database, newId, now: Date.now },
    events: { emit: () => undefined },
  });
  const home = createHome({
    ...{ ...library, database, collections, clock },
    views: {
      isAsked: () => pieces !== undefined,
      collect: async () => (await pieces?.()) ?? [],
    },
    preferences: { homeRows: async () => homeRows },
  });
  app = await createTestApp(
    [mount(homeRoutes, { home, cache: createResponseCache(library.storage) })],
    { authenticate: async () => ({ viewer, isLocked: false, routes: null }) },
  );
  films = await library.fill('Films', 'movies', [
    { title: 'Alien' },
    { title: 'Brazil' },
    { title: 'Charade', metadata: { certification: 'FSK 18' } },
  ]);
  series = await library.fill('Series', 'tv', [
    episodeOf('Ants', 1, 1),
    episodeOf('Ants', 1, 2),
    episodeOf('Bones', 1, 1),
    episodeOf('Bones', 1, 2),
    episodeOf('Bones', 1, 3),
  ]);
  await library.fill('Music', 'music', [
    trackOf('Nina', 'Wild', 'Lilac'),
    trackOf('Nina', 'Wild', 'Zoo'),
  ]);
  await library.fill('Books', 'books', [
    bookOf('Discworld', 'Mort'),
    bookOf('Discworld', 'Sourcery'),
    bookOf('Lonely', 'One'),
  ]);
  await collections.create({ distributedId: 'mine', name: 'Mine' }, serverViewer);
});

beforeEach(async () => {
  viewer = serverViewer;
  homeRows = [];
  pieces = undefined;
  await library.storage.database.write(async (trx) => {
    for (const table of ['playback', 'item_marks', 'entity_marks']) await trx(table).delete();
  });
});

afterAll(async () => {
  await app.close();
  await library.close();
});

/** Preferences are in the database: a change of them is a write. */
async function arrange(wanted: readonly string[]): Promise<void> {
  homeRows = wanted;
  await library.marks.rate(await library.itemId('Alien'), null, serverViewer);
}

async function page(query = ''): Promise<HomePage> {
  const reply = await app.inject({ url: `/api/home${query}`, headers: bearer('user') });
  if (reply.statusCode !== 200) throw new Error(reply.body);
  return reply.json();
}

/** Each row as its kind or library, with the titles of its tiles. */
async function rows(query = ''): Promise<readonly (readonly [string, readonly string[]])[]> {
  return (await page(query)).rows.map((row) => [
    row.title ?? row.kind,
    row.tiles.map(({ title, subtitle }) => (subtitle === null ? title : `${title} ${subtitle}`)),
  ]);
}

const news = [
  ['Books', ['One Lonely', 'Discworld']],
  ['Films', ['Charade', 'Brazil', 'Alien']],
  ['Music', ['Wild Nina']],
  ['Series', ['Bones', 'Ants']],
] as const;

const sorted = (all: Awaited<ReturnType<typeof rows>>) =>
  all.map(([name, titles]) => [name, titles.toSorted()] as const);

describe('GET /api/home', () => {
  test('shows what is new in each library, episodes by show, tracks by album and books by series', async () => {
    expect(sorted(await rows())).toEqual([...sorted(news), ['collections', ['Mine']]]);
  });

  test('gives tiles: of items as in lists, of entities with counts, of collections', async () => {
    await library.watch('Ants S1E1');
    await library.watch('Ants S1E2');
    const { rows: all, complete } = await page();
    const tileOf = (title: string) =>
      all.flatMap(({ tiles }) => tiles).find((tile) => tile.title === title);
    const blank = { year: null, picture: null, favourite: false, badges: [], subtitle: null };

    expect(complete).toBe(true);
    expect(tileOf('Alien')).toEqual({
      ...{ ...blank, kind: 'item', id: await library.itemId('Alien'), type: 'film' },
      ...{ title: 'Alien', progress: 0, watched: false, itemCount: null, unwatchedCount: null },
    });
    expect(tileOf('Ants')).toEqual({
      ...{ ...blank, kind: 'entity', id: await library.entityId('show', 'Ants'), type: 'show' },
      ...{ title: 'Ants', progress: 1, watched: true, itemCount: 2, unwatchedCount: 0 },
    });
    expect(tileOf('Mine')).toMatchObject({ kind: 'collection', type: 'collection', itemCount: 0 });
  });

  test('shows an item in one row only but for favourites, and no show in a row of new things that is continued or next', async () => {
    await library.begin('Alien');
    await library.watch('Bones S1E1');
    for (const title of ['Alien', 'Brazil', 'Bones S1E2'])
      await library.marks.setFavourite(await library.itemId(title), true, viewer);
    const ants = await library.entityId('show', 'Ants');
    await library.marks.setFavouriteEntity(ants, true, viewer);

    expect(sorted(await rows())).toEqual([
      ['continue', ['Alien']],
      ['nextUp', ['Bones S1 E2']],
      ['Books', ['Discworld', 'One Lonely']],
      ['Films', ['Brazil', 'Charade']],
      ['Music', ['Wild Nina']],
      ['Series', ['Ants']],
      ['favourites', ['Ants', 'Brazil']],
      ['collections', ['Mine']],
    ]);
  });

  test('shows the beginnings of /api/continue-watching and /api/next-up', async () => {
    await library.begin('Alien');
    await library.begin('Brazil');
    await library.watch('Bones S1E1');
    await library.watch('Ants S1E1');
    const { rows: all } = await page();
    const idsOf = (kind: string) => all.find((row) => row.kind === kind)?.tiles.map(({ id }) => id);
    const begun = await library.playback.continueWatching(viewer, {});
    const next = await library.playback.nextUp(viewer, {});

    expect(idsOf('continue')).toEqual(begun.items.map(({ id }) => id));
    expect(idsOf('nextUp')).toEqual(next.items.map(({ id }) => id));
    expect(idsOf('nextUp')).toHaveLength(2);
  });

  test('shows the rows in the order of the profile, without those that it took away', async () => {
    await library.begin('Alien');
    await arrange([`new:${films}`, 'nothing', 'collections', `-new:${series}`, '-favourites']);

    expect((await rows()).map(([name]) => name)).toEqual([
      'Films',
      'collections',
      'continue',
      'Books',
      'Music',
    ]);
  });

  test('shows what the viewer may see, of the viewer’s own profile', async () => {
    await library.begin('Alien');
    viewer = { ...serverViewer, role: 'user', profileId: 'other' };
    expect((await rows()).map(([name]) => name)).not.toContain('continue');

    viewer = { ...viewer, userId: 'other', visibility: visibilityOfLibraries([films]) };
    expect(await rows()).toEqual([['Films', ['Charade', 'Brazil', 'Alien']]]);
    const limits = new Map([[films, [[{ system: 'FSK', label: '18' }]]] as const]);
    viewer = { ...viewer, visibility: { libraries: limits, showsHidden: false } };
    expect(await rows()).toEqual([['Films', ['Charade']]]);
  });

  test('is tagged, as lists are', async () => {
    const { headers } = await app.inject({ url: '/api/home', headers: bearer('user') });
    expect(headers.etag).toBeDefined();
  });

  test('bounds the tiles of each row', async () => {
    expect((await page('?limit=1')).rows.map(({ tiles }) => tiles.length)).toEqual([1, 1, 1, 1, 1]);
    const reply = await app.inject({ url: '/api/home?limit=51', headers: bearer('user') });
    expect(reply.statusCode).toBe(400);
  });

  test('follows each write, and shows an episode that came after the last one as next', async () => {
    const before = await page();
    for (const at of [1, 2]) await library.watch(`Ants S1E${at}`);
    expect(await page()).not.toEqual(before);
    expect((await rows()).map(([name]) => name)).not.toContain('nextUp');

    await library.fill('Series', 'tv', [episodeOf('Ants', 1, 3)]);

    expect((await rows())[0]).toEqual(['nextUp', ['Ants S1 E3']]);
    const next = await library.playback.nextUp(viewer, {});
    expect(next.items.map(({ title }) => title)).toEqual(['Ants S1E3']);
  });
});

describe('rows of plugins', () => {
  const piece: Piece = {
    ...{ type: 'metadata', pluginId: 'radio', slot: 'home-sections', id: 'stations' },
    ...{ title: 'Stations', layout: 'list', fields: [{ key: 'One' }] },
  };

  test('stand behind the others, and can be arranged', async () => {
    pieces = async () => [piece];

    const { headers } = await app.inject({ url: '/api/home', headers: bearer('user') });
    expect(headers.etag).toBeUndefined();
    const row = { id: 'plugin:radio:stations', kind: 'plugin', title: 'Stations', libraryId: null };
    expect((await page()).rows.at(-1)).toEqual({ ...row, tiles: [], view: piece });
    await arrange(['plugin:radio:stations']);
    expect((await page()).rows[0]?.id).toBe('plugin:radio:stations');
  });

  test('of a plugin that hangs are left out, and the page says so', async () => {
    const { promise: never, resolve } = Promise.withResolvers<readonly Piece[]>();
    const { promise: isAsked, resolve: noteAsked } = Promise.withResolvers<true>();
    pieces = () => {
      noteAsked(true);
      return never;
    };

    const answer = page();
    await isAsked;
    await clock.advance(250);

    const { rows: all, complete } = await answer;
    expect(all.map(({ kind }) => kind)).toEqual(['new', 'new', 'new', 'new', 'collections']);
    expect(complete).toBe(false);
    resolve([]);
  });

  test('that cannot be asked for are left out', async () => {
    pieces = () => Promise.reject(new Error('The plugin is asked too often.'));

    expect((await page()).complete).toBe(false);
  });
});
