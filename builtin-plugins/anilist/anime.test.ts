import { describe, expect, test } from 'vitest';
import type { IndexFile } from '../../plugin-api/index.ts';
import { anilistReply } from '../../test/support/plugins/anilist.ts';
import {
  fileOf,
  illReplies,
  indexerOf,
  type Reply,
} from '../../test/support/plugins/call-indexer.ts';
import plugin from './index.ts';

const parts = [
  { id: 1, title: 'Harbour Song', year: 2010, episodes: 12, sequel: 2 },
  { id: 2, title: 'Harbour Song: The Film', year: 2011, episodes: 1, format: 'MOVIE', sequel: 3 },
  { id: 3, title: 'Harbour Song: Second Voyage', year: 2012, episodes: 12, sequel: 4 },
  { id: 4, title: 'Harbour Song: Last Voyage', year: 2014, episodes: 12 },
];

const usual: Reply = ({ body }) => anilistReply(parts, body, 'https://s4.anilist.co');

const index = indexerOf(plugin, 'tv', usual, {
  titles: 'english',
  baseUrl: 'https://graphql.anilist.co',
  imageBaseUrl: 'https://s4.anilist.co',
  keepDays: 7,
});

const file = (facts: object): IndexFile =>
  fileOf('Harbour Song E', { series: 'Harbour Song', ...facts });

describe('anilist', () => {
  test('knows an episode, its part and show with pictures and ids, and its people', async () => {
    const { results } = await index([file({ season: 1, episode: 1 })]);

    expect(results[0]).toMatchObject({
      title: 'Low Tide',
      match: { id: '1' },
      metadata: { season: 1, episode: 1, absoluteEpisode: 1 },
      entities: {
        show: [
          {
            name: 'Harbour Song',
            ids: { anilist: { id: '1' }, mal: { id: '5001' } },
            metadata: {
              year: 2010,
              overview: 'All about Harbour Song.',
              originalTitle: '港の歌',
              rating: 8.4,
              anilistUrl: 'https://anilist.co/anime/1',
              assets: { poster: 'https://s4.anilist.co/file/cover1.png' },
            },
          },
        ],
        season: [{ name: 'Season 1', metadata: { show: 'Harbour Song', season: 1 } }],
        actor: [{ name: 'Mori Aki', metadata: { character: 'Umi' } }],
        director: [{ name: 'Sato Ren' }],
        studio: [{ name: 'Studio Quay' }],
      },
    });
  });

  test.each([
    ['its number in the whole series', { absoluteEpisode: 30 }],
    ['its season and number', { season: 3, episode: 6 }],
  ])('counts through the parts, without films, by %s', async (_, facts) => {
    const { results } = await index([file(facts)]);

    expect(results[0]).toMatchObject({
      title: 'Harbour Song E',
      metadata: { season: 3, episode: 6, absoluteEpisode: 30 },
      entities: { season: [{ ids: { anilist: { id: '4' } } }] },
    });
  });

  test('gives no number of a season to a part in the middle', async () => {
    const { results } = await index([
      fileOf('x', { series: 'Harbour Song: Second Voyage', absoluteEpisode: 2 }),
    ]);

    expect(results[0]?.match).toEqual({ id: '3' });
    expect(results[0]?.metadata).not.toHaveProperty('season');
  });

  test('finds the anime by the id that its folder names', async () => {
    const showIds = { anilist: { id: '1' } };
    const { results } = await index([fileOf('x', { series: 'Other', episode: 1 }, { showIds })]);

    expect(results[0]).toMatchObject({ match: { id: '1' }, confidence: 0.99 });
  });

  test('says nothing of an episode that no part has', async () => {
    expect((await index([file({ absoluteEpisode: 37 })])).results).toEqual([null]);
  });

  test('asks twice for an anime, and takes titles and pictures as the form says', async () => {
    const files = [1, 2, 3].map((episode) => file({ season: 1, episode }));
    const { results, asked } = await index(files, usual, {
      titles: 'romaji',
      imageBaseUrl: 'https://pics.lan',
    });

    expect(asked).toHaveLength(2);
    expect(results[0]?.entities?.['show']?.[0]?.name).toBe('Harbour Song no Uta');
    expect(JSON.stringify(results)).not.toContain('s4.anilist.co');
  });

  test('takes the title in the first language of the library that AniList has', async () => {
    const showIn = async (...languages: readonly string[]) => {
      const { results } = await index([file({ episode: 1 })], usual, {}, languages);
      return results[0]?.entities?.['show']?.[0]?.name;
    };

    expect(await showIn('de', 'ja', 'en')).toBe('港の歌');
    expect(await showIn('ja-Latn')).toBe('Harbour Song no Uta');
    expect(await showIn('de')).toBe('Harbour Song');
  });

  test('ends with parts that follow each other in a circle', async () => {
    const circle = [
      { ...parts[0], id: 1, title: 'Harbour Song', year: 2010, episodes: 1, sequel: 1 },
    ];
    const { results } = await index([file({ absoluteEpisode: 9 })], ({ body }) =>
      anilistReply(circle, body, ''),
    );

    expect(results).toEqual([null]);
  });

  test.each([...illReplies, ['403', 403, 'later'] as const])(
    'that answers %s gives nothing, and asks again: %3$s',
    async (_, reply, what) => {
      const found = await index([file({ episode: 1 })], () => reply);

      expect(found).toMatchObject({ results: [null], later: what === 'later' ? [0] : [] });
    },
  );
});
