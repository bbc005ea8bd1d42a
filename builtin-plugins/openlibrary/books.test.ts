import { describe, expect, test } from 'vitest';
import type { IndexFile } from '../../plugin-api/index.ts';
import {
  fileOf,
  illReplies,
  indexerOf,
  type Reply,
} from '../../test/support/plugins/call-indexer.ts';
import { openlibraryReply } from '../../test/support/plugins/openlibrary.ts';
import plugin from './index.ts';
import { isbnOf } from './isbn.ts';

const isbn = '9783161484100';
const books = [
  {
    no: 1,
    title: 'The Quiet Harbour',
    author: 'Ada Reed',
    year: 1931,
    isbn,
    editionTitle: 'Der stille Hafen',
    subjects: ['Fantasy fiction', 'Harbours', 'Adventure stories'],
  },
  { no: 2, title: 'Winter Garden', author: 'Ben Stone', year: 1950 },
  { no: 3, title: 'Winter Garden', author: 'Cleo Marsh', year: 1950 },
];

const usual: Reply = ({ url }) => openlibraryReply(books, url.pathname, url.searchParams);

const index = indexerOf(plugin, 'books', usual, {
  languages: ['en'],
  baseUrl: 'https://openlibrary.org',
  imageBaseUrl: 'https://covers.openlibrary.org',
  keepDays: 7,
});

const garden = (facts: object = {}): IndexFile =>
  fileOf('Winter Garden', { author: 'Stone, Ben', year: 1950, ...facts });

describe('an ISBN', () => {
  test.each([
    ['978-3-16-148410-0', isbn],
    ['3-16-148410-X', isbn],
    ['9783161484101', undefined],
    ['3161484101', undefined],
    ['12', undefined],
    [7, undefined],
  ])('%s is %s', (value, wanted) => {
    expect(isbnOf(value)).toBe(wanted);
  });
});

describe('openlibrary', () => {
  test('knows a book by its ISBN, also where its file has another name, with author, genres and cover', async () => {
    const { results } = await index([
      fileOf('scan 12', {}, { ids: { isbn: { id: '3-16-148410-X' } } }),
    ]);

    expect(results[0]).toMatchObject({
      title: 'Der stille Hafen',
      metadata: {
        originalTitle: 'The Quiet Harbour',
        author: 'Ada Reed',
        year: 1931,
        overview: 'All about The Quiet Harbour.',
        rating: 8.3,
        ids: { openlibrary: 'OL1W', 'openlibrary-edition': 'OL1M' },
      },
      entities: {
        author: [
          {
            name: 'Ada Reed',
            type: 'person',
            ids: { openlibrary: { id: 'OL1A' }, wikidata: { id: 'Q1' } },
            metadata: { imageUrl: 'https://covers.openlibrary.org/a/id/1000-L.jpg' },
          },
        ],
        genre: [{ name: 'Fantasy' }, { name: 'Adventure' }],
      },
      assets: [{ type: 'cover', uri: 'https://covers.openlibrary.org/b/id/101-L.jpg' }],
      confidence: 0.99,
      match: { id: 'OL1W' },
    });
  });

  test('knows a book by its title and author, in three requests', async () => {
    const { results, asked } = await index([garden()]);

    expect(results[0]).toMatchObject({ match: { id: 'OL2W' }, confidence: 0.99 });
    expect(asked.map(({ url }) => url.pathname)).toEqual([
      '/search.json',
      '/works/OL2W.json',
      '/authors/OL2A.json',
    ]);
  });

  test('of two books of one title chooses none without the author', async () => {
    const { results, candidates } = await index([fileOf('Winter Garden', { year: 1950 })]);

    expect(results).toEqual([null]);
    expect(candidates?.[0]?.map(({ id }) => id)).toEqual(['OL2W', 'OL3W']);
  });

  test('leaves a book of that title by somebody else to a person', async () => {
    const { results } = await index([garden({ author: 'Dora Field' })]);

    expect(results).toEqual([null]);
  });

  test('takes a later year for a new edition, and an earlier one for another book', async () => {
    const [later] = (await index([garden({ year: 2014 })])).results;
    const [earlier] = (await index([garden({ year: 1920 })])).results;

    expect(later?.confidence).toBeGreaterThan(0.6);
    expect(earlier).toBeNull();
  });

  test('asks for editions in the first language of the library that has a short code', async () => {
    const { asked } = await index([garden()], usual, {}, ['gsw', 'de-CH']);

    expect(asked[0]?.url.searchParams.get('lang')).toBe('de');
  });

  test('does not take a later volume, whose only name is that of its series, for the first one', async () => {
    const tales = { author: 'Ada Reed', year: 1940 };
    const volumes = [
      { no: 7, title: 'Harbour Tales', ...tales },
      { no: 8, title: 'Harbour Tales, Book 2', ...tales },
    ];
    const found = async (volume: number) => {
      const { results } = await index(
        [fileOf('Harbour Tales', { author: 'Ada Reed', volume })],
        ({ url }) => openlibraryReply(volumes, url.pathname, url.searchParams),
      );
      return results[0]?.match?.id;
    };

    expect(await found(2)).toBe('OL8W');
    expect(await found(1)).toBe('OL7W');
    expect(await found(3)).toBeUndefined();
  });

  test('keeps the title of a translation that the file has', async () => {
    const { results, asked } = await index(
      [fileOf('Der stille Hafen', { author: 'Ada Reed' })],
      usual,
      { languages: ['de', 'en'] },
    );

    expect(results[0]).toMatchObject({
      title: 'Der stille Hafen',
      metadata: { originalTitle: 'The Quiet Harbour' },
    });
    expect(asked[0]?.url.searchParams.get('lang')).toBe('de');
  });

  test('asks a mirror, and searches nothing that a person chose', async () => {
    const { results, asked } = await index([{ ...garden(), match: { id: 'OL3W' } }], usual, {
      baseUrl: 'https://books.lan/',
      imageBaseUrl: 'https://covers.lan',
    });

    expect(results[0]).toMatchObject({
      metadata: { author: 'Cleo Marsh' },
      confidence: 1,
      assets: [{ uri: 'https://covers.lan/b/id/301-L.jpg' }],
    });
    expect(asked[0]?.url.href).toContain('https://books.lan/search.json?q=key:/works/OL3W');
  });

  test('asks for nothing but words, and believes no id that is none', async () => {
    const { results, asked } = await index([
      fileOf('a) OR key:*', {}, { ids: { isbn: { id: '../1' } } }),
      { ...garden(), match: { id: '../authors/OL1A' } },
    ]);

    expect(results).toEqual([null, null]);
    expect(asked.map(({ url }) => url.searchParams.get('q'))).toEqual(['a or key']);
  });

  test('is not held up by the page of an author', async () => {
    const { results } = await index([garden()], (asked) =>
      asked.url.pathname.startsWith('/authors/') ? 503 : usual(asked),
    );

    expect(results[0]?.entities?.['author']).toMatchObject([{ name: 'Ben Stone' }]);
  });

  test.each(illReplies)(
    'that answers %s gives nothing, and asks again: %3$s',
    async (_, reply, what) => {
      const found = await index([garden()], () => reply);

      expect(found).toMatchObject({ results: [null], later: what === 'later' ? [0] : [] });
    },
  );
});
