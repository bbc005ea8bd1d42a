import { describe, expect, test } from 'vitest';
import {
  fileOf,
  illReplies,
  indexerOf,
  type Reply,
} from '../../test/support/plugins/call-indexer.ts';
import { wikimediaReply, type MadeItem } from '../../test/support/plugins/wikimedia.ts';
import plugin from './index.ts';

const films = Array.from({ length: 16 }, (_, at): MadeItem => ({
  id: `Q${100 + at}`,
  title: `Lantern ${at + 1}`,
  year: 1980 + at,
  imdb: `tt${5000 + at}`,
  ...(at === 4 && { titles: { fr: 'La Lanterne', 'pt-br': 'A Lanterna' } }),
}));

const usual: Reply = ({ url }) => wikimediaReply(films, url);

const index = indexerOf(plugin, 'movies', usual, {
  languages: ['de'],
  baseUrl: 'https://www.wikidata.org',
  wikipediaUrl: 'https://wikipedia.org',
  imageBaseUrl: 'https://commons.wikimedia.org/wiki/Special:FilePath',
  keepDays: 7,
});

const lantern = fileOf('Lantern 3', { year: 1982 });

describe('wikidata', () => {
  test('knows a film, its people, ids and pictures, and a summary with its source', async () => {
    const { results } = await index([lantern]);

    expect(results[0]).toMatchObject({
      title: 'Lantern 3',
      confidence: 0.99,
      match: { id: 'Q102' },
      metadata: {
        year: 1982,
        overview: 'Lantern 3 is a film.\n\n(Wikipedia, CC BY-SA 4.0)',
        wikipediaUrl: 'https://de.wikipedia.org/wiki/Lantern_3_(film)',
        ids: { wikidata: 'Q102', imdb: 'tt5002' },
      },
      entities: {
        actor: [
          {
            name: 'Person Q9000102',
            ids: { wikidata: { id: 'Q9000102' } },
            metadata: {
              imageUrl:
                'https://commons.wikimedia.org/wiki/Special:FilePath/Photo_Q9000102.jpg?width=320',
            },
          },
        ],
        director: [{ name: 'Person Q9100102' }],
      },
      assets: [
        {
          type: 'poster',
          uri: 'https://commons.wikimedia.org/wiki/Special:FilePath/Poster_Q102.png?width=780',
        },
      ],
    });
  });

  test('asks three times for a single film, and at most 2.2 times a film for a batch', async () => {
    const alone = await index([lantern]);
    const { results, asked } = await index(films.map(({ title, year }) => fileOf(title, { year })));

    expect(alone.asked).toHaveLength(3);
    expect(results.every((one) => (one?.confidence ?? 0) > 0.9)).toBe(true);
    expect(asked.length / films.length).toBeLessThanOrEqual(2.2);
  });

  test('asks once more for names that the language lacks, and has them with their photos', async () => {
    const { results, asked } = await index([fileOf('Lantern 10', { year: 1989 })]);

    expect(asked).toHaveLength(4);
    expect(results[0]?.entities).toMatchObject({
      actor: [
        { name: 'Person Q9000109', metadata: { imageUrl: expect.stringContaining('Photo_') } },
      ],
    });
  });

  test('takes the title in the first language of the library that has one, and keeps the original one', async () => {
    const five = fileOf('Lantern 5', { year: 1984 });
    const titleIn = async (...languages: readonly string[]) =>
      (await index([five], usual, {}, languages)).results[0]?.title;
    const { results } = await index([five], usual, {}, ['pt-BR']);

    expect(results[0]?.metadata).toMatchObject({ originalTitle: 'Lantern 5' });
    expect(await titleIn('pt-BR', 'fr')).toBe('A Lanterna');
    expect(await titleIn('it', 'fr')).toBe('La Lanterne');
    expect(await titleIn('it')).toBe('Lantern 5');
  });

  test('gives the texts in the languages of the library, within 2.2 requests a film', async () => {
    const languages = ['en', 'fr', 'pt-BR', 'de'];
    const files = films.map(({ title, year }) => fileOf(title, { year }));
    const { results, asked } = await index(files, usual, {}, languages);
    const summary = 'Lantern 5 is a film.\n\n(Wikipedia, CC BY-SA 4.0)';

    expect(results[4]?.texts).toEqual({
      en: { title: 'Lantern 5', overview: summary },
      fr: { title: 'La Lanterne' },
      'pt-br': { title: 'A Lanterna' },
    });
    const both = await index(files, usual, {}, ['de', 'en']);
    expect(both.results[4]?.texts).toMatchObject({ de: { overview: summary } });
    expect(both.asked.length / films.length).toBeLessThanOrEqual(2.2);
    expect(asked.length / films.length).toBeLessThanOrEqual(2.2);
  });

  test('knows a film by its title in any language', async () => {
    const { results } = await index([fileOf('La Lanterne', { year: 1984 })]);

    expect(results[0]).toMatchObject({ title: 'Lantern 5', match: { id: 'Q104' } });
  });

  test('asks again without the contents where these are too large for a reply', async () => {
    const { results, asked } = await index([lantern], (one) =>
      one.url.searchParams.get('prop') === 'revisions'
        ? Object.assign(new Error('5 MiB'), { code: 'too_large' })
        : usual(one),
    );

    expect(results[0]).toMatchObject({ title: 'Lantern 3' });
    expect(asked[2]?.url.searchParams.get('action')).toBe('wbgetentities');
  });

  test('takes the summary in English where the language has none', async () => {
    const { results } = await index([lantern], usual, { languages: ['fr'] });

    expect(results[0]?.metadata).toMatchObject({
      wikipediaUrl: 'https://en.wikipedia.org/wiki/Lantern_3_(film)',
    });
  });

  test('asks by the id of IMDb, and a mirror at its address', async () => {
    const { results, asked } = await index(
      [fileOf('x', {}, { ids: { imdb: { id: 'tt5007' } } })],
      usual,
      { baseUrl: 'https://data.lan/', wikipediaUrl: 'https://wiki.lan/w' },
    );

    expect(results[0]).toMatchObject({ title: 'Lantern 8', confidence: 0.99 });
    expect(asked[0]?.url.searchParams.get('gsrsearch')).toBe('haswbstatement:P345=tt5007');
    expect(asked.map(({ url }) => url.host).every((host) => host.endsWith('.lan'))).toBe(true);
    expect(asked.some(({ url }) => url.pathname === '/w/de/w/api.php')).toBe(true);
  });

  test('sends the words of a title only, so that a name is not a command of the search', async () => {
    const { asked } = await index([fileOf('insource:/x/ -"a" P31=Q5', {})]);

    expect(asked[0]?.url.searchParams.get('gsrsearch')?.split(' haswbstatement')[0]).not.toMatch(
      /[":|=/-]/,
    );
  });

  test.each(illReplies)(
    'that answers %s gives nothing, and asks again: %3$s',
    async (_, reply, what) => {
      const found = await index([lantern], () => reply);

      expect(found).toMatchObject({
        results: [null],
        later: what === 'later' ? [0] : [],
      });
    },
  );

  test.each(illReplies)('whose details are %s changes nothing', async (_, reply) => {
    const { results } = await index([lantern], (asked) =>
      asked.url.searchParams.get('generator') === 'search' ? usual(asked) : reply,
    );

    expect(results).toEqual([null]);
  });
});
