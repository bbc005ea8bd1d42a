import { describe, expect, test } from 'vitest';
import type { IndexFile, MediaTags } from '../../plugin-api/index.ts';
import {
  fileOf,
  illReplies,
  indexerOf,
  type Reply,
} from '../../test/support/plugins/call-indexer.ts';
import { mbid, musicbrainzReply } from '../../test/support/plugins/musicbrainz.ts';
import plugin from './index.ts';

const tracks = ['Low Tide', 'High Water', 'Still Air', 'Quay Song'];
const albums = [
  { no: 1, title: 'Harbour Songs', artist: 'The Piers', year: 1971, tracks, editions: [2011] },
  { no: 2, title: 'Harbour Songs', artist: 'Ada Reed', year: 1999, tracks: ['Rain', 'Snow'] },
  { no: 3, title: 'Low Tide', artist: 'The Piers', year: 1971, tracks: ['Low Tide', 'Ballast'] },
  { no: 4, title: 'Low Tide', artist: 'The Piers', year: 1971, tracks: ['Low Tide', 'Anchor'] },
  {
    no: 5,
    title: 'Winter Voyage',
    artist: 'Ada Reed',
    year: 2003,
    tracks: ['Ice'],
    cover: 'other' as const,
    alias: { locale: 'de', name: 'Ada Ried' },
  },
];

const usual: Reply = ({ url }) => musicbrainzReply(albums, url.pathname, url.searchParams);

const index = indexerOf(plugin, 'music', usual, {
  languages: [],
  baseUrl: 'https://musicbrainz.org',
  imageBaseUrl: 'https://coverartarchive.org',
  keepDays: 7,
});

interface More {
  readonly ids?: Readonly<Record<string, { id: string }>>;
  readonly tags?: MediaTags;
}

/** A track of the first album, with the length that it has there. */
const track = (at: number, facts: object = {}, more: More = {}): IndexFile =>
  fileOf(
    tracks[at] ?? '',
    { artist: 'Piers', album: 'Harbour Songs', year: 1971, track: at + 1, ...facts },
    { duration: 180.4 + at, ...more },
  );

/** Nothing is applied, and a person is offered this one first. */
const waitsWith = (id: string): object => ({ results: [null], candidates: [[{ id }]] });

describe('musicbrainz', () => {
  test('knows the tracks of an album, with its artist, cover, ids, genres and label', async () => {
    const { results } = await index([track(0), track(1)]);

    expect(results.map((one) => one?.title)).toEqual(['Low Tide', 'High Water']);
    expect(results[1]).toMatchObject({
      metadata: {
        artist: 'The Piers',
        albumArtist: 'The Piers',
        album: 'Harbour Songs',
        year: 1971,
        disc: 1,
        track: 2,
        ids: {
          'musicbrainz-release': mbid('release', 10),
          'musicbrainz-track': mbid('track', 101),
        },
      },
      entities: {
        artist: [{ name: 'The Piers', ids: { 'musicbrainz-artist': { id: mbid('artist', 1) } } }],
        album: [
          {
            name: 'Harbour Songs',
            ids: { 'musicbrainz-release-group': { id: mbid('group', 1) } },
            metadata: {
              year: 1971,
              artist: 'The Piers',
              assets: {
                cover: `https://coverartarchive.org/release/${mbid('release', 10)}/front-1200`,
              },
            },
          },
        ],
        genre: [{ name: 'Jazz' }, { name: 'Sea shanty' }],
        studio: [{ name: 'Pier Records' }],
      },
      match: { id: mbid('release', 10) },
      confidence: 0.99,
    });
  });

  test('asks twice for an album, for any number of its files', async () => {
    const { asked } = await index([track(0), track(1), track(2), track(3)]);

    expect(asked).toHaveLength(2);
  });

  test('knows a new edition by its tracks, also where the year is far off', async () => {
    const late = [0, 1, 2].map((at) => track(at, { year: 2019 }));

    expect((await index(late)).results[0]?.confidence).toBeGreaterThanOrEqual(0.9);
    expect(await index(late.slice(0, 1))).toMatchObject(waitsWith(mbid('release', 10)));
  });

  test('leaves an album of the same title by others to a person', async () => {
    const { results } = await index([track(0, { artist: 'Nobody Else' })]);

    expect(results).toEqual([null]);
  });

  test('tells two singles of one title apart by their tracks', async () => {
    const single = ['Low Tide', 'Anchor'].map((title, at) =>
      fileOf(title, { artist: 'The Piers', album: 'Low Tide', year: 1971, track: at + 1 }),
    );
    const { results } = await index(single);

    expect(results[0]?.metadata['ids']).toMatchObject({
      'musicbrainz-release-group': mbid('group', 4),
    });
    expect(results[0]?.confidence).toBeGreaterThan(0.6);
  });

  test('takes no bootleg, and none of many albums of one title that it did not look at', async () => {
    const [first] = albums;
    const others = [7, 8, 9].map((no) => ({
      ...{ no, title: 'Harbour Songs', artist: 'The Piers', year: 1971 },
      tracks: ['Fog', `Gale ${no}`],
    }));
    const bootleg = { no: 6, title: 'Harbour Songs', artist: 'The Piers', year: 1971, tracks };
    const all = [{ ...bootleg, status: 'Bootleg' as const }, ...(first ? [first] : []), ...others];
    const { results } = await index([track(0), track(1)], ({ url }) =>
      musicbrainzReply(all, url.pathname, url.searchParams),
    );

    expect(results[0]).toMatchObject({ match: { id: mbid('release', 10) }, confidence: 0.99 });
  });

  test('chooses the edition with as many tracks as the tags say', async () => {
    const { results } = await index([track(0, {}, { tags: { trackTotal: 5 } })]);

    expect(results[0]).toMatchObject({ match: { id: mbid('release', 11) } });
  });

  test('asks no search for a file with an id, and keeps the album of that id apart', async () => {
    const ids = {
      'musicbrainz-release': { id: mbid('release', 11).toUpperCase() },
      'musicbrainz-track': { id: mbid('track', 102) },
    };
    const { results, asked } = await index([track(0, { album: 'Other' }, { ids })]);

    expect(asked.filter(({ url }) => url.searchParams.has('query'))).toEqual([]);
    expect(results[0]).toMatchObject({
      title: 'Still Air',
      confidence: 0.99,
      entities: { album: [{ ids: { 'musicbrainz-album': { id: mbid('release', 11) } } }] },
    });
  });

  test('takes names in a language of the library, and else as the artist writes them', async () => {
    const ice = fileOf('Ice', { artist: 'Ada Reed', album: 'Winter Voyage', year: 2003 });
    const artistIn = async (...languages: readonly string[]) =>
      (await index([ice], usual, {}, languages)).results[0]?.metadata['artist'];

    expect(await artistIn('de-AT')).toBe('Ada Ried');
    expect(await artistIn('fr')).toBe('Ada Reed');
  });

  test('takes the cover of another release, and a name in the language of the form', async () => {
    const ice = fileOf('Ice', { artist: 'Ada Reed', album: 'Winter Voyage', year: 2003 });
    const { results } = await index([ice], usual, {
      languages: ['fr', 'de'],
      baseUrl: 'https://music.lan/',
      imageBaseUrl: 'https://covers.lan',
    });

    expect(results[0]?.entities).toMatchObject({
      artist: [{ name: 'Ada Ried' }],
      album: [
        {
          metadata: {
            assets: { cover: `https://covers.lan/release-group/${mbid('group', 5)}/front-1200` },
          },
        },
      ],
    });
  });

  test('is not held up by an archive of covers that is away', async () => {
    const ice = fileOf('Ice', { artist: 'Ada Reed', album: 'Winter Voyage', year: 2003 });
    const { results } = await index([ice], (asked) =>
      asked.url.host === 'musicbrainz.org' ? usual(asked) : 503,
    );

    expect(results[0]?.title).toBe('Ice');
  });

  test('does not believe in an id that is none, and asks nothing about a file without artist', async () => {
    const ids = { 'musicbrainz-release': { id: '../../x' } };
    const { results, asked } = await index([
      fileOf('Low Tide', {}, { ids }),
      track(0, {}, { ids: {} }),
      { ...track(1), match: { id: '../artist/1' } },
    ]);

    expect(results.map((one) => one?.title)).toEqual([undefined, 'Low Tide', undefined]);
    expect(asked.every(({ url }) => url.pathname.startsWith('/ws/2/release'))).toBe(true);
  });

  test('knows a track without an album as a recording, by title, artist and length', async () => {
    const studio = { no: 7, title: 'A', artist: 'Ada Reed', year: 1980, tracks: ['Foghorn'] };
    const live = { ...studio, no: 8, title: 'B', seconds: 300, year: 1985 };
    const reply: Reply = ({ url }) =>
      musicbrainzReply([studio, live], url.pathname, url.searchParams);
    const foghorn = (duration: number): IndexFile =>
      fileOf('Foghorn', { artist: 'Ada Reed' }, { duration });
    const { results } = await index([foghorn(301)], reply);

    expect(results[0]).toMatchObject({
      title: 'Foghorn',
      metadata: {
        artist: 'Ada Reed',
        year: 1985,
        ids: { 'musicbrainz-recording': mbid('track', 850), isrc: 'GBAAA7100001' },
      },
      entities: { artist: [{ name: 'Ada Reed' }] },
      match: { id: `recording:${mbid('track', 850)}` },
    });
    expect(await index([foghorn(240)], reply)).toMatchObject(
      waitsWith(`recording:${mbid('track', 750)}`),
    );
  });

  test('asks no search for the recording that a file names, or that a person chose', async () => {
    const id = mbid('track', 153);
    const ids = { 'musicbrainz-recording': { id } };
    const named = fileOf('x', { artist: 'y' }, { ids });
    const { results, asked } = await index([
      named,
      fileOf('x', {}, { match: { id: `recording:${id}` } }),
    ]);

    expect(results).toMatchObject([
      { title: 'Quay Song', confidence: 0.99 },
      { title: 'Quay Song', confidence: 1 },
    ]);
    expect(asked).toHaveLength(1);
  });

  test('asks for words only, also where a title is written like a query', async () => {
    const odd = fileOf('x', { album: 'A) OR (arid:* NOT "b"', artist: 'C\\:d' });
    const { asked } = await index([odd]);

    expect(asked[0]?.url.searchParams.get('query')).toBe(
      'release:(A or arid not b) AND artist:(C d)',
    );
  });

  test.each(illReplies)(
    'that answers %s gives nothing, and asks again: %3$s',
    async (_, reply, what) => {
      const found = await index([track(0)], () => reply);

      expect(found).toMatchObject({ results: [null], later: what === 'later' ? [0] : [] });
    },
  );
});
