import { describe, expect, test } from 'vitest';
import type { IndexFile } from '../../plugin-api/index.ts';
import {
  callIndexer,
  fileOf,
  illReplies,
  type Asked,
  type Reply,
} from '../../test/support/plugins/call-indexer.ts';
import plugin from './index.ts';

const harbour = { id: 7, name: 'Harbour', original_name: 'Hafen', first_air_date: '2010-03-04' };

const whole = {
  ...harbour,
  overview: 'Boote.',
  genres: [{ name: 'Drama' }],
  networks: [{ name: 'Channel 9' }],
  external_ids: { imdb_id: 'tt1234567', tvdb_id: 99 },
  content_ratings: { results: [{ iso_3166_1: 'US', rating: 'TV-14' }] },
  poster_path: '/show.jpg',
  aggregate_credits: { cast: [{ id: 5, name: 'Bo Lind', roles: [{ character: 'The pilot' }] }] },
  seasons: [
    { id: 70, season_number: 0, episode_count: 3, air_date: '2010-01-01' },
    { id: 71, season_number: 1, episode_count: 2, air_date: '2010-03-04', poster_path: '/s1.jpg' },
    { id: 72, season_number: 2, episode_count: 2, air_date: '2011-03-04' },
  ],
};

const episode = (number: number, name: string, more: object = {}): object => ({
  id: 700 + number,
  name,
  episode_number: number,
  overview: 'Die Flut.',
  air_date: `2011-03-0${number + 3}`,
  ...more,
});

const usual: Reply = ({ url }: Asked) => {
  const language = url.searchParams.get('language');
  switch (url.pathname) {
    case '/3/search/tv':
      return { results: [harbour, { ...harbour, id: 8, name: 'Harbour Lights' }] };
    case '/3/find/tt5':
      return { movie_results: [], tv_results: [], tv_episode_results: [{ id: 1, show_id: 7 }] };
    case '/3/tv/7':
      return whole;
    case '/3/tv/7/season/2':
      return language?.startsWith('de')
        ? {
            name: 'Staffel 2',
            overview: 'Das zweite Jahr.',
            episodes: [
              episode(1, 'Ebbe', {
                still_path: '/ebb.jpg',
                guest_stars: [{ id: 6, name: 'Ada Reed', character: 'A guest' }],
                crew: [{ id: 9, name: 'Cy Day', job: 'Director' }],
              }),
              episode(2, 'Folge 2', { overview: '' }),
            ],
          }
        : { episodes: [episode(2, 'High Water', { overview: 'The water comes.' })] };
    default:
      return undefined;
  }
};

const file = (metadata: object, more: Partial<IndexFile> & Parameters<typeof fileOf>[2] = {}) =>
  fileOf('x', { series: 'Harbour', ...metadata }, more);

const index = (
  files: readonly IndexFile[],
  reply: Reply = usual,
  languages: readonly string[] = [],
) =>
  callIndexer(plugin, {
    libraryType: 'tv',
    files,
    languages,
    reply,
    config: {
      baseUrl: 'https://api.themoviedb.org/3',
      imageBaseUrl: 'https://image.tmdb.org/t/p',
      languages: ['de-DE'],
      keepDays: 7,
    },
  });

describe('tmdb, for series', () => {
  test('knows an episode, its season and show with pictures and ids, and its people', async () => {
    const { results } = await index([file({ season: 2, episode: 1 })]);

    expect(results[0]).toMatchObject({
      title: 'Ebbe',
      match: { id: '7' },
      metadata: { airDate: '2011-03-04', certification: 'US:TV-14', ids: { tmdb: '701' } },
      assets: [{ type: 'thumbnail', uri: 'https://image.tmdb.org/t/p/original/ebb.jpg' }],
      entities: {
        show: [
          {
            name: 'Harbour',
            ids: { tmdb: { id: '7' }, imdb: { id: 'tt1234567' }, tvdb: { id: '99' } },
            metadata: {
              year: 2010,
              assets: { poster: 'https://image.tmdb.org/t/p/w780/show.jpg' },
            },
          },
        ],
        season: [{ name: 'Season 2', metadata: { show: 'Harbour', season: 2, year: 2011 } }],
        actor: [
          { name: 'Bo Lind', metadata: { character: 'The pilot' } },
          { name: 'Ada Reed', metadata: { character: 'A guest', isGuest: true } },
        ],
        director: [{ name: 'Cy Day' }],
        studio: [{ name: 'Channel 9' }],
      },
    });
  });

  test('asks once for the search, the show and the season of many episodes', async () => {
    const files = [1, 1, 1].map((number) => file({ season: 2, episode: number }));

    expect((await index(files)).asked).toHaveLength(3);
  });

  test('takes the English texts of an episode that the language does not have', async () => {
    const { results } = await index([file({ season: 2, episode: 2 })]);

    expect(results[0]).toMatchObject({
      title: 'High Water',
      metadata: { overview: 'The water comes.' },
    });
  });

  test('asks for an episode in the next language of the library only if the series has texts in it', async () => {
    const translations = ['fr', 'en'].map((iso_639_1) => ({ iso_639_1, data: {} }));
    const found = await index(
      [file({ season: 2, episode: 2 })],
      (asked) =>
        asked.url.pathname === '/3/tv/7'
          ? { ...whole, translations: { translations } }
          : usual(asked),
      ['de', 'it', 'fr'],
    );
    const seasons = found.asked.filter(({ url }) => url.pathname.includes('/season/'));

    expect(seasons.map(({ url }) => url.searchParams.get('language'))).toEqual(['de', 'fr']);
    expect(found.results[0]?.title).toBe('High Water');
  });

  test('gives the texts in the languages of the library, for one request for a season and language', async () => {
    const files = [1, 2].map((number) => file({ season: 2, episode: number }));
    const { results, asked } = await index(files, usual, ['de', 'en']);
    const seasons = asked.filter(({ url }) => url.pathname.includes('/season/'));

    expect(seasons.map(({ url }) => url.searchParams.get('language'))).toEqual(['de', 'en']);
    expect(results.map((one) => [one?.title, one?.texts])).toEqual([
      ['Ebbe', { de: { title: 'Ebbe', overview: 'Die Flut.' } }],
      ['High Water', { en: { title: 'High Water', overview: 'The water comes.' } }],
    ]);
    expect(results[0]?.entities?.['season']).toMatchObject([
      { name: 'Season 2', texts: { de: { title: 'Staffel 2', overview: 'Das zweite Jahr.' } } },
    ]);
  });

  test.each([
    ['its number in the whole series', { absoluteEpisode: 3 }],
    ['its day', { airDate: '2011-03-04' }],
  ])('finds an episode by %s', async (_, facts) => {
    expect((await index([file(facts)])).results[0]).toMatchObject({ title: 'Ebbe' });
  });

  test('finds the show by the id of one of its episodes', async () => {
    const { results, asked } = await index([
      file({ series: 'Other', season: 2, episode: 1 }, { ids: { imdb: { id: 'tt5' } } }),
    ]);

    expect(asked[0]?.url.pathname).toBe('/3/find/tt5');
    expect(results[0]).toMatchObject({ title: 'Ebbe', confidence: 0.99 });
  });

  test.each([
    ['tmdb', '7', '/3/tv/7'],
    ['tvdb', '99', '/3/find/99'],
  ])('finds the show by its id of %s, which its folder names', async (provider, id, path) => {
    const showIds = { [provider]: { id } };
    const { results, asked } = await index(
      [file({ series: 'Other', season: 2, episode: 1 }, { showIds })],
      (one) => (one.url.pathname === '/3/find/99' ? { tv_results: [harbour] } : usual(one)),
    );

    expect(asked[0]?.url.pathname).toBe(path);
    expect(results[0]).toMatchObject({ title: 'Ebbe', confidence: 0.99 });
  });

  test.each(illReplies)(
    'that answers %s gives nothing, and is asked again: %3$s',
    async (_, reply, what) => {
      const found = await index([file({ season: 2, episode: 1 })], () => reply);

      expect(found).toMatchObject({ results: [null], later: what === 'later' ? [0] : [] });
    },
  );

  test.each(illReplies)('whose show is %s gives nothing', async (_, reply) => {
    const { results } = await index([file({ season: 2, episode: 1 })], (asked) =>
      asked.url.pathname === '/3/search/tv' ? usual(asked) : reply,
    );

    expect(results).toEqual([null]);
  });
});
