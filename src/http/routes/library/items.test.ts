import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp, testViewers } from '../../../../test/support/servers/http.ts';
import { openTestLibrary, type TestLibrary } from '../../../../test/support/library/library.ts';
import { visibilityOfLibraries, type Viewer } from '../../../people/viewer/index.ts';
import type { ItemDetail, ItemsPage } from '../../../library/catalogue/index.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { itemRoutes } from './items.ts';
import { createResponseCache } from '../../response-cache.ts';
import { createUuidV7 } from '../../../platform/uuid-v7.ts';
import type { Item, Tile } from '../../../contract/resources/library/catalogue.ts';

let app: HttpApp;
let library: TestLibrary;
let films: string;
let series: string;

beforeEach(async () => {
  library = await openTestLibrary();
  app = await createTestApp([
    mount(itemRoutes, { ...library, cache: createResponseCache(library.storage) }),
  ]);
  onTestFinished(async () => {
    await app.close();
    await library.close();
  });
  films = await create('Films', 'movies');
  series = await create('Series', 'tv');
  await fill(films, [
    'Alien (1979)/a.mkv',
    'Brazil (1985)/b.mkv',
    'The Cube/c.mkv',
    'Élite (2018)/e.mkv',
    'Zulu (1964)/z.mkv',
  ]);
  await fill(series, ['Bones (2005)/1.mkv', 'Yes (1980)/2.mkv']);
});

const headers = bearer('admin');

async function create(name: string, type: string): Promise<string> {
  const made = await library.libraries.create({ name, type, roots: [`/${name}`] });
  return made.id;
}

async function fill(libraryId: string, names: readonly string[], modifiedAt = 1): Promise<void> {
  const { roots } = (await library.libraries.list(admin)).find(({ id }) => id === libraryId) ?? {
    roots: [],
  };
  const root = roots[0] ?? '';
  const files = names
    .map((name) => [root, ...name.split('/').map(encodeURIComponent)].join('/'))
    .sort()
    .map((uri, index) => ({ uri, size: 100 + index, modifiedAt }));
  await library.reconcile({ libraryId, root, after: null, through: null, files, unreadable: [] });
}

const admin = { ...testViewers['admin'] } as Viewer;

async function list(query: string): Promise<ItemsPage> {
  return (await app.inject({ url: `/api/items?${query}`, headers })).json();
}

const titles = (items: readonly Pick<Item, 'title'>[]): string[] => items.map(({ title }) => title);

describe('GET /api/items', () => {
  test('answers with every field of an Item and of its files', async () => {
    const { items } = await list('limit=1');

    expect(items).toEqual([
      {
        id: expect.any(String),
        libraryId: films,
        libraryName: 'Films',
        title: 'Alien',
        certification: null,
        metadata: { path: 'Alien (1979)/a.mkv', year: 1979 },
        status: 'active',
        addedAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
        files: [
          {
            id: expect.any(String),
            libraryId: films,
            itemId: items[0]?.id,
            uri: 'file:///Films/Alien%20(1979)/a.mkv',
            filename: 'a.mkv',
            extension: 'mkv',
            mimeType: expect.stringMatching(/^video\//),
            mediaKind: 'video',
            type: 'media',
            status: 'active',
            classification: 'primary',
            edition: null,
            partNumber: null,
            size: 101,
            duration: null,
            fileInfo: {},
            loudness: null,
            assets: {},
            assetAspects: {},
            chapters: [],
            text: [],
            createdAt: expect.stringMatching(/Z$/),
            updatedAt: expect.stringMatching(/Z$/),
          },
        ],
        assets: {},
        assetAspects: {},
        linkedEntities: [
          {
            id: expect.any(String),
            type: 'genre',
            name: 'A',
            role: 'genre',
            sortOrder: 0,
            linkMetadata: {},
            assets: {},
            assetAspects: {},
          },
        ],
        playback: { completed: false, position: 0, duration: 0 },
        favourite: false,
        myRating: null,
        playCount: 0,
        lastPlayedAt: null,
      },
    ]);
  });

  test('sorts by title without case, accents and article, across all libraries', async () => {
    const { items, nextCursor } = await list('');

    expect(titles(items)).toEqual(['Alien', 'Bones', 'Brazil', 'The Cube', 'Élite', 'Yes', 'Zulu']);
    expect(nextCursor).toBeNull();
  });

  test.each(['title', 'year', 'addedAt'])(
    'pages through all items by %s, each once, in both directions',
    async (sortBy) => {
      const walked: Record<string, string[]> = {};
      for (const sortOrder of ['asc', 'desc']) {
        const seen: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
          const page: ItemsPage = await list(
            `limit=2&sortBy=${sortBy}&sortOrder=${sortOrder}${more}`,
          );
          seen.push(...titles(page.items));
          cursor = page.nextCursor;
        }
        walked[sortOrder] = seen;
      }

      expect(walked['asc']).toHaveLength(7);
      expect(new Set(walked['asc']).size).toBe(7);
      expect(walked['desc']).toEqual(walked['asc']?.toReversed());
      if (sortBy === 'year')
        expect(walked['asc']).toEqual([
          'The Cube',
          'Zulu',
          'Alien',
          'Yes',
          'Brazil',
          'Bones',
          'Élite',
        ]);
    },
  );

  test('filters by library and by type of library', async () => {
    expect(titles((await list(`libraryId=${series}`)).items)).toEqual(['Bones', 'Yes']);
    expect(titles((await list('type=tv')).items)).toEqual(['Bones', 'Yes']);
    expect(titles((await list('libraryId=nowhere')).items)).toEqual([]);
  });

  test.each(['limit=0', 'limit=501', 'limit=x', 'sortBy=size', 'sortOrder=up', 'cursor=nonsense'])(
    'refuses %s with 400',
    async (query) => {
      const reply = await app.inject({ url: `/api/items?${query}`, headers });

      expect(reply.statusCode).toBe(400);
      expect(reply.json<{ error: string }>().error).toContain(query.split('=')[0]);
    },
  );

  test('refuses the cursor of a list in another order', async () => {
    const { nextCursor } = await list('limit=1&sortBy=year');

    const reply = await app.inject({ url: `/api/items?cursor=${nextCursor}`, headers });

    expect(reply.statusCode).toBe(400);
  });

  test('shows nothing of libraries that the viewer may not see, nor of hidden ones', async () => {
    const viewer: Viewer = { ...admin, visibility: visibilityOfLibraries([series]) };
    const all = await library.items.list(admin, {});
    const alien = all.items[0]?.id ?? '';

    expect(titles((await library.items.list(viewer, {})).items)).toEqual(['Bones', 'Yes']);
    await expect(library.items.get(alien, viewer)).rejects.toMatchObject({ code: 'not_found' });
    await expect(library.items.update(alien, { title: 'x' }, viewer)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(library.items.remove(alien, viewer)).rejects.toMatchObject({ code: 'not_found' });
    expect(await library.items.getMany([alien], viewer)).toEqual([]);
    await library.libraries.update(films, { hidden: true }, admin);
    expect(titles((await list('')).items)).toEqual(['Bones', 'Yes']);
    await expect(library.items.get(alien, admin)).rejects.toMatchObject({ code: 'not_found' });
  });
});

async function idOf(title: string): Promise<string> {
  const { items } = await list('limit=500');
  return items.find((item) => item.title === title)?.id ?? '';
}

async function detail(id: string): Promise<ItemDetail> {
  const reply = await app.inject({ url: `/api/items/${id}`, headers });
  return reply.json<{ item: ItemDetail }>().item;
}

const patch = (id: string, payload: object) =>
  app.inject({ method: 'PATCH', url: `/api/items/${id}`, headers, payload });

describe('GET /api/items/:id', () => {
  test('shows which plugin wrote what', async () => {
    expect(await detail(await idOf('Alien'))).toMatchObject({
      provenance: [{ pluginId: 'by-folder', path: 'fields' }],
      lockedFields: [],
      subtitles: [],
    });
  });

  test('answers 404 for an unknown item', async () => {
    const reply = await app.inject({ url: '/api/items/x', headers });

    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ error: 'Item x does not exist.' });
  });
});

describe('PATCH /api/items/:id', () => {
  test('makes edits that later scans keep', async () => {
    const id = await idOf('Alien');
    library.events.length = 0;

    const reply = await patch(id, {
      title: 'Alien: the eighth',
      certification: 'R',
      metadata: { year: 1980, path: null, mood: 'tense' },
    });
    await fill(films, []);
    await fill(films, ['Alien (1979)/other.mkv']);

    expect(reply.statusCode).toBe(200);
    const item = await detail(id);
    expect(item).toMatchObject({
      title: 'Alien: the eighth',
      certification: 'R',
      status: 'active',
    });
    expect(item.metadata).toEqual({ year: 1980, mood: 'tense' });
    expect(item.lockedFields).toEqual([
      'title',
      'certification',
      'metadata.year',
      'metadata.path',
      'metadata.mood',
    ]);
    expect(library.events[0]).toEqual({
      type: 'library.item.updated',
      data: { itemId: id, libraryId: films, title: 'Alien: the eighth' },
    });
  });

  test('refuses metadata that the server could not read, and says what is right', async () => {
    const id = await idOf('Alien');
    const refusals: readonly (readonly [object, string])[] = [
      [{ year: '1980' }, 'metadata.year must be a whole number from 1 to 9999'],
      [{ rating: 11 }, 'metadata.rating must be a number from 0 to 10'],
      [{ absoluteEpisode: '7' }, 'metadata.absoluteEpisode must be a number from 0 to 99999'],
      [{ track: 1.5 }, 'metadata.track must be a whole number from 0 to 99999'],
      ...['Drama', [' '], ['Dra\0ma'], ['x'.repeat(201)], Array.from({ length: 101 }, String)].map(
        (genres) =>
          [
            { genres },
            'metadata.genres must be a list of at most 100 names of 1 to 200 characters',
          ] as const,
      ),
      [{ airDate: 'soon' }, 'metadata.airDate must be a date such as 2001-03-31, 2001-03 or 2001'],
      [{ sortTitle: 7 }, 'metadata.sortTitle must be a text'],
    ];
    for (const [metadata, error] of refusals) {
      const reply = await patch(id, { metadata });
      expect([reply.statusCode, reply.json()]).toEqual([
        400,
        { error: `${error}, or null to remove it.` },
      ]);
    }
    expect((await detail(id)).lockedFields).toEqual([]);
  });

  test('gives a locked field back to scans', async () => {
    const id = await idOf('Alien');
    await patch(id, { title: 'Another', metadata: { year: 1980, mood: 'tense' } });

    const reply = await patch(id, { unlock: ['title', 'metadata.year', 'never.locked'] });
    expect(reply.json()).toMatchObject({ item: { lockedFields: ['metadata.mood'] } });
    await fill(films, []);
    await fill(films, ['Alien (1979)/other.mkv']);

    expect(await detail(id)).toMatchObject({
      title: 'Alien',
      metadata: { year: 1979, mood: 'tense' },
    });
  });

  test('shows a picture that a person chose, or none, until it is given back', async () => {
    const id = await idOf('Alien');
    const { database } = library.storage;
    const { no } = await database.read('items').where({ id }).first<{ no: number }>('no');
    const made = ['a', 'b'].map((name) => ({
      ...{ id: `${name}-${id}`, item_no: no, type: 'poster', uri: `file:///films/${name}.jpg` },
      ...{ source: 'tmdb', aspect: 'portrait' },
    }));
    const [first, second] = made.map((row) => row.id);
    await database.write(async (trx) => {
      await trx('assets').insert(made);
      const assets = JSON.stringify({ poster: `/api/assets/${first ?? ''}` });
      await trx('items').where({ id }).update({ assets });
    });
    const pictures = await app.inject({ url: `/api/items/${id}/pictures`, headers });
    const shown = async (payload: object) =>
      (await patch(id, payload)).json<{ item: ItemDetail }>().item;

    const chosen = await shown({ assets: { poster: second } });
    const none = await shown({ assets: { poster: null } });
    const back = await shown({ unlock: ['assets.poster'] });

    expect(pictures.json()).toEqual({
      pictures: [first, second].map((one) => ({
        ...{ id: one, type: 'poster', aspect: 'portrait', pluginId: 'tmdb' },
        isUploaded: false,
      })),
      nextCursor: null,
    });
    expect([chosen, none, back].map(({ assets, lockedFields }) => [assets, lockedFields])).toEqual([
      [{ poster: `/api/assets/${second ?? ''}` }, ['assets.poster']],
      [{}, ['assets.poster']],
      [{ poster: `/api/assets/${first ?? ''}` }, []],
    ]);
    expect((await patch(id, { assets: { poster: 'of-another' } })).statusCode).toBe(400);
  });

  test('moves the item to the place of its new title and year', async () => {
    await patch(await idOf('Alien'), { title: 'Zzz' });

    expect(titles((await list('sortOrder=desc&limit=1')).items)).toEqual(['Zzz']);
  });

  test.each([
    { title: '' },
    { title: '   ' },
    { status: 'active' },
    { metadata: [] },
    { title: 7 },
  ])('refuses %j with 400', async (payload) => {
    expect((await patch(await idOf('Alien'), payload)).statusCode).toBe(400);
  });
});

describe('DELETE /api/items/:id', () => {
  test('removes an item until its file changes', async () => {
    const id = await idOf('Yes');
    library.events.length = 0;

    const reply = await app.inject({ method: 'DELETE', url: `/api/items/${id}`, headers });
    await fill(series, ['Bones (2005)/1.mkv', 'Yes (1980)/2.mkv']);

    expect(reply.statusCode).toBe(204);
    expect(titles((await list('type=tv')).items)).toEqual(['Bones']);
    expect((await library.libraries.get(series, admin)).itemCount).toBe(1);
    expect(library.events.map(({ type }) => type)).toEqual(['library.item.removed']);
    await fill(series, ['Bones (2005)/1.mkv', 'Yes (1980)/2.mkv'], 2);
    expect(titles((await list('type=tv')).items)).toEqual(['Bones', 'Yes']);
    expect((await library.libraries.get(series, admin)).itemCount).toBe(2);
  });
});

test('GET /api/items/:id/chapters answers the chapters of all files', async () => {
  const reply = await app.inject({ url: `/api/items/${await idOf('Alien')}/chapters`, headers });

  expect(reply.json()).toEqual({ chapters: [], nextCursor: null });
});

describe('GET /api/items?fields=tile', () => {
  test('answers what a grid shows and nothing else', async () => {
    const { items } = await list('fields=tile&limit=1');

    expect(items).toEqual([
      {
        id: await idOf('Alien'),
        type: 'film',
        title: 'Alien',
        subtitle: null,
        year: 1979,
        picture: null,
        progress: 0,
        watched: false,
        favourite: false,
        badges: [],
      },
    ]);
  });

  test('has the order and the cursors of the full list', async () => {
    const first = await list('fields=tile&limit=3&sortBy=year');
    const rest = await list(`fields=tile&sortBy=year&cursor=${first.nextCursor}`);

    expect(titles([...first.items, ...rest.items])).toEqual(
      titles((await list('sortBy=year')).items),
    );
  });

  test('shows the poster, and its colour once it was made', async () => {
    const id = await idOf('Alien');
    await give(id, { picture: 'a1', uri: 'file:///Films/poster.jpg' });
    const before = (await tiles(''))[0];
    await library.pictureLooks.remember('file:///Films/poster.jpg', look);

    expect(before?.picture).toEqual({ id: 'a1', aspect: 'portrait', color: null, thumbhash: null });
    expect((await tiles(''))[0]?.picture).toEqual({ id: 'a1', aspect: 'portrait', ...look });
  });

  test('a page of 60 tiles with pictures of their own is at most 6 kB gzip', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `${filmName(at)} (${1950 + at})/f.mkv`);
    const many = await create('Many', 'movies');
    await fill(many, names);
    const random = createRandom();
    for (const [at, { id }] of (await tiles(`libraryId=${many}&limit=60`)).entries()) {
      const uri = `file:///Many/${at}.jpg`;
      await give(id, { picture: createUuidV7({ now: () => 1.7e12 + at * 977 })(), uri });
      const bytes = Buffer.from(Array.from({ length: 22 }, () => Math.floor(random() * 256)));
      const color = `#${bytes.toString('hex').slice(0, 6)}`;
      await library.pictureLooks.remember(uri, { color, thumbhash: bytes.toString('base64') });
    }

    const reply = await app.inject({
      url: `/api/items?fields=tile&limit=60&libraryId=${many}`,
      headers,
    });

    const { items } = reply.json<{ items: readonly Tile[] }>();
    expect(items).toHaveLength(60);
    expect(items.every(({ picture }) => picture?.thumbhash != null)).toBe(true);
    expect(gzipSync(reply.rawPayload).length).toBeLessThanOrEqual(6 * 1024);
  });
});

const look = { color: '#204060', thumbhash: 'HBkSHYSIeHiPiHh8eJd4eTN0EEQG' };

const tiles = async (query: string): Promise<readonly Tile[]> =>
  (await app.inject({ url: `/api/items?fields=tile&${query}`, headers })).json<{
    items: readonly Tile[];
  }>().items;

/** Gives an item a poster, as an ingest would. */
async function give(
  id: string,
  { picture, uri }: { readonly picture: string; readonly uri: string },
): Promise<void> {
  await library.storage.database.write(async (trx) => {
    const row = await trx('items').where({ id }).first<{ no: number }>('no');
    const poster = { type: 'poster', uri, source: 'test', id: picture, item_no: row.no };
    await trx('assets').insert(poster);
    await trx('items')
      .where({ id })
      .update({ assets: JSON.stringify({ poster: `/api/assets/${picture}` }) });
  });
}

const words = [
  'Night',
  'River',
  'The',
  'Last',
  'Garden',
  'of',
  'Silver',
  'Return',
  'House',
  'Wolf',
];

const filmName = (at: number): string =>
  [at % 10, (at * 7) % 9, Math.floor(at / 10)].map((place) => words[place]).join(' ');

/** Numbers that are the same in each run. */
function createRandom(): () => number {
  let state = 7;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}
