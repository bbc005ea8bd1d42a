/**
 * Who sees what, at every route that shows something of the libraries: roles x what a profile may see
 * x hidden things asked for or not. What is right is written by hand below. A route that is in neither
 * of the two lists at the end fails, so nobody adds one that shows items past the filter.
 */
import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testByNight } from '../support/run/test-by-night.ts';
import {
  fullVisibility,
  isAtLeast,
  isFullAdmin,
  visibilityOfLibraries,
  type Role,
  type Visibility,
  type Viewer,
} from '../../src/people/viewer/index.ts';
import type { Admission } from '../../src/people/ratings/index.ts';
import { allRoutes, type RouteParts } from '../../src/http/index.ts';
import { householdType } from '../support/library/household-player.ts';
import { member, openHousehold, type Household } from '../support/library/household.ts';
import { isNightly, sampleOf } from '../support/run/nightly.ts';
import { bearer, createTestApp } from '../support/servers/http.ts';
import { itemSorts } from '../../src/contract/resources/library/items.ts';

const libraries = {
  Films: { hidden: false },
  Series: { hidden: false },
  Vault: { hidden: true },
} as const;

const items = {
  Mildred: { library: 'Films', certification: 'PG', genres: ['Common'], episode: 1 },
  Grimoire: { library: 'Films', certification: 'Rated R', genres: ['Common', 'Gore'] },
  Slasher: { library: 'Films', certification: 'R', genres: ['Gore'] },
  Barefoot: { library: 'Films', genres: ['Common'] },
  Otherworld: { library: 'Series', certification: 'US:PG-13', genres: ['Common'], episode: 2 },
  Veilchen: { library: 'Vault', certification: 'PG', genres: ['Common'] },
} as const;

type Word = keyof typeof items;
type LibraryName = keyof typeof libraries;
const words = Object.keys(items) as Word[];
/** The person of this item is hidden by an admin. */
const hiddenPerson = 'Mildred';

const upTo = (label: string) => [[{ system: 'MPAA', label }]] as const;

/** What a profile may see, and what of the household that is: as it comes, and with hidden things. */
const profiles: Readonly<
  Record<
    string,
    {
      readonly visibility: (ids: Readonly<Record<string, string>>) => Visibility;
      readonly sees: readonly Word[];
      readonly seesHidden: readonly Word[];
      readonly counts: Readonly<Partial<Record<LibraryName, number>>>;
      readonly countsHidden: Readonly<Partial<Record<LibraryName, number>>>;
    }
  >
> = {
  'no limit': {
    visibility: () => fullVisibility,
    sees: ['Mildred', 'Grimoire', 'Slasher', 'Barefoot', 'Otherworld'],
    seesHidden: ['Mildred', 'Grimoire', 'Slasher', 'Barefoot', 'Otherworld', 'Veilchen'],
    counts: { Films: 4, Series: 1 },
    countsHidden: { Films: 4, Series: 1, Vault: 1 },
  },
  'Films alone': {
    visibility: ({ Films = '' }) => visibilityOfLibraries([Films]),
    sees: ['Mildred', 'Grimoire', 'Slasher', 'Barefoot'],
    seesHidden: ['Mildred', 'Grimoire', 'Slasher', 'Barefoot'],
    counts: { Films: 4 },
    countsHidden: { Films: 4 },
  },
  'Series and the vault': {
    visibility: ({ Series = '', Vault = '' }) => visibilityOfLibraries([Series, Vault]),
    sees: ['Otherworld'],
    seesHidden: ['Otherworld', 'Veilchen'],
    counts: { Series: 1 },
    countsHidden: { Series: 1, Vault: 1 },
  },
  'up to PG-13 everywhere': {
    visibility: (ids) => limited(Object.values(ids), 'PG-13'),
    sees: ['Mildred', 'Otherworld'],
    seesHidden: ['Mildred', 'Otherworld', 'Veilchen'],
    counts: { Films: 1, Series: 1 },
    countsHidden: { Films: 1, Series: 1, Vault: 1 },
  },
  'up to PG in Films and Series': {
    visibility: ({ Films = '', Series = '' }) => limited([Films, Series], 'PG'),
    sees: ['Mildred'],
    seesHidden: ['Mildred'],
    counts: { Films: 1, Series: 0 },
    countsHidden: { Films: 1, Series: 0 },
  },
  'all of Films, up to PG in Series': {
    visibility: ({ Films = '', Series = '' }) => ({
      libraries: new Map<string, Admission>([
        [Films, []],
        [Series, upTo('PG')],
      ]),
      showsHidden: false,
    }),
    sees: ['Mildred', 'Grimoire', 'Slasher', 'Barefoot'],
    seesHidden: ['Mildred', 'Grimoire', 'Slasher', 'Barefoot'],
    counts: { Films: 4, Series: 0 },
    countsHidden: { Films: 4, Series: 0 },
  },
  'up to FSK 12, by which nothing is rated': {
    visibility: (ids) => ({
      libraries: new Map(Object.values(ids).map((id) => [id, [[{ system: 'FSK', label: '12' }]]])),
      showsHidden: false,
    }),
    sees: [],
    seesHidden: [],
    counts: { Films: 0, Series: 0 },
    countsHidden: { Films: 0, Series: 0, Vault: 0 },
  },
  'a deleted library': {
    visibility: () => visibilityOfLibraries(['gone']),
    sees: [],
    seesHidden: [],
    counts: {},
    countsHidden: {},
  },
};

const limited = (ids: readonly string[], label: string): Visibility => ({
  libraries: new Map(ids.map((id) => [id, upTo(label)])),
  showsHidden: false,
});

let house: Household;
/** The collection that everybody here owns: it lists every item. */
let ownCollection: string;
/** The same as a playlist. */
let ownPlaylist: string;
const ids = { person: new Map<string, string>(), everybody: '', keptCommon: '' };
const files = new Map<string, Readonly<Record<'id' | 'poster' | 'track', string>>>();
const portraits = new Map<string, string>();

beforeAll(async () => {
  house = await openHousehold(libraries, items);
  for (const role of ['guest', 'user', 'admin'] as const)
    for (const [name, { visibility }] of Object.entries(profiles))
      house.viewers.set(`${role}/${name}`, member(role, visibility(house.libraryIds)));
  await fillHousehold();
});

afterAll(() => house.close());

/** What a member who sees everything has done before the others look. */
async function fillHousehold(): Promise<void> {
  const everything = member('admin', { libraries: null, showsHidden: true });
  const { collection } = {
    collection: await house.collections.create({ distributedId: 'all', name: 'All' }, everything),
  };
  ownCollection = collection.id;
  const wanted = { kind: 'playlist', name: 'Every' } as const;
  ownPlaylist = (await house.collections.create(wanted, everything)).id;
  const itemIds = words.map((word) => house.itemIds[word] ?? '');
  await house.entries.add(ownPlaylist, { itemIds }, everything);
  for (const word of words) {
    const itemId = house.itemIds[word] ?? '';
    await house.collections.putItem(ownCollection, { itemId }, everything);
    const item = await house.items.get(itemId, everything);
    const [file] = item.files;
    const [track] = file?.text ?? [];
    const { poster = '' } = item.assets;
    files.set(word, { id: file?.id ?? '', poster, track: track?.id ?? '' });
  }
  const { entities: people } = await house.entities.list(everything, { type: 'person' });
  for (const { id, name, assets } of people) {
    if (name === 'Everybody') ids.everybody = id;
    const word = name.replace('Person ', '');
    ids.person.set(word, id);
    portraits.set(word, assets['thumbnail'] ?? '');
  }
  const hidden = ids.person.get(hiddenPerson) ?? '';
  await house.entities.update(hidden, { hidden: true }, everything);
  await house.entityUpkeep.sweep();
  const kept = await house.collections.list(everything, { limit: 50 });
  ids.keptCommon = kept.collections.find(({ name }) => name === 'Common')?.id ?? '';
  await guessAll();
  await house.index();
  const full = member('user', { libraries: null, showsHidden: true });
  house.viewers.set('filler', full);
  house.viewers.set('opener', opener);
  house.license = true;
  for (const word of words) {
    const completed = word === 'Mildred';
    await house.app.inject({
      method: 'PUT',
      url: `/api/items/${house.itemIds[word] ?? ''}/playback?includeHidden`,
      headers: bearer('filler'),
      payload: { position: 5, duration: 100, completed },
    });
  }
  for (const word of words) {
    const data = { itemId: house.itemIds[word], libraryId: libraryIdOf(word), title: word };
    house.bus.emit('library.item.enriched', data);
    house.bus.emit('pipeline.item.completed', { ...data, state: `completed ${word}` });
  }
}

/** No plugin is sure what any of the items is. */
async function guessAll(): Promise<void> {
  const guess = { id: 'x', manual: false, confidence: 0.4, title: 'Guess', matchedAt: 1 };
  await house.storage.database.write((trx) =>
    trx('items').update({ needs_look: 1, match: JSON.stringify({ catalogue: guess }) }),
  );
}

const libraryIdOf = (word: Word): string => house.libraryIds[items[word].library] ?? '';

/** Somebody who asks. */
interface Asker {
  readonly role: Role;
  readonly name: string;
  readonly withHidden: boolean;
  readonly sees: ReadonlySet<string>;
  readonly counts: Readonly<Partial<Record<string, number>>>;
}

/** An entity of a list. */
interface Counted {
  readonly name: string;
}

/** What a route showed: the words in it, and whether the person of `hiddenPerson` was there. */
interface Shown {
  readonly words: readonly string[];
  readonly hasHiddenPerson: boolean;
}

async function get(asker: Asker, url: string): Promise<{ status: number; body: string }> {
  const flag = asker.withHidden ? `${url.includes('?') ? '&' : '?'}includeHidden` : '';
  const headers = bearer(`${asker.role}/${asker.name}`);
  const reply = await house.app.inject({ url: url + flag, headers });
  return { status: reply.statusCode, body: reply.body };
}

async function json<Body>(asker: Asker, url: string): Promise<Body> {
  const { status, body } = await get(asker, url);
  if (status !== 200) throw new Error(`${url}: ${status} ${body}`);
  return JSON.parse(body) as Body;
}

const wordsIn = (text: string): readonly string[] =>
  words.filter((word) => {
    const names = [`Lantern ${word}`, `/${word}/`, `${word}.mkv`, `Chapter ${word}`, `ed ${word}`];
    return names.some((name) => text.includes(name)) || text.includes(house.itemIds[word] ?? word);
  });

const peopleIn = (text: string): readonly string[] =>
  words.filter((word) => text.includes(`Person ${word}`) || text.includes(personId(word)));
const personId = (word: string): string => ids.person.get(word) ?? `no person ${word}`;

const shownIn = (text: string): Shown => ({
  words: [...new Set([...wordsIn(text), ...peopleIn(text)])],
  hasHiddenPerson: peopleIn(text).includes(hiddenPerson),
});

/** The words of all pages of a list. */
async function pages(asker: Asker, url: string): Promise<string> {
  let text = '';
  let cursor: string | null = '';
  while (cursor !== null) {
    const mark: string = url.includes('?') ? '&' : '?';
    const page: { nextCursor: string | null } = await json(
      asker,
      `${url}${mark}limit=2${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    const { items: listed = [] } = page as { items?: readonly unknown[] };
    // A page is full unless it is the last one: what is left out is left out before it is counted.
    if (page.nextCursor !== null && 'items' in page) expect(listed).toHaveLength(2);
    text += JSON.stringify(page);
    cursor = page.nextCursor;
  }
  return text;
}

/** Asks for each item's thing by itself: 404 is the only answer for what does not show. */
async function each(
  asker: Asker,
  urlOf: (word: string) => string,
  statuses: readonly number[] = [200],
): Promise<Shown> {
  const found: string[] = [];
  let text = '';
  for (const word of words) {
    const { status, body } = await get(asker, urlOf(word));
    expect([404, ...statuses]).toContain(status);
    if (status !== 404) found.push(word);
    if (status === 200) text += body;
    // The answer repeats the id that was asked for, and nothing else of the item.
    if (status === 404) expect(wordsIn(body.replaceAll(itemId(word), ''))).toEqual([]);
  }
  const shown = shownIn(text);
  expect(found).toEqual(expect.arrayContaining([...shown.words]));
  return { words: found, hasHiddenPerson: shown.hasHiddenPerson };
}

const itemId = (word: string): string => house.itemIds[word] ?? '';
const fileOf = (word: string): string => files.get(word)?.id ?? '';
const trackOf = (word: string): string => files.get(word)?.track ?? '';

type Walk = (asker: Asker) => Promise<Shown>;

/** Somebody with the profile of all, who may see everything, and asks for hidden things or not. */
const opener: Viewer = member('user', fullVisibility);

/** A session of the item; '' for an item that is hidden from who began it. */
async function beginSession(word: string, withHidden: boolean): Promise<string> {
  const reply = await house.app.inject({
    method: 'POST',
    url: `/api/playback/sessions${withHidden ? '?includeHidden' : ''}`,
    headers: bearer('opener'),
    payload: { itemId: itemId(word), client: { mse: [householdType], src: [] } },
  });
  return reply.json<{ session?: { id: string } }>().session?.id ?? '';
}

const endAll = (): Promise<void> =>
  house.sessions.endThose({
    userId: house.viewers.get('opener')?.userId ?? null,
    credentialIds: [],
  });

/** An address of a session that somebody else of the profile began. */
const sessionWalk = (pathOf: (word: string) => string): { shows: 'items'; walk: Walk } => ({
  shows: 'items',
  walk: async (asker) => {
    const begun = new Map<string, string>();
    for (const word of words) begun.set(word, await beginSession(word, asker.withHidden));
    const shown = await each(asker, (word) => {
      const id = begun.get(word) || 'none';
      const link = encodeURIComponent(`${id}~${asker.role}/${asker.name}`);
      return `/api/playback/sessions/${id}/${link}/${pathOf(word)}`;
    });
    await endAll();
    return shown;
  },
});

/** Who follows the events. */
function listenerFor(asker: Asker): Viewer {
  const viewer =
    house.viewers.get(`${asker.role}/${asker.name}`) ?? member('guest', fullVisibility);
  return { ...viewer, visibility: { ...viewer.visibility, showsHidden: asker.withHidden } };
}

/** Checks the events that the asker got: they name what it sees, and the libraries that it may know. */
function heard(asker: Asker, text: string): Shown {
  const events = text.split('\n').filter((line) => line.includes('"type":"'));
  const kinds = ['library.item.enriched', 'pipeline.item.completed', 'playback.'].map((kind) =>
    events.filter((line) => line.includes(`"type":"${kind}`)).join('\n'),
  );
  for (const kind of kinds) expect(new Set(wordsIn(kind))).toEqual(asker.sees);
  const names = Object.keys(libraries).filter((name) => text.includes(`"name":"${name}"`));
  const known = isFullAdmin(listenerFor(asker)) ? libraries : asker.counts;
  expect(names.sort()).toEqual(Object.keys(known).sort());
  return shownIn(text);
}

/** Routes that show exactly the items that the viewer may see; `people` = and who plays in them. */
const walks: Readonly<Record<string, { readonly shows: 'items' | 'people'; readonly walk: Walk }>> =
  {
    'GET /api/items': {
      shows: 'people',
      walk: async (asker) => {
        const orders = itemSorts.flatMap((sortBy) =>
          ['asc', 'desc'].map((order) => `sortBy=${sortBy}&sortOrder=${order}&seed=7`),
        );
        // Filters that every item fulfils show all that the viewer may see.
        const filters = ['favourite=false', `collectionId=${ownCollection}`];
        if (asker.sees.size > 0) filters.push(`entityId=${ids.everybody}`);
        const lists = [...orders, ...filters].map((query) => `/api/items?${query}`);
        const texts = await Promise.all(lists.map((url) => pages(asker, url)));
        for (const text of texts) expect(shownIn(text)).toEqual(shownIn(texts[0] ?? ''));
        for (const query of ['limit=1', 'limit=1&favourite=false']) {
          const counted = await json<{ total: number }>(asker, `/api/items?includeTotal&${query}`);
          expect(counted.total).toBe(asker.sees.size);
        }
        const gore = await pages(asker, '/api/items?genre=gore');
        expect(new Set(wordsIn(gore))).toEqual(
          new Set(['Grimoire', 'Slasher'].filter((word) => asker.sees.has(word))),
        );
        const tiles = await pages(asker, '/api/items?fields=tile');
        expect(new Set(wordsIn(tiles))).toEqual(asker.sees);
        for (const word of words) {
          const begun = await get(asker, `/api/items?startAt=${itemId(word)}&limit=1`);
          expect([word, begun.status]).toEqual([word, asker.sees.has(word) ? 200 : 404]);
        }
        const ofEach = await Promise.all(
          Object.values(house.libraryIds).map((id) => pages(asker, `/api/items?libraryId=${id}`)),
        );
        expect(new Set(shownIn(ofEach.join('')).words)).toEqual(
          new Set(shownIn(texts[0] ?? '').words),
        );
        return shownIn(texts[0] ?? '');
      },
    },
    'GET /api/items/letters': {
      shows: 'people',
      walk: async (asker) => {
        for (const query of ['', '?favourite=false']) {
          const { letters } = await json<{ letters: readonly { count: number }[] }>(
            asker,
            `/api/items/letters${query}`,
          );
          expect(letters.reduce((sum, { count }) => sum + count, 0)).toBe(asker.sees.size);
        }
        const { letters } = await json<{ letters: readonly { cursor: string }[] }>(
          asker,
          '/api/items/letters',
        );
        const texts = await Promise.all(
          letters.map(({ cursor }) => get(asker, `/api/items?cursor=${cursor}`)),
        );
        return shownIn(texts.map(({ body }) => body).join(''));
      },
    },
    'GET /api/items/months': {
      shows: 'people',
      walk: async (asker) => {
        const { months } = await json<{ months: readonly { count: number; cursor: string }[] }>(
          asker,
          '/api/items/months',
        );
        expect(months.reduce((sum, { count }) => sum + count, 0)).toBe(asker.sees.size);
        const texts = await Promise.all(
          months.map(({ cursor }) => get(asker, `/api/items?sortBy=releasedAt&cursor=${cursor}`)),
        );
        return shownIn(texts.map(({ body }) => body).join(''));
      },
    },
    'GET /api/items/:id': {
      shows: 'people',
      walk: (asker) => each(asker, (word) => `/api/items/${itemId(word)}`),
    },
    'GET /api/items/:id/similar': {
      shows: 'items',
      walk: (asker) => each(asker, (word) => `/api/items/${itemId(word)}/similar`),
    },
    'GET /api/items/:id/chapters': {
      shows: 'items',
      walk: (asker) => each(asker, (word) => `/api/items/${itemId(word)}/chapters`),
    },
    'GET /api/items/:id/playback': {
      shows: 'items',
      walk: (asker) => each(asker, (word) => `/api/items/${itemId(word)}/playback`),
    },
    'GET /api/files/:id': {
      shows: 'items',
      walk: (asker) => each(asker, (word) => `/api/files/${fileOf(word)}`),
    },
    'GET /api/files/:id/stream': {
      shows: 'items',
      walk: (asker) => each(asker, (word) => `/api/files/${fileOf(word)}/stream`),
    },
    'GET /api/files/:id/text/:track': {
      shows: 'items',
      walk: (asker) =>
        each(asker, (word) => `/api/files/${fileOf(word)}/text/${trackOf(word)}.vtt`),
    },
    'GET /api/files/:id/fonts': {
      shows: 'items',
      walk: (asker) => each(asker, (word) => `/api/files/${fileOf(word)}/fonts`),
    },
    'GET /api/files/:id/fonts/:index': {
      shows: 'items',
      walk: (asker) => each(asker, (word) => `/api/files/${fileOf(word)}/fonts/0`),
    },
    'GET /api/items/:id/lyrics': {
      shows: 'items',
      walk: (asker) => each(asker, (word) => `/api/items/${itemId(word)}/lyrics`),
    },
    'GET /api/items/:id/playback-info': {
      shows: 'items',
      walk: (asker) => each(asker, (word) => `/api/items/${itemId(word)}/playback-info`),
    },
    'GET /api/playback/sessions': {
      shows: 'items',
      walk: async (asker) => {
        await Promise.all(words.map((word) => beginSession(word, true)));
        const shown = shownIn(await pages(asker, '/api/playback/sessions'));
        await endAll();
        return shown;
      },
    },
    'GET /api/playback/sessions/:id/:link/master.m3u8': sessionWalk(() => 'master.m3u8'),
    'GET /api/playback/sessions/:id/:link/file': sessionWalk(() => 'file'),
    'GET /api/playback/sessions/:id/:link/first': sessionWalk(() => 'first'),
    'GET /api/playback/sessions/:id/:link/:track/:quality/index.m3u8': sessionWalk(
      () => 'v0/copy/index.m3u8',
    ),
    'GET /api/playback/sessions/:id/:link/:track/:quality/iframes.m3u8': sessionWalk(
      () => 'v0/copy/iframes.m3u8',
    ),
    'GET /api/playback/sessions/:id/:link/:track/:quality/:part': sessionWalk(
      () => 'v0/copy/0.m4s',
    ),
    'GET /api/playback/sessions/:id/:link/text/:text': sessionWalk(
      (word) => `text/${trackOf(word)}.vtt`,
    ),
    'GET /api/playback/sessions/:id/:link/fonts/:index': sessionWalk(() => 'fonts/0'),
    'GET /api/playback/sessions/:id/:link/trickplay/:name': sessionWalk(() => 'trickplay/0.jpg'),
    'GET /api/assets/:id': {
      shows: 'items',
      walk: (asker) => each(asker, (word) => files.get(word)?.poster ?? ''),
    },
    'GET /api/search': {
      shows: 'people',
      walk: async (asker) => {
        const found = await json<{ items: readonly unknown[]; itemsTotal: number }>(
          asker,
          '/api/search?q=lantern&limit=50',
        );
        expect(found.items).toHaveLength(asker.sees.size);
        expect(found.itemsTotal).toBe(asker.sees.size);
        const first = await json<{ itemsTotal: number }>(asker, '/api/search?q=lant&limit=1');
        expect(first.itemsTotal).toBe(asker.sees.size);
        const people = await json<{ entities: readonly unknown[] }>(
          asker,
          '/api/search?q=person&limit=50',
        );
        return shownIn(JSON.stringify([found, people]));
      },
    },
    'GET /api/entities': {
      shows: 'people',
      walk: async (asker) => {
        const text = await pages(asker, '/api/entities?type=person');
        expect(text.includes('Everybody')).toBe(asker.sees.size > 0);
        const genres = await pages(asker, '/api/entities?type=genre');
        expect(genres.includes('Gore')).toBe(asker.sees.has('Slasher'));
        const byYear = await pages(asker, '/api/entities?type=person&sortBy=addedAt');
        expect(new Set(peopleIn(byYear))).toEqual(new Set(peopleIn(text)));
        const counted = await json<{ entities: readonly Counted[] }>(
          asker,
          `/api/entities?type=person&sortOrder=asc&limit=1`,
        );
        const unwatched = asker.sees.size - (asker.sees.has('Mildred') ? 1 : 0);
        if (asker.sees.size > 0)
          expect(counted.entities).toMatchObject([
            { name: 'Everybody', itemCount: asker.sees.size, unwatchedCount: unwatched },
          ]);
        // The person who is hidden leaves no trace of the item: it is looked for at its other routes.
        const { words: people, hasHiddenPerson } = shownIn(text);
        const own = asker.sees.has(hiddenPerson) ? [hiddenPerson] : [];
        return { words: [...new Set([...people, ...own])], hasHiddenPerson };
      },
    },
    'GET /api/entities/letters': {
      shows: 'people',
      walk: async (asker) => {
        const { letters } = await json<{ letters: readonly { count: number; cursor: string }[] }>(
          asker,
          '/api/entities/letters?type=person',
        );
        const texts = await Promise.all(
          letters.map(({ cursor, count }) =>
            get(asker, `/api/entities?type=person&cursor=${cursor}&limit=${count}`),
          ),
        );
        const text = texts.map(({ body }) => body).join('');
        const whole = await pages(asker, '/api/entities?type=person');
        expect(peopleIn(text).toSorted()).toEqual(peopleIn(whole).toSorted());
        const { words: people, hasHiddenPerson } = shownIn(text);
        const own = asker.sees.has(hiddenPerson) ? [hiddenPerson] : [];
        return { words: [...new Set([...people, ...own])], hasHiddenPerson };
      },
    },
    'GET /api/entities/:id': {
      shows: 'items',
      walk: async (asker) => {
        const { status, body } = await get(asker, `/api/entities/${ids.everybody}`);
        expect(status).toBe(asker.sees.size > 0 ? 200 : 404);
        const { entity } = JSON.parse(body) as { entity?: { itemCount: number } };
        expect(entity?.itemCount ?? 0).toBe(asker.sees.size);
        return eachPerson(asker, (word) => `/api/entities/${personId(word)}`);
      },
    },
    'GET /api/entities/:id/children': {
      shows: 'items',
      walk: async (asker) => {
        const own = await eachPerson(asker, (word) => `/api/entities/${personId(word)}/children`);
        if (asker.sees.size === 0) return own;
        return shownIn(await pages(asker, `/api/entities/${ids.everybody}/children`));
      },
    },
    'GET /api/entities/:id/items': {
      shows: 'people',
      walk: async (asker) => {
        const own = await eachPerson(asker, (word) => `/api/entities/${personId(word)}/items`);
        if (asker.sees.size === 0) return own;
        return shownIn(await pages(asker, `/api/entities/${ids.everybody}/items`));
      },
    },
    'GET /api/home': {
      shows: 'items',
      walk: async (asker) => {
        const { rows } = await json<{ rows: readonly { tiles: readonly { id: string }[] }[] }>(
          asker,
          '/api/home?limit=50',
        );
        const ids = rows.flatMap(({ tiles }) => tiles.map(({ id }) => id));
        expect(new Set(ids).size).toBe(ids.length);
        return shownIn(JSON.stringify(rows.map(({ tiles }) => tiles)));
      },
    },
    'GET /api/collections': {
      shows: 'items',
      walk: async (asker) => {
        const { collections } = await json<{
          collections: readonly { name: string; itemCount: number }[];
        }>(asker, '/api/collections');
        const countOf = new Map(collections.map(({ name, itemCount }) => [name, itemCount]));
        expect(countOf.get('All')).toBe(asker.sees.size);
        const common = [...asker.sees].filter((word) => word !== 'Slasher').length;
        expect(countOf.get('Common') ?? 0).toBe(common);
        const gore = [...asker.sees].filter((word) => ['Grimoire', 'Slasher'].includes(word));
        expect(countOf.get('Gore') ?? 0).toBe(gore.length);
        expect(countOf.has('Gore')).toBe(gore.length > 0);
        return everythingSeen(asker);
      },
    },
    'GET /api/collections/:id': {
      shows: 'items',
      walk: async (asker) => {
        const { collection } = await json<{ collection: { itemCount: number } }>(
          asker,
          `/api/collections/${ownCollection}`,
        );
        expect(collection.itemCount).toBe(asker.sees.size);
        const { status } = await get(asker, `/api/collections/${ids.keptCommon}`);
        expect(status).toBe(asker.sees.size > 0 ? 200 : 404);
        return everythingSeen(asker);
      },
    },
    'GET /api/collections/:id/items': {
      shows: 'people',
      walk: async (asker) => {
        const sorts = ['manual', 'title', 'year', 'addedAt'];
        const own = await Promise.all(
          sorts.map((sort) =>
            pages(asker, `/api/collections/${ownCollection}/items?sortBy=${sort}`),
          ),
        );
        for (const text of own) expect(shownIn(text)).toEqual(shownIn(own[0] ?? ''));
        if (asker.sees.size > 0) {
          const kept = await pages(asker, `/api/collections/${ids.keptCommon}/items`);
          const common = [...asker.sees].filter((word) => word !== 'Slasher');
          expect(new Set(shownIn(kept).words)).toEqual(new Set(common));
        }
        return shownIn(own[0] ?? '');
      },
    },
    'GET /api/collections/:id/entries': {
      shows: 'people',
      walk: async (asker) => shownIn(await pages(asker, `/api/collections/${ownPlaylist}/entries`)),
    },
    'GET /api/libraries': {
      shows: 'items',
      walk: async (asker) => {
        const list = await json<{ libraries: readonly { name: string; itemCount: number }[] }>(
          asker,
          '/api/libraries',
        );
        const counts = list.libraries.map(({ name, itemCount }) => [name, itemCount] as const);
        expect(Object.fromEntries(counts)).toEqual(librariesOf(asker));
        return everythingSeen(asker);
      },
    },
    'GET /api/libraries/:id': {
      shows: 'items',
      walk: async (asker) => {
        for (const [name, id] of Object.entries(house.libraryIds)) {
          const { status, body } = await get(asker, `/api/libraries/${id}`);
          const known = librariesOf(asker)[name];
          expect({ name, status }).toEqual({ name, status: known === undefined ? 404 : 200 });
          if (known !== undefined)
            expect(JSON.parse(body)).toMatchObject({ library: { name, itemCount: known } });
        }
        return everythingSeen(asker);
      },
    },
    'GET /api/continue-watching': {
      shows: 'items',
      walk: async (asker) => {
        const { words: begun, hasHiddenPerson } = shownIn(
          await pages(asker, '/api/continue-watching'),
        );
        // Mildred was watched to the end.
        const ended = asker.sees.has('Mildred') ? ['Mildred'] : [];
        expect(begun).not.toContain('Mildred');
        return { words: [...begun, ...ended], hasHiddenPerson };
      },
    },
    'GET /api/next-up': {
      shows: 'items',
      walk: async (asker) => {
        const shown = shownIn(await pages(asker, '/api/next-up'));
        for (const word of shown.words) expect(asker.sees).toContain(word);
        return everythingSeen(asker);
      },
    },
    'GET /api/plugins/views/:slot': {
      shows: 'items',
      walk: async (asker) => {
        for (const [name, libraryId] of Object.entries(house.libraryIds)) {
          const context = encodeURIComponent(JSON.stringify({ libraryId }));
          const url = `/api/plugins/views/ui.library.header.actions?context=${context}`;
          const { status } = await get(asker, url);
          expect({ name, status }).toEqual({ name, status: name in asker.counts ? 200 : 404 });
        }
        return each(asker, (word) => {
          const context = { itemId: itemId(word), libraryType: 'movies' };
          const text = encodeURIComponent(JSON.stringify(context));
          return `/api/plugins/views/ui.item.detail.actions?context=${text}`;
        });
      },
    },
    'GET /api/events': {
      shows: 'items',
      walk: async (asker) => {
        const stream = house.feed.open(listenerFor(asker), { lastEventId: 'life.0' });
        let text = '';
        stream.on('data', (part: Buffer) => (text += part.toString()));
        await house.settled();
        stream.destroy();
        return heard(asker, text);
      },
    },
    'GET /api/ws': {
      shows: 'items',
      walk: async (asker) => {
        let text = '';
        const socket = {
          // What stands before the text of a frame is as good as a line of its own.
          write: (frame: Buffer) => (text += `\n${frame.toString().replace(/^[^{]+/, '')}`) !== '',
          together: (work: () => void) => work(),
          isFull: () => false,
          ping: () => undefined,
          close: () => undefined,
          cut: () => undefined,
        };
        const query = { lastEventId: 'life.0' };
        const held = house.feed.connect(listenerFor(asker), socket, query);
        await house.settled();
        held.onClose();
        return heard(asker, text);
      },
    },
  };

/** For admins; every request of others is refused. */
const adminWalks: Readonly<Record<string, Walk>> = {
  'GET /api/items/:id/match': (asker) =>
    each(asker, (word) => `/api/items/${itemId(word)}/match`, [200]),
  'GET /api/items/:id/pictures': (asker) =>
    each(asker, (word) => `/api/items/${itemId(word)}/pictures`, [200]),
  'GET /api/items/:id/matches': (asker) =>
    each(asker, (word) => `/api/items/${itemId(word)}/matches`, [200]),
  'GET /api/items/:id/matches/picture': (asker) =>
    each(
      asker,
      (word) => `/api/items/${itemId(word)}/matches/picture?pluginId=none&url=https://example.org`,
      [400],
    ),
  'GET /api/matches/pending': async (asker) => shownIn(await pages(asker, '/api/matches/pending')),
};

/** Routes that change something of an item: for what does not show they answer as for what is not there. */
const changes: Readonly<
  Record<string, { readonly least: Role; readonly payload?: object | ((word: string) => object) }>
> = {
  'PATCH /api/items/:id': { least: 'admin', payload: {} },
  'DELETE /api/items/:id': { least: 'admin' },
  'POST /api/items/:id/pictures': { least: 'admin', payload: { type: 'poster', image: 'AAAA' } },
  'DELETE /api/items/:id/pictures/:pictureId': { least: 'admin' },
  'PUT /api/items/:id/match': { least: 'admin', payload: { pluginId: 'p', id: 'x' } },
  'DELETE /api/items/:id/match': { least: 'admin' },
  'POST /api/items/:id/refresh': { least: 'admin' },
  'POST /api/files/:id/link': { least: 'guest', payload: {} },
  'POST /api/assets/:id/link': { least: 'guest', payload: {} },
  'POST /api/playback/sessions': {
    least: 'guest',
    payload: (word: string) => ({ itemId: itemId(word), client: { mse: [], src: [] } }),
  },
  'PATCH /api/playback/sessions/:id': { least: 'guest', payload: {} },
  'DELETE /api/playback/sessions/:id': { least: 'guest' },
  'PUT /api/items/:id/playback': { least: 'user', payload: { position: 1 } },
  'DELETE /api/items/:id/playback': { least: 'user' },
  'PUT /api/items/:id/favourite': { least: 'user' },
  'DELETE /api/items/:id/favourite': { least: 'user' },
  'PUT /api/items/:id/rating': { least: 'user', payload: { value: 4 } },
  'PUT /api/items/:id/watched': { least: 'user', payload: { watched: true } },
  'PUT /api/entities/:id/watched': { least: 'user', payload: { watched: true } },
  'PUT /api/entities/:id/favourite': { least: 'user' },
  'PUT /api/entities/:id/rating': { least: 'user', payload: { value: 4 } },
  'DELETE /api/entities/:id/favourite': { least: 'user' },
  'PUT /api/collections/:id/items/:itemId': { least: 'user' },
  'POST /api/collections/:id/entries': {
    least: 'user',
    payload: (word: string) => ({ itemIds: [itemId('Mildred'), itemId(word)] }),
  },
};

/** Routes that show nothing of items: of accounts, of the server, or what only an admin of it all may see. */
const others = [
  /^\S+ \/api\/(api-keys|audit|auth|identity|invites|groups|license|passkeys|profiles|setup|users)(\/|$)/,
  /^\S+ \/api\/(backups|database|docs|doctor|folders|health|logs|notifications|rating-systems|reachable|ready|servers|openapi\.json|scheduler|settings|stats|jobs|updates|webhooks)(\/|$)/,
  // The viewer's own languages only; that is held by the conformance with lists.
  /^GET \/api\/items\/languages$/,
  /^\S+ \/api\/plugins(\/(:id|marketplace|packages|presets|providers|rescan|views\/actions)(\/.*)?)?$/,
  /^(POST|PATCH|DELETE) \/api\/(libraries|collections|entities)(\/:id)?$/,
  /^(GET|PUT) \/api\/libraries\/:id\/sources$/,
  // `src/library/catalogue/libraries/held.test.ts` shows who sees them.
  /^\S+ \/api\/libraries\/:id\/(unread-files|removed-files|hidden-entities)(\/restore)?$/,
  // `src/viewing/playlist-files/playlist-files.test.ts` shows who sees what of them.
  /^GET \/api\/libraries\/:id\/playlists(\/:fileId)?$/,
  /^POST \/api\/entities\/:id\/(merge|split|pictures)$/,
  /^DELETE \/api\/entities\/:id\/pictures\/:pictureId$/,
  // They change a collection by ids that its owner has.
  /^DELETE \/api\/collections\/:id\/items\/:itemId$/,
  /^(PATCH|DELETE) \/api\/collections\/:id\/entries\/:entryId$/,
  /^\S+ \/(?!api\/)/,
];

const everythingSeen = (asker: Asker): Shown => ({
  words: [...asker.sees],
  hasHiddenPerson: false,
});

/** An admin finds a hidden person by the id: it may be shown again. The item is what shows of others. */
async function eachPerson(asker: Asker, urlOf: (word: string) => string): Promise<Shown> {
  const shown = await each(asker, urlOf);
  const isOfAll = asker.role === 'admin' && asker.name === 'no limit';
  const findsHidden = asker.sees.has(hiddenPerson) && (asker.withHidden || isOfAll);
  expect(shown.words.includes(hiddenPerson)).toBe(findsHidden);
  const rest = shown.words.filter((word) => word !== hiddenPerson);
  const own = asker.sees.has(hiddenPerson) ? [hiddenPerson] : [];
  return { words: [...rest, ...own], hasHiddenPerson: false };
}

/** The libraries that somebody knows of, with what they may see in them: an admin knows hidden ones. */
function librariesOf({ role, name, counts }: Asker): Readonly<Record<string, number>> {
  const profile = profiles[name];
  const known = role === 'admin' ? profile?.countsHidden : counts;
  return { ...known };
}

/** Where hidden things make a difference with and without them, else with or without them in turn. */
function asksByDay(name: string, withHidden: boolean): boolean {
  const { sees = [], seesHidden = [] } = profiles[name] ?? {};
  const isInTurn = (Object.keys(profiles).indexOf(name) % 2 === 1) === withHidden;
  return sees.length !== seesHidden.length || isInTurn;
}

/** Each profile as one of the roles; by night as every role, with and without hidden things. */
function askers(): readonly Asker[] {
  const asksFirst = { guest: 1, user: 2, admin: 0 } as const;
  return (['guest', 'user', 'admin'] as const).flatMap((role) =>
    Object.entries(profiles)
      .filter((_, no) => isNightly || no % 3 === asksFirst[role])
      .flatMap(([name, { sees, seesHidden, counts, countsHidden }]) => [
        { role, name, withHidden: false, sees: new Set(sees), counts },
        { role, name, withHidden: true, sees: new Set(seesHidden), counts: countsHidden },
      ])
      .filter(({ withHidden, name }) => isNightly || asksByDay(name, withHidden)),
  );
}

describe.each(sampleOf(askers(), 6))('$role, $name, with hidden things: $withHidden', (asker) => {
  beforeAll(() => {
    house.license = true;
  });

  test.each(Object.keys(walks))(
    '%s shows what this profile may see and nothing else',
    async (route) => {
      const { shows, walk } = walks[route] ?? {};
      if (walk === undefined) throw new Error(`There is no walk of ${route}.`);
      const shown = await walk(asker);

      expect(new Set(shown.words)).toEqual(asker.sees);
      const showsPerson = shows === 'people' && asker.withHidden && asker.sees.has(hiddenPerson);
      if (shows === 'people') expect(shown.hasHiddenPerson).toBe(showsPerson);
    },
  );

  test('pictures of people show with the people, if they lie where the viewer may look', async () => {
    const shown = await eachPerson(asker, (word) => portraits.get(word) ?? '');

    expect(new Set(shown.words)).toEqual(asker.sees);
  });

  test.each(Object.keys(adminWalks))('%s is for admins, of what they may see', async (route) => {
    const walk = adminWalks[route];
    if (asker.role === 'admin') {
      expect(new Set((await walk?.(asker))?.words)).toEqual(asker.sees);
      return;
    }
    const { status } = await get(asker, route.slice(4).replace(':id', itemId('Mildred')));
    expect(status).toBe(403);
  });

  test.each(Object.entries(changes))(
    '%s knows no item that does not show',
    async (route, change) => {
      const [method, path] = route.split(' ') as ['PUT', string];
      const isAllowed = isAtLeast(asker.role, change.least);
      for (const word of words.filter((one) => !asker.sees.has(one))) {
        const url = path
          .replace('/collections/:id/entries', `/collections/${ownPlaylist}/entries`)
          .replace('/collections/:id', `/collections/${ownCollection}`)
          .replace('/entities/:id', `/entities/${personId(word)}`)
          .replace('/files/:id', `/files/${fileOf(word)}`)
          .replace('/api/assets/:id', files.get(word)?.poster ?? '')
          .replace(/:id|:itemId/, itemId(word));
        const reply = await house.app.inject({
          method,
          url: asker.withHidden ? `${url}?includeHidden` : url,
          headers: bearer(`${asker.role}/${asker.name}`),
          ...(change.payload && {
            payload: typeof change.payload === 'function' ? change.payload(word) : change.payload,
          }),
        });
        expect({ word, status: reply.statusCode }).toEqual({ word, status: isAllowed ? 404 : 403 });
      }
    },
  );
});

testByNight('without an active license no request shows hidden things', async () => {
  house.license = false;
  for (const role of ['guest', 'user', 'admin'] as const) {
    const { sees = [], counts = {} } = profiles['no limit'] ?? {};
    const asker = { role, name: 'no limit', withHidden: true, sees: new Set(sees), counts };
    for (const [route, { walk, shows }] of Object.entries(walks)) {
      if (/^GET \/api\/(events$|ws$|entities\/:id)/.test(route)) continue;
      const shown = await walk(asker);
      expect({ route, words: new Set(shown.words) }).toEqual({ route, words: asker.sees });
      if (shows === 'people') expect(shown.hasHiddenPerson).toBe(false);
    }
  }
});

test('every route is walked here, or shows nothing of items', async () => {
  const routes: RouteOptions[] = [];
  const unreachable: object = new Proxy(
    { close: () => undefined },
    { get: (known, name) => Reflect.get(known, name) ?? unreachable },
  );
  const parts = new Proxy({}, { get: () => unreachable }) as RouteParts;
  const app = await createTestApp([
    (one) => void one.addHook('onRoute', (route) => void routes.push(route)),
    ...allRoutes(parts),
  ]);
  await app.close();
  const walked = [...Object.keys(walks), ...Object.keys(adminWalks), ...Object.keys(changes)];
  const unknown = routes
    .filter(({ method }) => method !== 'HEAD')
    .map(({ method, url }) => `${String(method)} ${url}`)
    .filter((route) => !walked.includes(route) && !others.some((other) => other.test(route)));

  expect(unknown).toEqual([]);
});
