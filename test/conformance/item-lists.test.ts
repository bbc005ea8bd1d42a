/** Conformance with the section "Lists" of the catalogue API: lists of items and entities, and their letters. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProbeOutcome } from '../../plugin-api/index.ts';
import { mount, type HttpApp } from '../../src/http/index.ts';
import { entityRoutes } from '../../src/http/routes/library/entities.ts';
import { itemRoutes } from '../../src/http/routes/library/items.ts';
import { createResponseCache } from '../../src/http/response-cache.ts';
import { serverViewer } from '../../src/people/viewer/index.ts';
import { createUuidV7 } from '../../src/platform/uuid-v7.ts';
import { Collections } from '../../src/viewing/collections/index.ts';
import { createMarks } from '../../src/viewing/playback/index.ts';
import { openTestIngestion, type TestIngestion } from '../support/library/ingestion.ts';
import { bearer, createTestApp, testViewers } from '../support/servers/http.ts';
import { itemSorts } from '../../src/contract/resources/library/items.ts';

interface Film {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly genre: string;
  readonly director?: string;
  /** What is in its file; without it the file cannot be read. */
  readonly media?: {
    readonly minutes: number;
    readonly lines: number;
    readonly hdr?: 'hdr10';
    readonly sound: readonly string[];
    readonly text?: readonly string[];
  };
}

const films: Readonly<Record<string, Film>> = {
  Alien: {
    metadata: { year: 1979, rating: 8.5, resolution: '1080p' },
    genre: 'Horror',
    director: 'Ann Vale',
    media: { minutes: 117, lines: 2160, hdr: 'hdr10', sound: ['en', 'de'], text: ['de'] },
  },
  Brazil: {
    metadata: { year: 1985, airDate: '1985-02-20', rating: 7.9 },
    genre: 'Comedy',
    media: { minutes: 142, lines: 1080, sound: ['en'], text: ['en', 'pt-BR'] },
  },
  Cube: {
    metadata: { year: 1997, rating: 7.2 },
    genre: 'Horror',
    media: { minutes: 90, lines: 480, sound: ['fr-CA'] },
  },
  Élite: { metadata: { year: 1985, resolution: '720p' }, genre: 'Drama' },
  300: { metadata: { year: 2006, rating: 7.6 }, genre: 'Action', director: 'Ann Vale' },
  Casino: {
    metadata: { rating: 8.2 },
    genre: 'Drama',
    media: { minutes: 178, lines: 1080, sound: ['en'] },
  },
};
const byTitle = ['300', 'Alien', 'Brazil', 'Casino', 'Cube', 'Élite'];

let ingestion: TestIngestion;
let app: HttpApp;
let collectionId: string;
let genreId: string;
const idOf = new Map<string, string>();
const { profileId } = { ...testViewers['user'] };

/** The title is that of the folder, with its accent. */
const titleOf = (path: string): string => (path.split('/').at(-2) ?? '').replace('Elite', 'Élite');
const filmOf = (uri: string): Film | undefined => films[titleOf(uri)];

function probed({ media }: Film): ProbeOutcome {
  if (media === undefined) return { kind: 'unsupported' };
  const { minutes, lines, hdr, sound, text = [] } = media;
  const streams = [
    { kind: 'video', codec: 'hevc', width: (lines * 16) / 9, height: lines, ...(hdr && { hdr }) },
    ...sound.map((language) => ({ kind: 'audio', codec: 'aac', language }) as const),
    ...text.map((language) => ({ kind: 'subtitle', codec: 'subrip', language }) as const),
  ] as const;
  return {
    kind: 'read',
    report: {
      container: 'matroska',
      duration: minutes * 60,
      streams: streams.map((stream, index) => ({ index, ...stream })),
    },
  };
}

beforeAll(async () => {
  const named = (path: string) => {
    const title = titleOf(path);
    const { metadata = {}, genre = '', director } = films[title] ?? {};
    const mention = { status: '', source: 'test' };
    return {
      title,
      groupKey: title,
      metadata,
      entities: {
        genre: [{ name: genre, ...mention }],
        ...(director !== undefined && {
          director: [{ name: director, type: 'person', ...mention }],
        }),
      },
    };
  };
  ingestion = await openTestIngestion({
    probe: ({ uri }) => probed(filmOf(uri) ?? { metadata: {}, genre: '' }),
    name: named,
    full: { 'by-folder': ({ path }) => named(path) },
  });
  const { library } = ingestion;
  const { database } = library.storage;
  await ingestion.scan(Object.keys(films).map((title) => `${title.replace('É', 'E')}/film.mkv`));
  await ingestion.run();
  app = await createTestApp([
    mount(itemRoutes, { ...library, cache: createResponseCache(library.storage) }),
    mount(entityRoutes, { ...library, cache: createResponseCache(library.storage) }),
  ]);
  const { items } = await library.items.list(serverViewer, {});
  for (const { id, title } of items) idOf.set(title, id);
  const viewer = testViewers['user'] ?? serverViewer;
  const silent = { emit: () => undefined };
  const collections = new Collections({
    ...library,
    database,
    events: silent,
    newId: createUuidV7({ now: Date.now }),
    now: Date.now,
  });
  collectionId = (await collections.create({ distributedId: 'mine', name: 'Mine' }, viewer)).id;
  for (const title of ['Cube', 'Alien'])
    await collections.putItem(collectionId, { itemId: idOf.get(title) ?? '' }, viewer);
  const { entities } = await library.entities.list(serverViewer, { type: 'genre' });
  genreId = entities.find(({ name }) => name === 'Horror')?.id ?? '';
  const marks = createMarks({ ...library, database, events: silent, now: Date.now });
  await marks.setFavourite(idOf.get('Brazil') ?? '', true, viewer);
  await marks.rate(idOf.get('Cube') ?? '', 4.5, viewer);
  await marks.rate(idOf.get('Alien') ?? '', 3, viewer);
  const played = (title: string, row: object): object => ({
    ...{ profile_id: profileId, user_id: 'u', item_id: idOf.get(title), updated_at: 1 },
    ...{ completed: false, started: false, position: 0, duration: 0, counted: false },
    ...row,
  });
  await database.write((trx) =>
    database.insertRows(trx, 'playback', [
      played('Alien', { completed: true, play_count: 2, last_played_at: 2000 }),
      played('Cube', { started: true, play_count: 0, last_played_at: 3000 }),
      played('Casino', { completed: true, play_count: 5, last_played_at: 1000 }),
    ]),
  );
});

afterAll(async () => {
  await app.close();
  await ingestion.close();
});

interface Page {
  readonly items: readonly { readonly title: string }[];
  readonly nextCursor: string | null;
  readonly total?: number;
}

async function ask<Body>(query: string, route = '/api/items'): Promise<Body> {
  const reply = await app.inject({ url: `${route}?${query}`, headers: bearer('user') });
  if (reply.statusCode !== 200) throw new Error(`${query}: ${reply.statusCode} ${reply.body}`);
  return reply.json<Body>();
}

const titles = async (query: string): Promise<readonly string[]> =>
  (await ask<Page>(query)).items.map(({ title }) => title);

async function refusal(query: string, route = '/api/items'): Promise<unknown> {
  const reply = await app.inject({ url: `${route}?${query}`, headers: bearer('user') });
  return [reply.statusCode, reply.json<{ error: string }>().error];
}

/** All pages of a list, of two items each. */
async function walked(query: string): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Page = await ask(`${query}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    found.push(...page.items.map(({ title }) => title));
    cursor = page.nextCursor;
  }
  return found;
}

describe('a filter', () => {
  test.each<readonly [string, readonly string[]]>([
    ['genre=Horror', ['Alien', 'Cube']],
    ['genre=hORROR', ['Alien', 'Cube']],
    ['genre=Western', []],
    ['year=1985', ['Brazil', 'Élite']],
    ['year=1980..1997', ['Brazil', 'Cube', 'Élite']],
    ['year=1997..', ['300', 'Cube']],
    ['year=..1984', ['Alien']],
    ['watched=watched', ['Alien', 'Casino']],
    ['watched=started', ['Cube']],
    ['watched=unwatched', ['300', 'Brazil', 'Élite']],
    ['favourite', ['Brazil']],
    ['favourite=false', ['300', 'Alien', 'Casino', 'Cube', 'Élite']],
    ['rating=7.9..', ['Alien', 'Brazil', 'Casino']],
    ['rating=..7.5', ['Cube']],
    ['myRating=4..', ['Cube']],
    ['myRating=..3', ['Alien']],
    ['resolution=4k', ['Alien']],
    ['resolution=hd', ['Brazil', 'Casino', 'Élite']],
    ['resolution=sd', ['Cube']],
    ['hdr', ['Alien']],
    ['hdr=false', ['300', 'Brazil', 'Casino', 'Cube', 'Élite']],
    ['language=de', ['Alien']],
    ['language=ger', ['Alien']],
    ['language=fr', ['Cube']],
    ['subtitle=pt', ['Brazil']],
    ['subtitle=pt-BR', ['Brazil']],
    ['addedAfter=2001-01-01', byTitle],
    ['addedAfter=2101-01-01T00:00:00Z', []],
    ['type=movies', byTitle],
    ['type=tv', []],
  ])('%s leaves what it says', async (query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  test.each([
    ['4K', 'resolution=4k'],
    ['HDR', 'hdr'],
  ])('tiles with the badge %s are those of %s', async (badge, query) => {
    const { items } = await ask<{ items: { title: string; badges: string[] }[] }>('fields=tile');
    const marked = items.filter(({ badges }) => badges.includes(badge)).map(({ title }) => title);

    expect(marked).toEqual(await titles(query));
  });

  test('entityId leaves what is linked to the entity', async () => {
    expect(await titles(`entityId=${genreId}`)).toEqual(['Alien', 'Cube']);
  });

  test('collectionId leaves what is in the collection', async () => {
    expect(await titles(`collectionId=${collectionId}`)).toEqual(['Alien', 'Cube']);
  });

  test('holds with all others at once', async () => {
    const query = `genre=Horror&year=1970..1979&watched=watched&favourite=false&rating=8..
      &myRating=3&resolution=4k&hdr&language=en&subtitle=de&collectionId=${collectionId}
      &entityId=${genreId}&addedAfter=2001-01-01&sortBy=rating&includeTotal`;
    const all = query.replace(/\s+/g, '');

    expect(await ask<Page>(all)).toMatchObject({ items: [{ title: 'Alien' }], total: 1 });
    expect(await titles(all.replace('subtitle=de', 'subtitle=en'))).toEqual([]);
  });

  test.each([
    ['year=x', 'query.year must be a range of whole numbers from 1 to 9999'],
    ['year=..', 'query.year must be a range of whole numbers from 1 to 9999'],
    ['year=1999.5', 'query.year must be a range of whole numbers from 1 to 9999'],
    ['year=20012009', 'query.year must be a range of whole numbers from 1 to 9999'],
    ['year=2009..2001', 'query.year begins above its end'],
    ['rating=11', 'query.rating must be a range of numbers from 0 to 10, such as 9.. or 7..9.'],
    ['rating=-1', 'query.rating must be a range of numbers from 0 to 10'],
    ['myRating=6..', 'query.myRating must be a range of numbers from 0.5 to 5'],
    ['language=nonsense', 'query.language must be a language'],
    ['subtitle=%00', 'query.subtitle must be a language'],
    ['addedAfter=yesterday', 'query.addedAfter must be a date'],
    ['addedAfter=2026-13-01', 'query.addedAfter must be a date'],
    ['addedAfter=2026-02-30', 'query.addedAfter must be a date'],
    ['watched=maybe', 'query.watched'],
    ['resolution=8k', 'query.resolution'],
    ['sortBy=size', 'query.sortBy'],
    ['letter=ab', 'query.letter must be one letter'],
    ['letter=S&sortBy=year', 'query.letter is for a list by title'],
  ])('%s is refused, and the answer says what would be right', async (query, error) => {
    expect(await refusal(query)).toEqual([400, expect.stringContaining(error)]);
  });

  test.each(['entityId', 'collectionId'])('%s of something unknown is 404', async (key) => {
    expect(await refusal(`${key}=0190a1b2-0000-7000-8000-000000000000`)).toEqual([
      404,
      expect.any(String),
    ]);
  });
});

describe('sortBy', () => {
  test.each<readonly [string, readonly string[]]>([
    ['title', byTitle],
    ['releasedAt', ['Casino', 'Alien', 'Élite', 'Brazil', 'Cube', '300']],
    ['year', ['Casino', 'Alien', 'Brazil', 'Élite', 'Cube', '300']],
    ['rating', ['Élite', 'Cube', '300', 'Brazil', 'Casino', 'Alien']],
    ['duration', ['300', 'Élite', 'Cube', 'Alien', 'Brazil', 'Casino']],
  ])('%s is the order in both directions, page by page', async (sortBy, expected) => {
    const inOrder = await walked(`sortBy=${sortBy}`);

    const ties = new Set(sortBy === 'year' || sortBy === 'duration' ? expected : []);
    if (ties.size === 0) expect(inOrder).toEqual(expected);
    expect(inOrder.toSorted()).toEqual(expected.toSorted());
    expect(await walked(`sortBy=${sortBy}&sortOrder=desc`)).toEqual(inOrder.toReversed());
  });

  test('lastPlayedAt and playCount are those of the profile, what it never played last', async () => {
    const latest = await walked('sortBy=lastPlayedAt&sortOrder=desc');
    const most = await walked('sortBy=playCount&sortOrder=desc');

    expect(latest.slice(0, 3)).toEqual(['Cube', 'Alien', 'Casino']);
    expect(most.slice(0, 2)).toEqual(['Casino', 'Alien']);
    for (const list of [latest, most]) expect(list.toSorted()).toEqual(byTitle.toSorted());
    expect(await walked('sortBy=lastPlayedAt')).toEqual(latest.toReversed());
    expect(await walked('sortBy=playCount')).toEqual(most.toReversed());
  });

  test('random with a seed is one order, and without a seed another one each time', async () => {
    const seeded = await walked('sortBy=random&seed=7');

    expect(seeded.toSorted()).toEqual(byTitle.toSorted());
    expect(await titles('sortBy=random&seed=7')).toEqual(seeded);
    const orders = await Promise.all(Array.from({ length: 12 }, () => walked('sortBy=random')));
    for (const order of orders) expect(order.toSorted()).toEqual(byTitle.toSorted());
    expect(new Set(orders.map(String)).size).toBeGreaterThan(1);
  });

  test.each(itemSorts)('%s goes with a filter that leaves some items', async (sortBy) => {
    const found = await walked(`sortBy=${sortBy}&seed=1&year=1970..1999&watched=watched`);

    expect(found).toEqual(['Alien']);
  });
});

describe('a cursor', () => {
  test.each([
    ['another order', 'sortBy=year'],
    ['another direction', 'sortOrder=desc'],
    ['other filters', 'resolution=hd'],
  ])('of a list with %s is refused', async (_, query) => {
    const { nextCursor } = await ask<Page>('limit=1');

    expect(await refusal(`${query}&cursor=${nextCursor ?? ''}`)).toEqual([
      400,
      'query.cursor belongs to a list with other filters or in another order; leave it out to start from the beginning.',
    ]);
  });

  test('of another random order is refused', async () => {
    const { nextCursor } = await ask<Page>('limit=1&sortBy=random&seed=1');

    expect(await refusal(`sortBy=random&seed=2&cursor=${nextCursor ?? ''}`)).toEqual([
      400,
      expect.stringContaining('query.cursor'),
    ]);
  });
});

describe('includeTotal', () => {
  test('counts the whole list on each page', async () => {
    expect(await ask<Page>('limit=1&includeTotal')).toMatchObject({ total: 6 });
    expect(await ask<Page>('limit=1&includeTotal&genre=Horror')).toMatchObject({ total: 2 });
    expect(await ask<Page>('limit=1')).not.toHaveProperty('total');
  });
});

test('the languages of the sound are values of the filter, of what the viewer may see', async () => {
  const read = async (query = ''): Promise<readonly string[]> =>
    (await ask<{ languages: readonly string[] }>(query, '/api/items/languages')).languages;
  const { items } = ingestion.library;
  const libraryId = (await items.list(serverViewer, {})).items[0]?.libraryId ?? '';
  const all = ['de', 'en', 'fr', 'fr-ca'];
  expect(await read()).toEqual(all);
  expect(await read(`libraryId=${libraryId}`)).toEqual(all);
  expect(await read('libraryId=nowhere')).toEqual([]);
  for (const language of all) expect(await titles(`language=${language}`)).not.toEqual([]);

  const visibility = { showsHidden: false, libraries: new Map() };
  const stranger = { ...serverViewer, role: 'user', visibility } as const;
  expect(await items.languages(stranger, { libraryId })).toEqual([]);
  // The films have no rating, so a viewer of rated ones sees none of them.
  const libraries = new Map([[libraryId, [[{ system: 'FSK', label: '12' }]]]]);
  const child = { ...stranger, visibility: { showsHidden: false, libraries } } as const;
  expect(await items.languages(child, { libraryId })).toEqual([]);
});

interface Letters {
  readonly letters: readonly {
    readonly letter: string;
    readonly count: number;
    readonly cursor: string;
  }[];
}

const lettersOf = async (query = ''): Promise<readonly (readonly [string, number])[]> =>
  (await ask<Letters>(query, '/api/items/letters')).letters.map(({ letter, count }) => [
    letter,
    count,
  ]);

describe('letters', () => {
  const all = [
    ['#', 1],
    ['A', 1],
    ['B', 1],
    ['C', 2],
    ['E', 1],
  ];

  test('count the list by title, in its order', async () => {
    expect(await lettersOf()).toEqual(all);
    expect(await lettersOf('sortOrder=desc')).toEqual(all.toReversed());
  });

  test('count what the filters leave', async () => {
    expect(await lettersOf('genre=Horror')).toEqual([
      ['A', 1],
      ['C', 1],
    ]);
    expect(await lettersOf('watched=unwatched&year=1985..')).toEqual([
      ['#', 1],
      ['B', 1],
      ['E', 1],
    ]);
    expect(await lettersOf('genre=Western')).toEqual([]);
  });

  test.each(['asc', 'desc'])('lead to where the %s list begins with them', async (order) => {
    for (const query of [`sortOrder=${order}`, `sortOrder=${order}&resolution=hd`]) {
      const { letters } = await ask<Letters>(query, '/api/items/letters');
      const whole = await titles(query);
      let before = 0;
      for (const { count, cursor } of letters) {
        expect(await titles(`${query}&cursor=${cursor}`)).toEqual(whole.slice(before));
        before += count;
      }
      expect(before).toBe(whole.length);
    }
  });

  test.each([
    ['C', 'asc', ['Casino', 'Cube', 'Élite']],
    ['c', 'asc', ['Casino', 'Cube', 'Élite']],
    ['D', 'asc', ['Élite']],
    ['é', 'asc', ['Élite']],
    ['%23', 'asc', byTitle],
    ['C', 'desc', ['Cube', 'Casino', 'Brazil', 'Alien', '300']],
    ['Я', 'asc', []],
  ])('letter=%s begins the %s list there', async (letter, order, expected) => {
    expect(await titles(`letter=${letter}&sortOrder=${order}`)).toEqual(expected);
  });

  const names = async (query: string): Promise<readonly string[]> =>
    (
      await ask<{ readonly entities: readonly { readonly name: string }[] }>(query, '/api/entities')
    ).entities.map(({ name }) => name);

  test('of entities count the list by name and lead to where it begins with them', async () => {
    for (const query of [
      'type=genre',
      'type=genre&sortOrder=desc',
      `type=genre&year=..2100&favourite=false`,
      'type=genre&status=complete',
      'type=person',
    ]) {
      const { letters } = await ask<Letters>(query, '/api/entities/letters');
      const whole = await names(query);
      expect(letters.map(({ letter }) => letter)).toEqual([
        ...new Set(whole.map((name) => name.charAt(0))),
      ]);
      let before = 0;
      for (const { letter, count, cursor } of letters) {
        expect(await names(`${query}&cursor=${cursor}`)).toEqual(whole.slice(before));
        expect(await names(`${query}&letter=${letter}`)).toEqual(whole.slice(before));
        before += count;
      }
      expect(before).toBe(whole.length);
    }
    const genres = ['Action', 'Comedy', 'Drama', 'Horror'];
    expect(await names('type=genre')).toEqual(genres);
    expect(await names('type=genre&letter=b')).toEqual(genres.slice(1));
    expect(await names('type=genre&letter=B&sortOrder=desc')).toEqual(['Action']);
    const nowhere = await ask<Letters>('type=genre&libraryId=nowhere', '/api/entities/letters');
    expect(nowhere).toEqual({ letters: [] });
  });

  test.each([
    ['letter=S&sortBy=addedAt', 'query.letter is for a list by name; use sortBy=name'],
    ['letter=St', 'query.letter must be one letter'],
    ['letter=S&cursor=abc', 'query.letter and query.cursor are both positions'],
  ])('of entities refuse %s', async (query, error) => {
    const reply = await app.inject({
      url: `/api/entities?type=genre&${query}`,
      headers: bearer('user'),
    });
    expect(reply.statusCode).toBe(400);
    expect(reply.body).toContain(error);
  });

  test('follow edits and removals of items', async () => {
    const { items } = ingestion.library;
    const id = idOf.get('Élite') ?? '';

    await items.update(id, { title: 'Zulu' }, serverViewer);
    expect((await lettersOf()).slice(-2)).toEqual([
      ['C', 2],
      ['Z', 1],
    ]);
    await items.update(id, { title: 'Élite' }, serverViewer);
    expect(await lettersOf()).toEqual(all);
  });
});

interface Months {
  readonly months: readonly {
    readonly month: string | null;
    readonly count: number;
    readonly cursor: string;
  }[];
}

describe('months', () => {
  const all = [
    [null, 1],
    ['1979', 1],
    ['1985', 1],
    ['1985-02', 1],
    ['1997', 1],
    ['2006', 1],
  ];
  const monthsOf = async (query = ''): Promise<unknown> =>
    (await ask<Months>(query, '/api/items/months')).months.map(({ month, count }) => [
      month,
      count,
    ]);

  test('count the list by release, in its order', async () => {
    expect(await monthsOf()).toEqual(all);
    expect(await monthsOf('sortOrder=desc')).toEqual(all.toReversed());
    expect(await monthsOf('genre=Drama')).toEqual([
      [null, 1],
      ['1985', 1],
    ]);
  });

  test.each(['asc', 'desc'])('lead to where the %s list begins with them', async (order) => {
    for (const query of [`sortOrder=${order}`, `sortOrder=${order}&resolution=hd`]) {
      const { months } = await ask<Months>(query, '/api/items/months');
      const whole = await titles(`${query}&sortBy=releasedAt`);
      let before = 0;
      for (const { count, cursor } of months) {
        expect(await titles(`${query}&sortBy=releasedAt&cursor=${cursor}`)).toEqual(
          whole.slice(before),
        );
        before += count;
      }
      expect(before).toBe(whole.length);
    }
  });
});

describe('startAt', () => {
  const sorts = ['title', 'addedAt', 'releasedAt', 'year', 'rating', 'duration'];

  test.each(sorts)('begins the list by %s with that item, in both orders', async (sortBy) => {
    for (const sortOrder of ['asc', 'desc']) {
      const query = `sortBy=${sortBy}&sortOrder=${sortOrder}`;
      const whole = await titles(query);
      for (const [at, title] of whole.entries())
        expect(await titles(`${query}&startAt=${idOf.get(title)}`)).toEqual(whole.slice(at));
    }
  });

  test('goes on by cursor, and needs no item of the filters', async () => {
    const cube = `startAt=${idOf.get('Cube')}&limit=1`;
    const { nextCursor } = await ask<Page>(cube);

    expect(await titles(`cursor=${nextCursor}`)).toEqual(['Élite']);
    expect(await titles(`${cube}&genre=Drama`)).toEqual(['Élite']);
  });

  test.each([
    ['startAt=x', 404, 'Item x does not exist.'],
    ['startAt=%00', 404, 'Item \0 does not exist.'],
    [
      'startAt=x&sortBy=random',
      400,
      'query.startAt is not for a list by random; sort by a fact of the items.',
    ],
    [
      'startAt=x&letter=C',
      400,
      'query.startAt, query.letter and query.cursor are positions; send one of them.',
    ],
  ])('is refused in %s', async (query, status, error) => {
    expect(await refusal(query)).toEqual([status, error]);
  });
});

describe('similar titles', () => {
  const similarTo = (title: string): Promise<readonly string[]> =>
    ask<Page>('', `/api/items/${idOf.get(title)}/similar`).then(({ items }) =>
      items.map((item) => item.title),
    );

  test('share people before genres, and a title like nothing else has none', async () => {
    expect(await similarTo('Alien')).toEqual(['300', 'Cube']);
    expect(await similarTo('Casino')).toEqual(['Élite']);
    expect(await similarTo('Brazil')).toEqual([]);
  });

  test('come in pages, and not for a title that is not there', async () => {
    const { items, nextCursor } = await ask<Page>(
      'limit=1',
      `/api/items/${idOf.get('Alien')}/similar`,
    );
    expect(items.map(({ title }) => title)).toEqual(['300']);
    expect(nextCursor).not.toBeNull();
    expect(await refusal('', '/api/items/x/similar')).toEqual([404, 'Item x does not exist.']);
  });
});
