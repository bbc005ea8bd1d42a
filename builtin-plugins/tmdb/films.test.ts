import { describe, expect, test } from 'vitest';
import type { IndexFile, IndexResult } from '../../plugin-api/index.ts';
import plugin from './index.ts';

const heat = {
  id: 949,
  title: 'Heat',
  original_title: 'Heat',
  release_date: '1995-12-15',
  overview: '',
  poster_path: '/main.jpg',
  vote_average: 7.94,
};
const other = { ...heat, id: 12, release_date: '1986-11-13' };
const whole = {
  ...heat,
  genres: [{ id: 1, name: 'Krimi' }],
  production_companies: [{ name: 'Regency' }],
  external_ids: { imdb_id: 'tt0113277' },
  original_language: 'en',
  translations: {
    translations: [
      { iso_639_1: 'en', iso_3166_1: 'US', data: { overview: 'A thief and a policeman.' } },
      { iso_639_1: 'pt', iso_3166_1: 'PT', data: { title: 'Heat PT', overview: '' } },
      { iso_639_1: 'pt', iso_3166_1: 'BR', data: { title: 'Fogo', overview: 'Um ladrão.' } },
    ],
  },
  release_dates: {
    results: [{ iso_3166_1: 'US', release_dates: [{ certification: '' }, { certification: 'R' }] }],
  },
  credits: {
    cast: [{ id: 1158, name: 'Al Pacino', character: 'Hanna', profile_path: '/al.jpg' }],
    crew: [
      { id: 638, name: 'Michael Mann', job: 'Director' },
      { id: 639, name: 'Somebody', job: 'Driver' },
    ],
  },
  images: {
    posters: [
      { iso_639_1: 'en', file_path: '/english.jpg' },
      { iso_639_1: 'de', file_path: '/german.jpg' },
    ],
    backdrops: [{ iso_639_1: null, file_path: '/wide.jpg' }],
    logos: [{ iso_639_1: 'en', file_path: '/../../etc' }],
  },
};

/** Replies by path and parameters that matter. */
type Replies = (path: string, query: URLSearchParams) => unknown;

const usual: Replies = (path, query) => {
  if (path === '/3/search/movie')
    return { results: query.get('year') === '1995' ? [heat] : [heat, other] };
  if (path === '/3/find/tt0113277') return { movie_results: [heat] };
  return path === '/3/movie/949' ? whole : undefined;
};

async function index(
  files: readonly IndexFile[],
  replies: Replies = usual,
  languages: readonly string[] = [],
) {
  const asked: URL[] = [];
  const host = {
    config: {
      get: async () => ({
        baseUrl: 'https://api.themoviedb.org/3',
        imageBaseUrl: 'https://image.tmdb.org/t/p',
        languages: ['de-DE'],
        keepDays: 7,
      }),
    },
    net: {
      fetch: async ({ url }: { readonly url: string }) => {
        const address = new URL(url);
        asked.push(address);
        const found = replies(address.pathname, address.searchParams);
        const status = typeof found === 'number' ? found : found === undefined ? 404 : 200;
        return { status, headers: {}, body: JSON.stringify(found ?? {}), cache: 'miss' };
      },
    },
  };
  const call = plugin.methods?.['indexer.index'] as unknown as (
    input: object,
    host: object,
  ) => Promise<IndexResult>;
  const input = { libraryId: 'l', libraryType: 'movies', stage: 'full', languages, files };
  return { ...(await call(input, host)), asked };
}

const file = (metadata: object, more: object = {}): IndexFile => ({
  path: 'Heat.mkv',
  size: 1,
  known: { title: 'Heat', metadata: { ...metadata }, ids: {}, ...more },
});

describe('tmdb', () => {
  test('knows a film in two requests: in the language of the form, and in English where there is none', async () => {
    const { results, asked } = await index([file({ year: 1995 })]);

    expect(asked).toHaveLength(2);
    expect(results[0]).toMatchObject({
      title: 'Heat',
      match: { id: '949' },
      confidence: 0.99,
      metadata: {
        year: 1995,
        overview: 'A thief and a policeman.',
        rating: 7.9,
        certification: 'US:R',
        tmdbUrl: 'https://www.themoviedb.org/movie/949',
        ids: { tmdb: '949', imdb: 'tt0113277' },
      },
      entities: {
        actor: [{ name: 'Al Pacino', metadata: { character: 'Hanna' } }],
        director: [{ name: 'Michael Mann' }],
        genre: [{ name: 'Krimi' }],
      },
    });
    expect(results[0]?.assets).toEqual([
      { type: 'poster', uri: 'https://image.tmdb.org/t/p/w780/german.jpg', source: 'tmdb' },
      { type: 'backdrop', uri: 'https://image.tmdb.org/t/p/w1280/wide.jpg', source: 'tmdb' },
    ]);
  });

  test('takes each text in the first language of the library that has it, and asks for pictures in all', async () => {
    const heatIn = async (...languages: readonly string[]) => {
      const { results, asked } = await index([file({ year: 1995 })], usual, languages);
      return [results[0]?.title, results[0]?.metadata['overview'], asked[1]?.searchParams];
    };
    const [title, overview, asked] = await heatIn('fr', 'pt-BR');

    expect([title, overview]).toEqual(['Fogo', 'Um ladrão.']);
    expect((asked as URLSearchParams).get('language')).toBe('fr');
    expect((asked as URLSearchParams).get('include_image_language')).toBe('fr,pt,de,en,null');
    expect((await heatIn('pt')).slice(0, 2)).toEqual(['Heat PT', 'A thief and a policeman.']);
    expect((await heatIn('en', 'pt')).slice(0, 2)).toEqual(['Heat', 'A thief and a policeman.']);
  });

  test('gives the texts in all languages of the library, without a further request', async () => {
    const { results, asked } = await index([file({ year: 1995 })], usual, ['de', 'pt-BR', 'en']);
    const one = await index([file({ year: 1995 })], usual, ['pt-BR']);

    expect(results[0]).toMatchObject({ title: 'Fogo' });
    expect(results[0]?.texts).toEqual({
      'pt-BR': { title: 'Fogo', overview: 'Um ladrão.' },
      en: { title: 'Heat', overview: 'A thief and a policeman.' },
    });
    expect(asked).toHaveLength(2);
    expect(one.results[0]?.texts).toBeUndefined();
  });

  test('takes an English title rather than one in letters of another language', async () => {
    const seven = {
      ...whole,
      title: '七人の侍',
      original_title: '七人の侍',
      original_language: 'ja',
      translations: {
        translations: [
          { iso_639_1: 'de', iso_3166_1: 'DE', data: { title: '', overview: 'Sieben.' } },
          { iso_639_1: 'en', iso_3166_1: 'US', data: { title: 'Seven Samurai' } },
        ],
      },
    };
    const { results } = await index([file({ year: 1995 })], (path, query) =>
      path === '/3/movie/949' ? seven : usual(path, query),
    );

    expect(results[0]).toMatchObject({
      title: 'Seven Samurai',
      metadata: { originalTitle: '七人の侍', overview: 'Sieben.' },
    });
  });

  test('names its key and never has it', async () => {
    const { asked } = await index([file({ year: 1995 })]);

    for (const { searchParams } of asked)
      expect(searchParams.get('api_key')).toBe('{secret:apiKey}');
  });

  test('asks by the id of IMDb where one is known', async () => {
    const known = { ids: { imdb: { id: 'tt0113277' } }, title: 'something else' };
    const { results, asked } = await index([file({}, known)]);

    expect(asked[0]?.pathname).toBe('/3/find/tt0113277');
    expect(results[0]).toMatchObject({ title: 'Heat', confidence: 0.99 });
  });

  test('asks for the film whose id a name has', async () => {
    const known = { ids: { tmdb: { id: '949' } }, title: 'something else' };
    const { results, asked } = await index([file({}, known)]);

    expect(asked[0]?.pathname).toBe('/3/movie/949');
    expect(results[0]).toMatchObject({ title: 'Heat', confidence: 0.99 });
  });

  test.each([
    ['Fogo', { translations: whole.translations }],
    ['Ein Duell', { alternative_titles: { titles: [{ iso_3166_1: 'DE', title: 'Ein Duell' }] } }],
  ])('finds a film by a title in another language than its own: %s', async (title, titles) => {
    const replies: Replies = (path, query) =>
      path === '/3/movie/949' ? { ...whole, translations: {}, ...titles } : usual(path, query);
    const { results, asked } = await index([file({ year: 1995 }, { title })], replies);

    expect(results[0]).toMatchObject({ match: { id: '949' } });
    // The second of the whole film is answered by what is kept.
    expect(new Set(asked.map(String)).size).toBe(2);
  });

  test('asks for no titles of films that cannot be the one by their year', async () => {
    const { results, asked } = await index([file({ year: 1972 }, { title: 'Fogo' })]);

    expect([results, asked.map(({ pathname }) => pathname)]).toEqual([
      [null],
      ['/3/search/movie', '/3/search/movie'],
    ]);
  });

  test('leaves two films of one name to a person', async () => {
    const { results, candidates } = await index([file({})]);

    expect(results).toEqual([null]);
    expect(candidates?.[0]?.length).toBeGreaterThan(1);
  });

  test('searches without a year that fits no film', async () => {
    const { asked } = await index([file({ year: 1972 })]);

    expect(asked.slice(0, 2).map(({ searchParams }) => searchParams.get('year'))).toEqual([
      '1972',
      null,
    ]);
  });

  test.each([
    [429, [0]],
    [503, [0]],
    [{ results: [{ id: {}, title: 1 }, null] }, []],
    [[], []],
  ])('that answers %j has no result, and is asked again later: %j', async (reply, later) => {
    const found = await index([file({})], () => reply);

    expect(found).toMatchObject({ results: [null], later });
  });

  test('throws for a key that is wrong, since a retry would not help', async () => {
    await expect(index([file({})], () => 401)).rejects.toThrow('key');
  });
});
