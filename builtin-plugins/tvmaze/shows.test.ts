import { describe, expect, test } from 'vitest';
import type { IndexFile, IndexResult } from '../../plugin-api/index.ts';
import plugin from './index.ts';

type Reply = { readonly status: number; readonly body: string } | Error;

const show = {
  id: 7,
  url: 'https://www.tvmaze.com/shows/7/harbour',
  name: 'Harbour',
  premiered: '2010-03-04',
  genres: ['Drama'],
  network: { name: 'Channel 9' },
  externals: { imdb: 'tt1234567', thetvdb: 99, tvrage: null },
  image: { original: 'https://static.tvmaze.com/u/o/7.jpg' },
  summary: '<p>Boats &amp; <b>people</b>.</p>',
  _embedded: {
    episodes: [
      {
        id: 71,
        name: 'Low Tide',
        season: 1,
        number: 2,
        airdate: '2010-03-11',
        summary: '<p>The water goes.</p>',
        image: { original: 'https://static.tvmaze.com/u/o/71.jpg' },
      },
    ],
    cast: [{ person: { id: 5, name: 'Ada Reed' }, character: { name: 'The pilot' } }],
    images: [
      {
        type: 'background',
        main: false,
        resolutions: { original: { url: 'https://static.tvmaze.com/b.jpg' } },
      },
    ],
  },
};
const search = '/search/shows?q=Harbour';
const whole = '/shows/7?embed[]=episodes&embed[]=cast&embed[]=akas&embed[]=images';
const json = (value: unknown): Reply => ({ status: 200, body: JSON.stringify(value) });
const usual = { [search]: json([{ score: 1, show }]), [whole]: json(show) };

const file = (more: Partial<IndexFile> = {}, metadata: object = {}): IndexFile => ({
  path: 'Harbour/S01E02.mkv',
  size: 1,
  known: {
    title: 'x',
    metadata: { series: 'Harbour', season: 1, episode: 2, ...metadata },
    ids: {},
  },
  ...more,
});

async function index(
  files: readonly IndexFile[],
  replies: Readonly<Record<string, Reply>>,
  config = {},
  languages: readonly string[] = [],
) {
  const asked: string[] = [];
  const host = {
    config: {
      get: async () => ({
        baseUrl: 'https://api.tvmaze.com',
        imageBaseUrl: 'https://static.tvmaze.com',
        keepDays: 7,
        ...config,
      }),
    },
    net: {
      fetch: async ({ url }: { readonly url: string }) => {
        asked.push(url);
        const { pathname, search: query } = new URL(url);
        const reply = replies[pathname + query] ?? { status: 404, body: 'null' };
        if (reply instanceof Error) throw reply;
        return { headers: {}, cache: 'miss', ...reply };
      },
    },
  };
  const call = plugin.methods?.['indexer.index'] as unknown as (
    input: object,
    host: object,
  ) => Promise<IndexResult>;
  const input = { libraryId: 'l', libraryType: 'tv', stage: 'full', languages, files };
  return { ...(await call(input, host)), asked };
}

describe('tvmaze', () => {
  test('knows an episode, its show with pictures and ids, and its people', async () => {
    const { results } = await index([file()], usual);

    expect(results[0]).toMatchObject({
      title: 'Low Tide',
      metadata: { overview: 'The water goes.', airDate: '2010-03-11', ids: { tvmaze: '71' } },
      match: { id: '7' },
      confidence: 0.96,
      assets: [{ type: 'thumbnail', uri: 'https://static.tvmaze.com/u/o/71.jpg' }],
      entities: {
        show: [
          {
            name: 'Harbour',
            ids: { tvmaze: { id: '7' }, imdb: { id: 'tt1234567' }, tvdb: { id: '99' } },
            metadata: {
              year: 2010,
              overview: 'Boats & people.',
              assets: {
                poster: 'https://static.tvmaze.com/u/o/7.jpg',
                backdrop: 'https://static.tvmaze.com/b.jpg',
              },
            },
          },
        ],
        actor: [{ name: 'Ada Reed', metadata: { character: 'The pilot' } }],
        genre: [{ name: 'Drama' }],
        studio: [{ name: 'Channel 9' }],
      },
    });
  });

  test.each([
    ['tvmaze', '7', '/shows/7'],
    ['tvdb', '99', '/lookup/shows?thetvdb=99'],
    ['imdb', 'tt1234567', '/lookup/shows?imdb=tt1234567'],
  ])('finds the show by its id of %s, which its folder names', async (provider, id, path) => {
    const known = {
      title: 'x',
      metadata: { series: 'Other', season: 1, episode: 2 },
      ids: {},
      showIds: { [provider]: { id } },
    };
    const { results } = await index([file({ known })], { ...usual, [path]: json(show) });

    expect(results[0]).toMatchObject({ title: 'Low Tide', match: { id: '7' }, confidence: 0.99 });
  });

  test('names a show as the country of the language does, and keeps its own name', async () => {
    const akas = [
      { name: 'Porto', country: { code: 'BR' } },
      { name: 'Hafen', country: { code: 'DE' } },
      { name: 'Port', country: { code: 'US' } },
    ];
    const named = { ...show, _embedded: { ...show._embedded, akas } };
    const showIn = async (...languages: readonly string[]) => {
      const replies = { ...usual, [whole]: json(named) };
      const { results } = await index([file()], replies, {}, languages);
      return results[0]?.entities?.['show']?.[0];
    };

    expect(await showIn('fr', 'de')).toMatchObject({
      name: 'Hafen',
      metadata: { originalTitle: 'Harbour' },
    });
    expect((await showIn('pt-BR'))?.name).toBe('Porto');
    expect((await showIn('en', 'de'))?.name).toBe('Harbour');
    expect((await showIn())?.name).toBe('Harbour');
  });

  test('asks twice for a show, for any number of its episodes', async () => {
    const { asked } = await index([file(), file(), file({}, { episode: 3 })], usual);

    expect(asked).toHaveLength(2);
  });

  test('finds a daily show by its day, and asks no search when a person chose the show', async () => {
    const byDay = { season: undefined, episode: undefined, airDate: '2010-03-11' };
    const { results, asked } = await index([file({ match: { id: '7' } }, byDay)], usual);

    expect(results[0]).toMatchObject({ title: 'Low Tide', confidence: 1 });
    expect(asked).toHaveLength(1);
  });

  test('takes pictures from a mirror', async () => {
    const { results, asked } = await index([file()], usual, {
      baseUrl: 'https://tv.lan/',
      imageBaseUrl: 'https://pics.lan',
    });

    expect(asked[0]).toBe('https://tv.lan/search/shows?q=Harbour');
    expect(JSON.stringify(results)).not.toContain('static.tvmaze.com');
  });

  test.each<[string, Reply, 'unknown' | 'later']>([
    ['404', { status: 404, body: '' }, 'unknown'],
    ['429', { status: 429, body: '' }, 'later'],
    ['503', { status: 503, body: '' }, 'later'],
    ['a page', { status: 200, body: '<!doctype html><title>Sign in</title>' }, 'later'],
    ['half a reply', { status: 200, body: '[{"show":{"id":7,' }, 'later'],
    ['nothing', Object.assign(new Error('away'), { code: 'net_timeout' }), 'later'],
    ['other types', json({ show: [7], length: 3 }), 'unknown'],
    ['a show of other types', json([{ show: { id: [], name: 7 } }, null, 'x']), 'unknown'],
  ])('that answers %s says %s', async (_, reply, what) => {
    const { results, later } = await index([file()], { ...usual, [search]: reply });

    expect(results).toEqual([null]);
    expect(later).toEqual(what === 'later' ? [0] : []);
  });
});
