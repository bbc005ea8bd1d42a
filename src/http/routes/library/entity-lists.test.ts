import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bookOf,
  episodeOf,
  openMixedLibrary,
  trackOf,
  type MixedLibrary,
} from '../../../../test/support/library/mixed-library.ts';
import { bearer, createTestApp } from '../../../../test/support/servers/http.ts';
import { serverViewer, type Viewer } from '../../../people/viewer/index.ts';
import { playbackOfProfiles } from '../../../viewing/playback/index.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { entityRoutes } from './entities.ts';
import { createResponseCache } from '../../response-cache.ts';
import type { ListedEntity } from '../../../contract/resources/library/catalogue.ts';

const headers = bearer('user');

let app: HttpApp;
let library: MixedLibrary;
let viewer: Viewer = serverViewer;
let kids: Viewer;

beforeAll(async () => {
  library = await openMixedLibrary();
  app = await createTestApp(
    [mount(entityRoutes, { ...library, cache: createResponseCache(library.storage) })],
    {
      authenticate: async () => ({ viewer, isLocked: false, routes: null }),
    },
  );
  const series = await library.fill('Series', 'tv', [
    episodeOf('Bones', 1, 10, { year: 2005, certification: 'FSK 12' }),
    episodeOf('Bones', 1, 9, { year: 2005 }),
    episodeOf('Bones', 0, 1, { year: 2004 }),
    episodeOf('Bones', 2, 1, { year: 2006, certification: 'FSK 18' }),
    episodeOf('Ants', 1, 1, { year: 2010, certification: 'FSK 6' }),
    { title: 'Bones: making of', entities: { show: ['Bones'] } },
  ]);
  const music = await library.fill('Music', 'music', [
    trackOf('Nina', 'Wild', 'Lilac', { disc: 2, track: 1, year: 1966 }),
    trackOf('Nina', 'Wild', 'Zoo', { disc: 1, track: 2, year: 1966 }),
    trackOf('Nina', 'Wild', 'Alpha', { disc: 1, track: 11, year: 1966 }),
    trackOf('Nina', 'Debut', 'Mood', { track: 1, year: 1958 }),
    { title: 'Single', metadata: { artist: 'Nina' }, entities: { artist: ['Nina'] } },
    trackOf('Abba', 'Gold', 'Waterloo', { track: 1, year: 1992 }),
  ]);
  const books = await library.fill('Books', 'books', [
    bookOf('Discworld', 'Sourcery', { volume: 5 }),
    bookOf('Discworld', 'A short story', { volume: 2.5 }),
    bookOf('Discworld', 'Mort', { volume: 4 }),
    bookOf('Discworld', 'Companion'),
  ]);
  kids = {
    ...serverViewer,
    role: 'user',
    profileId: 'kids',
    visibility: {
      showsHidden: false,
      libraries: new Map([
        [series, [[{ system: 'FSK', label: '12' }]]],
        [music, []],
        [books, []],
      ]),
    },
  };
});

afterAll(async () => {
  await app.close();
  await library.close();
});

async function list(query: string, as: Viewer = serverViewer): Promise<readonly ListedEntity[]> {
  viewer = as;
  const reply = await app.inject({ url: `/api/entities?${query}`, headers });
  if (reply.statusCode !== 200) throw new Error(reply.body);
  return reply.json<{ entities: readonly ListedEntity[] }>().entities;
}

const names = async (query: string, as?: Viewer) => (await list(query, as)).map(({ name }) => name);

interface Contents {
  readonly items: readonly {
    readonly title: string;
    readonly subtitle?: string | null;
    readonly picture?: { readonly id: string } | null;
    readonly assets?: Readonly<Record<string, string>>;
  }[];
  readonly entities: readonly ListedEntity[];
  readonly nextCursor: string | null;
  readonly error?: string;
}

async function contents(url: string, as: Viewer = serverViewer): Promise<Contents> {
  viewer = as;
  return (await app.inject({ url: `/api/entities/${url}`, headers })).json();
}

describe.each([
  ['before the upkeep counted them', false],
  ['after the upkeep counted them', true],
])('entities in lists, %s,', (_, isSwept) => {
  beforeAll(async () => {
    await library.entityUpkeep.sweep();
    const { database } = library.storage;
    await database.write(async (trx) => {
      await trx('playback').delete();
      await trx('entity_marks').delete();
    });
    if (isSwept) return;
    // As a scan leaves them: every entity waits for the upkeep, which counted nothing yet.
    await database.write(async (trx) => {
      await trx('entity_counts').delete();
      await trx.raw(
        `insert into touched_entities (entity_no, library_no)
         select distinct entity_no, 1 from item_entities`,
      );
    });
  });

  test('have counts, year, artists, picture and duration', async () => {
    await library.watch('Mood');
    const [debut, gold, wild] = await list('type=album');
    const [nina] = (await list('type=artist')).filter(({ name }) => name === 'Nina');
    const rest = { favourite: false };

    expect(debut).toMatchObject({ name: 'Debut', itemCount: 1, unwatchedCount: 0, year: 1958 });
    expect(gold).toMatchObject({ name: 'Gold', itemCount: 1, unwatchedCount: 1, year: 1992 });
    expect(wild).toMatchObject({ itemCount: 3, unwatchedCount: 3, year: 1966, ...rest });
    expect(wild?.artists).toEqual([{ id: nina?.id, name: 'Nina' }]);
    expect(nina).toMatchObject({ itemCount: 5, unwatchedCount: 4, year: null, artists: [] });
  });

  test('sum up the lengths of items, and show the picture of their first item with one', async () => {
    const { database } = library.storage;
    const sizes = { Zoo: 100, Alpha: 50.5, Lilac: 0 };
    await database.write(async (trx) => {
      for (const [title, duration] of Object.entries(sizes)) {
        const assets = title === 'Zoo' ? '{"cover":"/api/assets/of-zoo"}' : null;
        await trx('items').where({ title }).update({ assets, duration });
      }
      await trx.raw(
        `insert into touched_entities (entity_no, library_no)
         select no, 1 from entities where true on conflict do nothing`,
      );
    });
    if (isSwept) await library.entityUpkeep.sweep();
    const picture = { id: 'of-zoo', aspect: 'square', color: null, thumbhash: null };

    expect((await list('type=album'))[2]).toMatchObject({ duration: 150.5, picture });
    expect((await list('type=artist'))[1]).toMatchObject({ duration: 150.5, picture });
    expect((await list('type=album'))[1]).toMatchObject({ duration: null, picture: null });
  });

  test('count what the viewer may see, and what the viewer’s own profile watched', async () => {
    await library.watch('Bones S1E10');

    expect(await list('type=show&sortBy=year')).toMatchObject([
      { name: 'Bones', itemCount: 5, unwatchedCount: 4, year: 2004 },
      { name: 'Ants', itemCount: 1, unwatchedCount: 1, year: 2010 },
    ]);
    expect(await list('type=show&sortBy=year', kids)).toMatchObject([
      { name: 'Bones', itemCount: 1, unwatchedCount: 1, year: 2005 },
      { name: 'Ants', itemCount: 1, unwatchedCount: 1, year: 2010 },
    ]);
    expect(await names('type=season', kids)).toEqual(['Season 1', 'Season 1']);
  });

  test('are sorted by year, time, plays and chance, in both orders, by cursor and by offset', async () => {
    await library.watch('Zoo');
    const years = 'type=album&sortBy=year';

    expect(await names(years)).toEqual(['Debut', 'Wild', 'Gold']);
    expect(await names(`${years}&sortOrder=desc`)).toEqual(['Gold', 'Wild', 'Debut']);
    expect(await names(`${years}&offset=1&limit=1`)).toEqual(['Wild']);
    expect(await names('type=album&offset=2')).toEqual(['Wild']);
    expect((await names('type=album&sortBy=playCount&sortOrder=desc')).slice(2)).toEqual(['Gold']);
    expect(await names('type=series&sortBy=addedAt')).toEqual(['Discworld']);
    const orders = await Promise.all(
      Array.from({ length: 40 }, (__, seed) => names(`type=album&sortBy=random&seed=${seed}`)),
    );
    expect(new Set(orders.map(String)).size).toBe(6);
    expect(await names('type=album&sortBy=random&seed=7')).toEqual(orders[7]);
    for (const order of ['name', 'year', 'addedAt', 'playCount', 'random&seed=x']) {
      const whole = await names(`type=season&sortBy=${order}`);
      expect(await everyPage(`type=season&sortBy=${order}`)).toEqual(whole);
    }
  });

  test('are filtered by artist, year and favourite', async () => {
    const nina = await library.entityId('artist', 'Nina');
    const wild = await library.entityId('album', 'Wild');
    await library.marks.setFavouriteEntity(wild, true, serverViewer);

    expect(await names(`type=album&artistId=${nina}`)).toEqual(['Debut', 'Wild']);
    expect(await names('type=album&year=1958..1966')).toEqual(['Debut', 'Wild']);
    expect(await names('type=album&year=1966')).toEqual(['Wild']);
    expect(await names('type=album&year=..1958')).toEqual(['Debut']);
    expect(await names('type=album&year=1967..&sortBy=addedAt')).toEqual(['Gold']);
    expect(await names('type=album&favourite')).toEqual(['Wild']);
    expect(await names('type=album&favourite=false&sortBy=year')).toEqual(['Debut', 'Gold']);
    expect((await list('type=album&favourite'))[0]?.favourite).toBe(true);
    expect(await names('type=album&favourite', kids)).toEqual([]);
  });
});

async function everyPage(query: string): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page = (
      await app.inject({ url: `/api/entities?${query}&limit=1${from}`, headers })
    ).json<{
      entities: readonly ListedEntity[];
      nextCursor: string | null;
    }>();
    found.push(...page.entities.map(({ name }) => name));
    cursor = page.nextCursor;
  }
  return found;
}

test('what a list of entities cannot read is refused with what would be right', async () => {
  const { nextCursor } = (
    await app.inject({ url: '/api/entities?type=album&limit=1', headers })
  ).json<{
    nextCursor: string;
  }>();
  const refusals = [
    ['type=album&year=x', 'query.year must be a year or a range such as 2001..2009'],
    ['type=album&year=20012009', 'query.year must be a year or a range'],
    ['type=album&year=2009..2001', 'query.year must be a year or a range'],
    ['type=album&year=..', 'query.year must be a year or a range'],
    ['type=album&sortBy=size', 'query.sortBy'],
    ['type=album&offset=-1', 'query.offset'],
    [`type=album&sortBy=year&cursor=${nextCursor}`, 'belongs to a list with other filters or in'],
    [`type=album&year=1990..&cursor=${nextCursor}`, 'belongs to a list with other filters or in'],
    [`type=artist&cursor=${nextCursor}`, 'belongs to a list with other filters or in'],
  ];
  for (const [query, error] of refusals) {
    const reply = await app.inject({ url: `/api/entities?${query}`, headers });
    expect([reply.statusCode, reply.json<{ error: string }>().error]).toEqual([
      400,
      expect.stringContaining(error ?? ''),
    ]);
  }
  expect(
    (await app.inject({ url: '/api/entities?type=album&artistId=x', headers })).statusCode,
  ).toBe(404);
});

describe('the items of an entity', () => {
  const titles = async (type: string, name: string, as?: Viewer): Promise<readonly string[]> => {
    const id = await library.entityId(type, name);
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: Contents = await contents(`${id}/items?limit=2${from}`, as);
      found.push(...page.items.map(({ title }) => title));
      cursor = page.nextCursor;
    }
    return found;
  };

  test('are in the order of seasons and episodes; specials and what has no number come last', async () => {
    expect(await titles('show', 'Bones')).toEqual([
      'Bones S1E9',
      'Bones S1E10',
      'Bones: making of',
      'Bones S2E1',
      'Bones S0E1',
    ]);
    expect(await titles('show', 'Bones', kids)).toEqual(['Bones S1E10']);
  });

  test('are in the order of discs and tracks, of an artist by album', async () => {
    expect(await titles('album', 'Wild')).toEqual(['Zoo', 'Alpha', 'Lilac']);
    expect(await titles('artist', 'Nina')).toEqual(['Mood', 'Zoo', 'Alpha', 'Lilac', 'Single']);
  });

  test('are in the order of volumes', async () => {
    expect(await titles('series', 'Discworld')).toEqual([
      'A short story',
      'Mort',
      'Sourcery',
      'Companion',
    ]);
  });

  test('are tiles on request', async () => {
    const id = await library.entityId('season', 'Specials');
    const { items } = await contents(`${id}/items?fields=tile`);

    expect(items).toMatchObject([{ type: 'episode', title: 'Bones', subtitle: 'S0 E1' }]);
    expect(items[0]).not.toHaveProperty('files');
  });
});

describe('the children of an entity', () => {
  const children = async (type: string, name: string, query = '', as?: Viewer) => {
    const id = await library.entityId(type, name);
    const { entities, items, nextCursor } = await contents(`${id}/children?${query}`, as);
    return {
      entities: entities.map((one) => one.name),
      items: items.map(({ title }) => title),
      nextCursor,
    };
  };

  test('are the seasons of a show, and its items outside of seasons', async () => {
    expect(await children('show', 'Bones')).toEqual({
      entities: ['Season 1', 'Season 2', 'Specials'],
      items: ['Bones: making of'],
      nextCursor: null,
    });
    expect(await children('show', 'Bones', '', kids)).toEqual({
      entities: ['Season 1'],
      items: [],
      nextCursor: null,
    });
  });

  test('are the albums of an artist by year, and tracks without an album', async () => {
    expect(await children('artist', 'Nina')).toMatchObject({
      entities: ['Debut', 'Wild'],
      items: ['Single'],
    });
  });

  test('are the books of a series', async () => {
    expect(await children('series', 'Discworld')).toMatchObject({
      entities: [],
      items: ['A short story', 'Mort', 'Sourcery', 'Companion'],
    });
  });

  test('go on page by page from entities to items', async () => {
    const found: string[] = [];
    let from = '';
    for (let page = 0; page < 4; page += 1) {
      const { entities, items, nextCursor } = await children('show', 'Bones', `limit=1${from}`);
      found.push(...entities, ...items);
      expect(nextCursor === null).toBe(page === 3);
      from = `&cursor=${nextCursor ?? ''}`;
    }

    expect(found).toEqual(['Season 1', 'Season 2', 'Specials', 'Bones: making of']);
  });

  test('refuse a cursor of another list', async () => {
    const id = await library.entityId('show', 'Bones');
    expect(await contents(`${id}/children?cursor=x`)).toMatchObject({
      error: expect.stringContaining('query.cursor is not from this list'),
    });
  });
});

test('one picture that an album and its tracks show has one id in lists, so clients load it once', async () => {
  const { database } = library.storage;
  const give = (title: string, id: string, uri: string) =>
    database.write(async (trx) => {
      const assets = JSON.stringify({ cover: `/api/assets/${id}` });
      const { no: item_no } = await trx('items').where({ title }).first('no');
      await trx('items').where({ title }).update({ assets });
      await trx('assets').insert({ id, item_no, type: 'cover', uri, source: 'sidecars' });
    });
  await give('Zoo', 'z-cover', 'file:///Wild/cover.jpg');
  await give('Lilac', 'l-cover', 'file:///Wild/cover.jpg');
  await give('Alpha', 'a-cover', 'file:///Wild/alpha.jpg');
  const album = await library.entityId('album', 'Wild');
  const shown = async () =>
    (await contents(`${album}/items?fields=tile`)).items.map(({ picture }) => picture?.id);
  expect(await shown()).toEqual(['l-cover', 'a-cover', 'l-cover']);

  await database.write(async (trx) => {
    const { no } = await trx('entities').where('id', album).first('no');
    const picture = { id: 'w-cover', entity_no: no, type: 'cover', source: 'sidecars' };
    await trx('entity_assets').insert({ ...picture, uri: 'file:///Wild/cover.jpg' });
    await trx('entities')
      .where({ no })
      .update({ assets: JSON.stringify({ cover: '/api/assets/w-cover' }) });
  });
  expect(await shown()).toEqual(['w-cover', 'a-cover', 'w-cover']);
  const { items } = await contents(`${album}/items`);
  expect(items.map(({ assets }) => assets)).toEqual(
    ['w-cover', 'a-cover', 'w-cover'].map((id) => ({ cover: `/api/assets/${id}` })),
  );
  expect((await list('type=album'))[2]?.picture?.id).toBe('w-cover');
});

test('sums of an entity follow every change of its items', async () => {
  const db = library.storage.database;
  const wild = async () => (await list('type=album')).find(({ name }) => name === 'Wild');
  await library.entityUpkeep.sweep();
  const lilac = await library.itemId('Lilac');

  await library.items.update(lilac, { metadata: { year: 1950 } }, serverViewer);
  expect(await wild()).toMatchObject({ itemCount: 3, year: 1950 });
  await library.entityUpkeep.sweep();
  expect(await wild()).toMatchObject({ itemCount: 3, year: 1950 });
  await library.items.remove(lilac, serverViewer);
  expect(await wild()).toMatchObject({ itemCount: 2, year: 1966 });
  await library.fill('Music', 'music', [trackOf('Nina', 'Wild', 'New', { year: 1966 })]);
  expect(await wild()).toMatchObject({ itemCount: 3 });
  await library.entityUpkeep.sweep();
  expect(await wild()).toMatchObject({ itemCount: 3 });
  expect(await db.read('touched_entities')).toEqual([]);
});

test('the count of what a profile did not watch follows each mark, and goes with the profile', async () => {
  const db = library.storage.database;
  const unwatched = async () =>
    (await list('type=show&sortBy=year')).map(({ unwatchedCount }) => unwatchedCount);
  await db.write((trx) => trx('playback').delete());
  await library.entityUpkeep.sweep();
  const ids = await Promise.all(['Ants S1E1', 'Bones S1E9'].map(library.itemId));

  expect(await unwatched()).toEqual([5, 1]);
  for (const id of ids) await library.playback.setWatched(id, true, serverViewer);
  for (const id of ids) await library.playback.setWatched(id, true, serverViewer);
  expect(await unwatched()).toEqual([4, 0]);
  await library.begin('Bones S1E9');
  expect(await unwatched()).toEqual([5, 0]);
  await library.items.remove(ids[0] ?? '', serverViewer);
  expect(await unwatched()).toEqual([5]);
  await library.entityUpkeep.sweep();
  expect(await unwatched()).toEqual([5]);
  await library.watch('Bones S1E9');
  await db.write((trx) => playbackOfProfiles.removed(trx, serverViewer.profileId));
  expect(await unwatched()).toEqual([5]);
  expect(await db.read('watched_counts')).toEqual([]);
});
