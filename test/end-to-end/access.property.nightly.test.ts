/** For every profile, every route agrees with a filter that is too simple to be wrong. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Visibility, Viewer } from '../../src/people/viewer/index.ts';
import type { Admission, RatingLimit } from '../../src/people/ratings/index.ts';
import {
  member,
  openHousehold,
  type HouseItem,
  type Household,
} from '../support/library/household.ts';
import { bearer } from '../support/servers/http.ts';

const libraries = {
  Films: { hidden: false },
  Series: { hidden: false },
  Music: { hidden: false },
  Vault: { hidden: true },
} as const;

/** Three systems, the mildest step first. */
const steps: Readonly<Record<string, readonly string[]>> = {
  MPAA: ['G', 'PG', 'PG-13', 'R', 'NC-17'],
  TV: ['TV-PG', 'TV-14', 'TV-MA'],
  FSK: ['0', '6', '12', '16', '18'],
};

/** What each says in them, written by hand. */
const certifications: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  G: { MPAA: 'G' },
  PG: { MPAA: 'PG' },
  'PG-13': { MPAA: 'PG-13' },
  'Rated R for language': { MPAA: 'R' },
  'NC-17': { MPAA: 'NC-17' },
  'TV-14': { TV: 'TV-14' },
  'US:PG / DE:FSK 12': { MPAA: 'PG', FSK: '12' },
  'Germany:16/USA:PG-13/UK:15': { MPAA: 'PG-13', FSK: '16' },
  'DE:6 / US:TV-MA / US:G / DE:18': { MPAA: 'G', TV: 'TV-MA', FSK: '18' },
  'FR:10 | US:TV-14-LV': { TV: 'TV-14' },
  'FSK 16': { FSK: '16' },
  'de/6': { FSK: '6' },
  'nobody knows': {},
};
const spellings = Object.keys(certifications);

/** A word for each item: none is the beginning of another, and a typo leads from none to another. */
const wordAt = (at: number): string =>
  `${'abcdefgh'[at % 8] ?? ''}${'stuvwxyz'[Math.floor(at / 8)] ?? ''}`.repeat(4);

const names = Object.keys(libraries);
const count = 56;
const items: Readonly<Record<string, HouseItem>> = Object.fromEntries(
  Array.from({ length: count }, (_, at) => {
    const certification = spellings[(at * 7) % (spellings.length + 2)];
    const library = names[(at * 5) % names.length] ?? '';
    const genres = [`Genre ${at % 5}`, ...(certification === undefined ? ['Bare'] : [])];
    return [wordAt(at), { library, genres, ...(certification !== undefined && { certification }) }];
  }),
);

let house: Household;
const words = Object.keys(items);

beforeAll(async () => {
  house = await openHousehold(libraries, items);
  house.license = true;
  const everything = member('user', { libraries: null, showsHidden: true });
  const { id } = await house.collections.create({ distributedId: 'all', name: 'All' }, everything);
  for (const word of words)
    await house.collections.putItem(id, { itemId: house.itemIds[word] ?? '' }, everything);
  for (const word of words)
    house.bus.emit('library.item.enriched', {
      itemId: house.itemIds[word] ?? '',
      libraryId: house.libraryIds[items[word]?.library ?? ''] ?? '',
      title: word,
    });
});

afterAll(() => house.close());

const limit = fc.constantFrom(
  { system: 'MPAA', label: 'PG' },
  { system: 'MPAA', label: 'R' },
  { system: 'TV', label: 'TV-14' },
  { system: 'FSK', label: '12' },
  { system: 'FSK', label: '18' },
);
const admission: fc.Arbitrary<Admission> = fc.array(
  fc.array(limit, { minLength: 1, maxLength: 2 }),
  { maxLength: 2 },
);
/** Sights by the names of libraries. */
const anyVisibility = fc.record({
  libraries: fc.option(fc.dictionary(fc.constantFrom(...names, 'gone'), admission), { nil: null }),
  showsHidden: fc.boolean(),
});

/** The filter that is too simple to be wrong. */
function shows(
  word: string,
  visibility: typeof anyVisibility extends fc.Arbitrary<infer T> ? T : never,
) {
  const { library = '', certification = '' } = items[word] ?? {};
  const isHidden = libraries[library as keyof typeof libraries].hidden;
  if (isHidden && !visibility.showsHidden) return false;
  if (visibility.libraries === null) return true;
  const groups = visibility.libraries[library];
  const isWithin = ({ system, label }: RatingLimit): boolean => {
    const step = certifications[certification]?.[system];
    const order = steps[system] ?? [];
    return step !== undefined && order.indexOf(step) <= order.indexOf(label);
  };
  return groups?.every((limits) => limits.some(isWithin)) ?? false;
}

const wordsIn = (text: string): readonly string[] =>
  words.filter((word) => text.includes(`Lantern ${word}`)).sort();

async function ask(url: string): Promise<{ status: number; text: string }> {
  const flagged = `${url}${url.includes('?') ? '&' : '?'}includeHidden=${house.license}`;
  const reply = await house.app.inject({ url: flagged, headers: bearer('somebody') });
  return { status: reply.statusCode, text: reply.body };
}

async function asked<Body>(url: string): Promise<Body> {
  return JSON.parse((await ask(url)).text) as Body;
}

async function heard(viewer: Viewer): Promise<readonly string[]> {
  const stream = house.feed.open(viewer, {
    types: ['library.item.enriched'],
    lastEventId: 'life.0',
  });
  let text = '';
  stream.on('data', (part: Buffer) => (text += part.toString()));
  await house.settled();
  stream.destroy();
  return words.filter((word) => text.includes(`"title":"${word}"`)).sort();
}

test(
  'for any visibility, every route agrees with the simple filter',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(anyVisibility, fc.integer({ min: 1, max: 60 }), async (wanted, pageSize) => {
        const visibility: Visibility = {
          libraries:
            wanted.libraries &&
            new Map(
              Object.entries(wanted.libraries).map(([name, limits]) => [
                house.libraryIds[name] ?? name,
                limits,
              ]),
            ),
          showsHidden: false,
        };
        const viewer = member('guest', visibility);
        house.viewers.set('somebody', viewer);
        house.license = wanted.showsHidden;
        const expected = words.filter((word) => shows(word, wanted)).sort();
        const hasGenre = (word: string, genre: string): boolean =>
          items[word]?.genres?.includes(genre) ?? false;

        for (const sortBy of ['title', 'year', 'addedAt']) {
          let [text, cursor]: [string, string | null] = ['', ''];
          while (cursor !== null) {
            const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
            const url = `/api/items?sortBy=${sortBy}&limit=${pageSize}${after}`;
            const page: { items: readonly unknown[]; nextCursor: string | null } = await asked(url);
            if (page.nextCursor !== null) expect(page.items).toHaveLength(pageSize);
            text += JSON.stringify(page.items);
            cursor = page.nextCursor;
          }
          expect(wordsIn(text)).toEqual(expected);
        }

        const found = await asked<{ items: readonly unknown[]; itemsTotal: number }>(
          `/api/search?q=lantern&limit=${pageSize}`,
        );
        expect(found.itemsTotal).toBe(expected.length);
        expect(found.items).toHaveLength(Math.min(pageSize, expected.length));
        const everyHit = await ask('/api/search?q=lantern&limit=200');
        expect(wordsIn(everyHit.text)).toEqual(expected);

        const people = await ask('/api/entities?type=person&limit=500');
        expect(words.filter((word) => people.text.includes(`Person ${word}"`)).sort()).toEqual(
          expected,
        );
        const { entities } = await asked<{ entities: readonly { id: string; name: string }[] }>(
          '/api/entities?type=genre&limit=500',
        );
        const genres = new Set(expected.flatMap((word) => items[word]?.genres ?? []));
        expect(new Set(entities.map(({ name }) => name))).toEqual(genres);
        for (const { id, name } of entities) {
          const own = expected.filter((word) => hasGenre(word, name));
          const { entity } = await asked<{ entity: { itemCount: number } }>(`/api/entities/${id}`);
          expect(entity.itemCount).toBe(own.length);
          expect(wordsIn((await ask(`/api/entities/${id}/items?limit=500`)).text)).toEqual(own);
        }

        const { collections } = await asked<{
          collections: readonly { id: string; name: string; itemCount: number }[];
        }>('/api/collections?limit=500');
        expect(new Set(collections.map(({ name }) => name))).toEqual(new Set(['All', ...genres]));
        for (const { id, name, itemCount } of collections) {
          const own = expected.filter((word) => name === 'All' || hasGenre(word, name));
          expect(itemCount).toBe(own.length);
          expect(wordsIn((await ask(`/api/collections/${id}/items?limit=500`)).text)).toEqual(own);
        }

        const list = await asked<{ libraries: readonly { name: string; itemCount: number }[] }>(
          '/api/libraries',
        );
        for (const { name, itemCount } of list.libraries)
          expect(itemCount).toBe(expected.filter((word) => items[word]?.library === name).length);

        for (const word of words) {
          const { status } = await ask(`/api/items/${house.itemIds[word] ?? ''}`);
          expect({ word, status }).toEqual({ word, status: expected.includes(word) ? 200 : 404 });
        }
        const hearing = {
          ...viewer,
          visibility: { ...visibility, showsHidden: wanted.showsHidden },
        };
        expect(await heard(hearing)).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  },
);

test('an item with a new rating is shown at once to those who may see it', async () => {
  house.license = false;
  const [word = ''] = words.filter((one) => items[one]?.library === 'Films');
  const admin = member('admin', { libraries: null, showsHidden: false });
  const films = house.libraryIds['Films'] ?? '';
  const limits: Admission = [[{ system: 'MPAA', label: 'PG' }]];
  house.viewers.set(
    'somebody',
    member('guest', { libraries: new Map([[films, limits]]), showsHidden: false }),
  );
  const id = house.itemIds[word] ?? '';
  const isSeen = async (): Promise<readonly boolean[]> => [
    (await ask(`/api/items/${id}`)).status === 200,
    wordsIn((await ask('/api/items?limit=500')).text).includes(word),
    (await ask('/api/entities?type=person&limit=500')).text.includes(`Person ${word}"`),
  ];

  // Spellings that the household had not before.
  for (const [certification, expected] of [
    ['US:G', true],
    ['US:NC-17', false],
    ['Rated PG for mild peril', true],
    [null, false],
  ] as const) {
    await house.items.update(id, { certification }, admin);
    expect({ certification, seen: await isSeen() }).toEqual({
      certification,
      seen: [expected, expected, expected],
    });
  }
});
