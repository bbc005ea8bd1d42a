/** The built-in indexers against services of our own: nothing before consent, everything after. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { makeFlac } from '../support/media/made-flac.ts';
import { makePng } from '../support/pictures/made-png.ts';
import { startAnilist } from '../support/plugins/anilist.ts';
import type { MadeService } from '../support/plugins/made-service.ts';
import { mbid, startMusicbrainz } from '../support/plugins/musicbrainz.ts';
import { startOpenlibrary } from '../support/plugins/openlibrary.ts';
import { madeKey, startTmdb } from '../support/plugins/tmdb.ts';
import { startTvmaze } from '../support/plugins/tvmaze.ts';
import { startWikimedia } from '../support/plugins/wikimedia.ts';
import { allItems, jobsOver, noJobs, type ListedItem } from '../support/servers/scan.ts';
import { adminToken, startServer, until, type TestServer } from '../support/servers/server.ts';

const names = ['Harbour Lights', 'Winter Orchard', 'The Paper Garden', 'Silent Voyage'];
const shows = names.map((name, at) => ({
  id: at + 1,
  name,
  year: 2001 + at,
  episodes: ['Low Tide', 'High Water', 'Still Air', 'First Frost', 'Long Night'],
}));

const films = [
  'Crimson Lantern',
  'Golden Mirror',
  'Hollow Station',
  'Distant Meadow',
  'Velvet Horizon',
  'Frozen Promise',
  'Iron Kingdom',
  'Bitter Summer',
].map((title, at) => ({ id: at + 1, title, year: 1990 + at }));
const series = [
  {
    id: 9,
    name: 'Northern Quay',
    year: 2011,
    seasons: [
      ['Ebb', 'Flow'],
      ['Slack', 'Surge', 'Swell'],
    ],
  },
];

const freeFilms = ['Paper Ferry', 'Quiet Detective', 'Lonely Bridge', 'Wild Circus'].map(
  (title, at) => ({
    id: `Q${at + 1}`,
    title,
    year: 1920 + at,
  }),
);

const anime = [
  { id: 1, title: 'Umi Lantern', year: 2010, episodes: 12, sequel: 2 },
  { id: 2, title: 'Umi Lantern: Second Light', year: 2012, episodes: 12 },
];

const albums = [
  {
    no: 1,
    title: 'Harbour Songs',
    artist: 'The Piers',
    year: 1971,
    tracks: ['Low Tide', 'High Water', 'Still Air'],
    editions: [2011],
  },
  { no: 2, title: 'Harbour Songs', artist: 'Ada Reed', year: 1971, tracks: ['Rain'] },
];

const isbn = '9783161484100';
const books = [
  { no: 1, title: 'The Quiet Harbour', author: 'Ada Reed', year: 1931, isbn },
  { no: 2, title: 'Winter Garden', author: 'Ben Stone', year: 1950 },
  { no: 3, title: 'Winter Garden', author: 'Cleo Marsh', year: 1950 },
];

const headers = { authorization: `Bearer ${adminToken}` };

let tree: MediaTree;
let tvmaze: MadeService;
let tmdb: MadeService;
let wikimedia: MadeService;
let anilist: MadeService;
let musicbrainz: MadeService;
let openlibrary: MadeService;
let server: TestServer;

/** A sidecar that knows nothing but the number of the book. */
const opfOf = (number: string): string =>
  `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier>urn:isbn:${number}</dc:identifier></metadata></package>`;

const services = (): readonly MadeService[] => [
  tvmaze,
  tmdb,
  wikimedia,
  anilist,
  musicbrainz,
  openlibrary,
];

beforeAll(async () => {
  tree = await createMediaTree([
    ...shows.flatMap(({ name, year, episodes }) =>
      episodes.map((_, at) => `shows/${name} (${year})/Season 01/${name} S01E0${at + 1}.mkv`),
    ),
    ...freeFilms.map(({ title, year }) => `free/${title} (${year}).mkv`),
    ...films.map(({ title, year }) => `films/${title} (${year})/${title} (${year}).mkv`),
    'anime/Umi Lantern/[Quay] Umi Lantern - 14 [1080p].mkv',
    'series/Northern Quay/Season 02/Northern Quay S02E01.mkv',
    'series/Northern Quay/Season 02/Northern Quay S02E02.mkv',
    'series/Northern Quay/Season 02/Northern Quay S02E03.mkv',
  ]);
  for (const [at, title] of ['low tide', 'high  water', 'still air'].entries()) {
    const tags = { TITLE: title, ARTIST: 'Piers', ALBUM: 'Harbour songs', DATE: '1971' };
    await tree.write(
      `music/Piers/Harbour/0${at + 1}.flac`,
      makeFlac(180 + at, { ...tags, TRACKNUMBER: `${at + 1}` }),
    );
  }
  await tree.write('books/Reed/scan 12.epub');
  await tree.write('books/Reed/scan 12.opf', opfOf(isbn));
  await tree.write('books/Ben Stone/Winter Garden (1950).epub');
  tvmaze = await startTvmaze(shows, makePng());
  tmdb = await startTmdb({ films, series }, makePng());
  wikimedia = await startWikimedia(freeFilms, makePng());
  anilist = await startAnilist(anime, makePng());
  musicbrainz = await startMusicbrainz(albums, makePng());
  openlibrary = await startOpenlibrary(books, makePng());
  const allowed = services().flatMap(({ host }) => ['--net-allow', host]);
  server = await startServer({
    args: [...allowed, '--contact', 'ada@example.org'],
  });
});

afterAll(async () => {
  await server.stop();
  await Promise.all(services().map((one) => one.close()));
  await tree.remove();
});

async function addLibrary(folder: string, type: string): Promise<string> {
  const { status, body } = await server.request('POST', '/api/libraries', {
    name: folder,
    type,
    roots: [`${tree.path}/${folder}`],
  });
  expect(status).toBe(201);
  return (body as { library: { id: string } }).library.id;
}

interface Preset {
  readonly plugins: readonly {
    readonly id: string;
    readonly hosts: readonly string[];
    readonly granted: boolean;
  }[];
}

const preset = '/api/plugins/presets/metadata';

/** Names mirrors of the hosts, and the key. */
async function nameMirrors(): Promise<void> {
  const urls = {
    tvmaze: { baseUrl: tvmaze.url, imageBaseUrl: tvmaze.url },
    tmdb: { baseUrl: `${tmdb.url}/3`, imageBaseUrl: `${tmdb.url}/t/p` },
    wikidata: {
      baseUrl: wikimedia.url,
      wikipediaUrl: wikimedia.url,
      imageBaseUrl: `${wikimedia.url}/pictures`,
    },
    anilist: { baseUrl: `${anilist.url}/graphql`, imageBaseUrl: anilist.url },
    musicbrainz: { baseUrl: musicbrainz.url, imageBaseUrl: musicbrainz.url },
    openlibrary: { baseUrl: openlibrary.url, imageBaseUrl: `${openlibrary.url}/covers` },
  };
  for (const [id, values] of Object.entries(urls)) {
    const { status } = await server.request('PUT', `/api/plugins/${id}/configuration`, values);
    expect(status).toBe(200);
  }
  const { status } = await server.request('PUT', '/api/plugins/tmdb/secrets/apiKey', {
    value: madeKey,
    hosts: [tmdb.host],
  });
  expect(status).toBe(200);
}

const itemsOf = async (libraryId: string): Promise<readonly ListedItem[]> =>
  (await allItems(server)).filter((item) => item.libraryId === libraryId);

async function areKnown(libraryId: string): Promise<boolean> {
  const items = await itemsOf(libraryId);
  return items.length > 0 && items.every(({ metadata }) => metadata['overview'] !== undefined);
}

async function expectPictures(type: string, wanted: readonly string[]): Promise<void> {
  const { entities } = await server.get<{
    entities: { name: string; picture: { id: string } | null }[];
  }>(`/api/entities?type=${type}`);
  const found = entities.filter(({ name }) => wanted.includes(name));
  expect(found.map(({ name }) => name).sort()).toEqual([...wanted].sort());
  for (const { picture } of found) {
    const reply = await fetch(`${server.url}/api/assets/${picture?.id}`, {
      headers,
    });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png']);
  }
}

describe('series', () => {
  let library = '';

  test('are not looked up before an admin agrees, and the plugin does not even run', async () => {
    library = await addLibrary('shows', 'tv');
    await jobsOver(server);
    const { plugins, skipped } = await server.get<{
      plugins: object[];
      skipped: object[];
    }>('/api/plugins');

    expect(plugins).not.toContainEqual(expect.objectContaining({ id: 'tvmaze' }));
    expect(skipped).toContainEqual(
      expect.objectContaining({ id: 'tvmaze', reason: 'permissions-pending' }),
    );
    expect(tvmaze.requests).toEqual([]);
  });

  test('are known soon after an admin consented to all catalogues by one call', async () => {
    await nameMirrors();
    const before = await server.get<Preset>(preset);
    const ids = ['anilist', 'musicbrainz', 'openlibrary', 'tmdb', 'tvmaze', 'wikidata'];
    const { status, body } = await server.request('POST', preset, { plugins: ids, granted: true });
    const again = await server.request('POST', preset, { plugins: ids, granted: true });
    const { entries } = await server.get<{ entries: { action: string }[] }>('/api/audit');

    expect(before.plugins.filter(({ granted }) => granted)).toEqual([]);
    expect(before.plugins.find(({ id }) => id === 'tvmaze')?.hosts).toEqual([
      'api.tvmaze.com',
      'static.tvmaze.com',
      tvmaze.host,
    ]);
    expect([status, again.status]).toEqual([200, 200]);
    expect((body as Preset).plugins.filter(({ granted }) => granted).map(({ id }) => id)).toEqual(
      expect.arrayContaining(ids),
    );
    expect(entries.filter(({ action }) => action === 'plugin.granted')).toHaveLength(ids.length);
    await until('all are known', () => areKnown(library), 40_000, 200);
  });

  test('have titles, summaries, people, ids, and a poster that the server sends itself', async () => {
    const items = await itemsOf(library);

    expect(items.map(({ title }) => title).sort()).toEqual(
      shows.flatMap(({ episodes }) => episodes).sort(),
    );
    await expectPictures('show', names);
  });

  test('are asked for with the contact of the operator, and in two requests for a show', () => {
    const details = tvmaze.questions().filter(({ path }) => path.startsWith('/shows/'));

    expect(tvmaze.requests[0]?.headers['user-agent']).toMatch(
      /^Vitrine\/\S+ \(ada@example\.org\) plugin\/tvmaze$/,
    );
    expect(details.length).toBeLessThanOrEqual(8);
  });
});

describe('TMDB, with a key of the operator', () => {
  let library = '';
  const aboutFilms = () => tmdb.questions().filter(({ path }) => path.includes('/movie'));

  test('knows films in two requests each, and needs none to be asked again', async () => {
    library = await addLibrary('films', 'movies');
    await until('all are known', () => areKnown(library), 40_000, 200);
    const cold = aboutFilms().length;
    const [film] = await itemsOf(library);
    await server.request('POST', `/api/items/${film?.id}/refresh`, {});
    await noJobs(server);

    expect(cold).toBeLessThanOrEqual(2.2 * films.length);
    expect(aboutFilms()).toHaveLength(cold);
  });

  test('knows series, by the same key, which no list of the server has', async () => {
    const quay = await addLibrary('series', 'tv');
    await until('all are known', () => areKnown(quay), 40_000, 200);

    expect((await itemsOf(quay)).map(({ title }) => title).sort()).toEqual([
      'Slack',
      'Surge',
      'Swell',
    ]);
    await expectPictures('show', ['Northern Quay']);
    expect(tmdb.questions().every(({ path }) => path.includes('api_key='))).toBe(true);
    expect(JSON.stringify(await server.get('/api/plugins/tmdb'))).not.toContain(madeKey);
  });
});

describe('Wikidata, without a key', () => {
  test('knows films with summaries of Wikipedia, posters, and people with photos', async () => {
    const library = await addLibrary('free', 'movies');
    await until('all are known', () => areKnown(library), 40_000, 200);

    const overviews = (await itemsOf(library)).map(({ metadata }) => metadata['overview']);
    expect(overviews.sort()).toEqual(
      freeFilms.map(({ title }) => `${title} is a film.\n\n(Wikipedia, CC BY-SA 4.0)`).sort(),
    );
    await expectPictures('person', ['Person Q9000001', 'Person Q9100002']);
  });
});

describe('AniList, by GraphQL', () => {
  test('finds an episode by its number in the whole series, in the part that has it', async () => {
    const library = await addLibrary('anime', 'tv');
    const found = async () =>
      (await itemsOf(library)).filter(({ metadata }) => metadata['anilistUrl'] !== undefined);
    await until('it is known', async () => (await found()).length === 1, 40_000, 200);
    const [item] = await found();
    const { match } = await server.get<{ match: object }>(`/api/items/${item?.id}/match`);

    expect(item?.metadata).toMatchObject({ season: 2, episode: 2, absoluteEpisode: 14 });
    expect(match).toMatchObject({ pluginId: 'anilist', id: '1' });
    await expectPictures('show', ['Umi Lantern']);
  });
});

describe('MusicBrainz', () => {
  test('knows an album by the tags of its files: titles, artist, and a cover in each tile', async () => {
    const library = await addLibrary('music', 'music');
    const titles = async () => (await itemsOf(library)).map(({ title }) => title).sort();
    const wanted = ['High Water', 'Low Tide', 'Still Air'];
    await until(
      'all are known',
      async () => JSON.stringify(await titles()) === JSON.stringify(wanted),
      40_000,
      200,
    );
    await noJobs(server);
    const { items: tiles } = await server.get<{ items: { picture: { id: string } | null }[] }>(
      `/api/items?libraryId=${library}&fields=tile`,
    );
    const { entities: artists } = await server.get<{ entities: { name: string }[] }>(
      '/api/entities?type=artist',
    );

    expect((await itemsOf(library))[0]?.metadata).toMatchObject({
      album: 'Harbour Songs',
      albumArtist: 'The Piers',
      ids: { 'musicbrainz-release': mbid('release', 10) },
    });
    expect(artists.map(({ name }) => name)).toEqual(['The Piers']);
    await expectPictures('album', ['Harbour Songs']);
    expect(tiles).toHaveLength(3);
    expect(tiles.every(({ picture }) => picture !== null)).toBe(true);
    expect(musicbrainz.questions()).toHaveLength(2);
  });
});

describe('Open Library', () => {
  test('knows a book by its ISBN, and another by its title and author, with covers', async () => {
    const library = await addLibrary('books', 'books');
    await until('all are known', () => areKnown(library), 40_000, 200);
    await noJobs(server);
    const { items: tiles } = await server.get<{ items: { picture: { id: string } | null }[] }>(
      `/api/items?libraryId=${library}&fields=tile`,
    );
    const found = (await itemsOf(library)).map(({ title, metadata }) => [
      title,
      metadata['author'],
    ]);

    expect(found.sort()).toEqual([
      ['The Quiet Harbour', 'Ada Reed'],
      ['Winter Garden', 'Ben Stone'],
    ]);
    expect(tiles.map(({ picture }) => picture !== null)).toEqual([true, true]);
    await expectPictures('person', ['Ada Reed', 'Ben Stone']);
  });
});

describe('after the network went away', () => {
  interface Tile {
    readonly title: string;
    readonly picture: { readonly id: string } | null;
  }
  const tiles = async (): Promise<readonly Tile[]> =>
    (await server.get<{ items: readonly Tile[] }>('/api/items?fields=tile&limit=100')).items;

  async function pictureOf({ title, picture }: Tile): Promise<unknown> {
    const { status } = await fetch(`${server.url}/api/assets/${picture?.id}`, { headers });
    return [title, status];
  }

  test('all titles have their pictures, also those that nobody looked at, and their casts', async () => {
    const asked = (): readonly string[] =>
      services().flatMap(({ requests }) => requests.map(({ path }) => path));
    const pictures = [
      '/b/id/10',
      '/b/id/20',
      '/cover2.png',
      '/still2x1.png',
      '/still2x2.png',
      '/still2x3.png',
      ...films.map(({ id }) => `/poster${id}.png`),
      ...freeFilms.map(({ id }) => `Poster_${id}.png`),
    ];
    await until(
      'all pictures were fetched',
      async () => pictures.every((one) => asked().some((path) => path.includes(one))),
      40_000,
      200,
    );
    await noJobs(server);
    await Promise.all(services().map((one) => one.close()));
    const shown = await tiles();

    expect(shown).toHaveLength(41);
    expect(await Promise.all(shown.map(pictureOf))).toEqual(shown.map(({ title }) => [title, 200]));
    const { entities } = await server.get<{ entities: { name: string }[] }>(
      '/api/entities?type=person&limit=100',
    );
    const players = [...shows, ...films].map(({ id }) => `Player ${id}`);
    expect(entities.map(({ name }) => name)).toEqual(expect.arrayContaining([...new Set(players)]));
  });
});
