/** The built-in indexers against services of our own: nothing before consent, everything after. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testByNight } from '../support/run/test-by-night.ts';
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
import { isNightly } from '../support/run/nightly.ts';

/** Titles of two words: each first one with each second one. */
const titlesOf = (first: string, second: string): readonly string[] =>
  first.split(' ').flatMap((one) => second.split(' ').map((two) => `${one} ${two}`));

const episodes = isNightly
  ? titlesOf('Low High Still Far', 'Tide Water Air Frost Light Rain')
  : titlesOf('Low High', 'Tide Water Air');
const names = ['Harbour Lights', 'Winter Orchard', 'The Paper Garden', 'Silent Voyage'];
const shows = names.map((name, at) => ({ id: at + 1, name, year: 2001 + at, episodes }));

const films = titlesOf(
  'Crimson Golden',
  `Lantern Mirror Station${isNightly ? ' Horizon Promise Summer Kingdom Meadow Island River Letter' : ''}`,
).map((title, at) => ({
  ...{ id: at + 1, title, year: 1970 + at },
  ...(title === 'Crimson Mirror' && {
    translated: { de: { title: 'Karminspiegel', overview: 'Alles über den Spiegel.' } },
  }),
}));
const quay = isNightly
  ? titlesOf('Slack Spring Neap', 'Surge Swell Flow Ebb Rise Fall Wave Drift')
  : titlesOf('Slack Spring', 'Surge Swell Flow');
const series = [
  {
    ...{ id: 9, name: 'Northern Quay', year: 2011, seasons: [['Ebb', 'Flow'], quay] },
    names: { de: 'Nordkai' },
  },
];

const freeFilms = titlesOf(
  'Paper Quiet',
  `Ferry Detective${isNightly ? ' Bridge Circus' : ''}`,
).map((title, at) => ({
  id: `Q${at + 1}`,
  title,
  year: 1920 + at,
}));

const anime = [
  { id: 1, title: 'Umi Lantern', year: 2010, episodes: 12, sequel: 2 },
  { id: 2, title: 'Umi Lantern: Second Light', year: 2012, episodes: 12 },
];

const songs = [
  'Low Tide',
  'High Water',
  'Still Air',
  ...(isNightly ? titlesOf('Grey White Tall', 'Mast Sail Gull') : ['Grey Sail']),
];
const albums = [
  {
    no: 1,
    title: 'Harbour Songs',
    artist: 'The Piers',
    year: 1971,
    tracks: songs,
    editions: [2011],
  },
  { no: 2, title: 'Harbour Songs', artist: 'Ada Reed', year: 1971, tracks: ['Rain'] },
  {
    no: 3,
    title: 'Inland Songs',
    artist: 'The Piers',
    year: 1974,
    artistNo: 1,
    tracks: songs.toReversed(),
  },
  {
    no: 4,
    title: 'Upland Songs',
    artist: 'The Piers',
    year: 1978,
    artistNo: 1,
    tracks: songs.toSorted(),
  },
];
const ownAlbums = albums.filter(({ artist }) => artist === 'The Piers');

const isbn = '9783161484100';
const books = [
  { no: 1, title: 'The Quiet Harbour', author: 'Ada Reed', year: 1931, isbn },
  { no: 2, title: 'Winter Garden', author: 'Ben Stone', year: 1950 },
  { no: 3, title: 'Winter Garden', author: 'Cleo Marsh', year: 1950 },
  { no: 4, title: 'Summer Harvest', author: 'Dora Lind', year: 1952 },
];
const ownBooks = books.filter(({ author }) => author !== 'Cleo Marsh');
const animeNumbers = Array.from({ length: 11 }, (_, at) => at + 14);

/** The files of all libraries. */
const allFiles =
  shows.length * episodes.length +
  [films, freeFilms, animeNumbers, quay, ownBooks].reduce((sum, { length }) => sum + length, 0) +
  ownAlbums.length * songs.length;

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
    ...shows.flatMap(({ name, year }) =>
      episodes.map((_, at) => {
        const number = String(at + 1).padStart(2, '0');
        return `shows/${name} (${year})/Season 01/${name} S01E${number}.mkv`;
      }),
    ),
    ...freeFilms.map(({ title, year }) => `free/${title} (${year}).mkv`),
    ...films.map(({ title, year }) => `films/${title} (${year})/${title} (${year}).mkv`),
    ...animeNumbers.map((number) => `anime/Umi Lantern/[Quay] Umi Lantern - ${number} [1080p].mkv`),
    ...quay.map((_, at) => {
      const number = String(at + 1).padStart(2, '0');
      return `series/Northern Quay/Season 02/Northern Quay S02E${number}.mkv`;
    }),
  ]);
  for (const { title: ALBUM, year, tracks } of ownAlbums) {
    for (const [at, title] of tracks.entries()) {
      const tags = {
        TITLE: title.toLowerCase(),
        ARTIST: 'Piers',
        ALBUM: ALBUM.replace('S', 's'),
        DATE: String(year),
        TRACKNUMBER: String(at + 1),
      };
      const number = String(at + 1).padStart(2, '0');
      await tree.write(`music/Piers/${ALBUM}/${number}.flac`, makeFlac(180 + at, tags));
    }
  }
  await tree.write('books/Reed/scan 12.epub');
  await tree.write('books/Reed/scan 12.opf', opfOf(isbn));
  for (const { title, author, year } of ownBooks.slice(1))
    await tree.write(`books/${author}/${title} (${year}).epub`);
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

/** Libraries that are looked up at the same time. */
const libraries: Record<string, string> = {};

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
    for (const [folder, type] of Object.entries({
      ...{ films: 'movies', free: 'movies', series: 'tv', anime: 'tv', music: 'music' },
      books: 'books',
    }))
      libraries[folder] = await addLibrary(folder, type);
    await until('all are known', () => areKnown(library), 120_000, 200);
  });

  test('have titles, summaries, people, ids, and a poster that the server sends itself', async () => {
    const items = await itemsOf(library);

    expect(items.map(({ title }) => title).sort()).toEqual(
      shows.flatMap((show) => show.episodes).sort(),
    );
    await expectPictures('show', names);
  });

  test('are asked for with the contact of the operator, and in two requests for a show', () => {
    const details = tvmaze.questions().filter(({ path }) => path.startsWith('/shows/'));

    expect(tvmaze.requests[0]?.headers['user-agent']).toMatch(
      /^Vitrine\/\S+ \(ada@example\.org\) plugin\/tvmaze$/,
    );
    expect(details.length).toBeLessThanOrEqual(2 * shows.length);
  });
});

/** A profile that prefers a language; its id. */
async function profileOf(locale: string): Promise<string> {
  const made = await server.request('POST', '/api/profiles', { name: `Reads ${locale}` });
  const { id } = (made.body as { profile: { id: string } }).profile;
  const { status } = await server.request('PUT', `/api/profiles/${id}/preferences`, { locale });
  expect(status).toBe(200);
  return id;
}

const tmdbIdOf = (metadata: Readonly<Record<string, unknown>>): string | undefined =>
  /\/movie\/(\d+)$/.exec(String(metadata['tmdbUrl']))?.[1];

describe('TMDB, with a key of the operator', () => {
  const aboutFilms = () => tmdb.questions().filter(({ path }) => path.includes('/movie'));

  testByNight(
    'knows films in two requests each, needs none to be asked again, and asks in a new language of the library',
    async () => {
      const library = libraries['films'] ?? '';
      await until('all are known', () => areKnown(library), 120_000, 200);
      await noJobs(server);
      const cold = aboutFilms().length;
      const [film] = await itemsOf(library);
      const words = `query=${encodeURIComponent(film?.title ?? '')}`;
      const details = `/movie/${tmdbIdOf(film?.metadata ?? {})}?`;
      // Films that only Wikidata has may be asked for again at any time.
      const aboutOne = () =>
        aboutFilms().filter(({ path }) => path.includes(words) || path.includes(details));
      const before = aboutOne().length;
      await server.request('POST', `/api/items/${film?.id}/refresh`, {});
      await noJobs(server);
      const again = aboutOne().length;
      const asked = aboutFilms().length;
      const sources = { order: [], fields: {}, languages: ['de'] };
      await server.request('PUT', `/api/libraries/${library}/sources`, sources);
      await server.request('POST', `/api/items/${film?.id}/refresh`, {});
      await noJobs(server);

      // TMDB is also asked for the films that only Wikidata has.
      expect(cold).toBeLessThanOrEqual(2.2 * (films.length + freeFilms.length));
      expect(before).toBeGreaterThan(0);
      expect(again).toBe(before);
      // It may wait behind a batch of other films.
      const isGerman = ({ path }: { readonly path: string }) => path.includes('language=de&');
      await until('it is asked about in German', () => aboutFilms().slice(asked).some(isGerman));
    },
  );

  testByNight(
    'has titles and summaries in the languages of the library, so that each profile reads its own',
    async () => {
      const library = libraries['films'] ?? '';
      const film = (await itemsOf(library)).find(({ title }) => title === 'Crimson Mirror');
      const profiles = await Promise.all(['de-AT', 'en'].map(profileOf));
      const [german = '', english = ''] = profiles;
      const read = async <Body>(path: string, more: Readonly<Record<string, string>>) => {
        const reply = await fetch(`${server.url}${path}`, { headers: { ...headers, ...more } });
        return { body: (await reply.json()) as Body, tag: reply.headers.get('etag') ?? '' };
      };
      const as = (profile: string) => ({ 'x-profile-id': profile });
      const path = `/api/items/${film?.id}`;
      const textsOf = async (more: Readonly<Record<string, string>>) => {
        const { item } = (await read<{ item: ListedItem }>(path, more)).body;
        return [item.title, item.metadata['overview'], item.metadata['originalTitle']];
      };
      const english3 = ['Crimson Mirror', 'All about Crimson Mirror.', 'Crimson Mirror'];
      const german3 = ['Karminspiegel', 'Alles über den Spiegel.', 'Crimson Mirror'];

      const sources = { order: [], fields: {}, languages: ['en', 'de'] };
      await server.request('PUT', `/api/libraries/${library}/sources`, sources);
      await server.request('POST', `${path}/refresh`, {});
      await until('its German title is there', async () => {
        const { body } = await read<{ item: ListedItem }>(path, as(german));
        return body.item.title === 'Karminspiegel';
      });
      await noJobs(server);
      const list = `/api/items?libraryId=${library}&fields=tile`;
      const titlesFor = async (more: Readonly<Record<string, string>>) => {
        const { body } = await read<{ items: { id: string; title: string }[] }>(list, more);
        return body.items.map(({ id, title }) => (id === film?.id ? title : id));
      };
      const [inGerman, inEnglish] = [await titlesFor(as(german)), await titlesFor(as(english))];
      const { tag } = await read(list, as(english));
      const fresh = await fetch(`${server.url}${list}`, {
        headers: { ...headers, ...as(german), 'if-none-match': tag },
      });
      const findings = async (words: string, profile: string) => {
        const found = await read<{ items: ListedItem[] }>(`/api/search?q=${words}`, as(profile));
        return found.body.items.map(({ title }) => title);
      };
      await until(
        'search knows it',
        async () => (await findings('Karminspiegel', english)).length > 0,
      );

      expect([await textsOf(as(german)), await textsOf(as(english))]).toEqual([german3, english3]);
      // Without a preference the client says it; the one of the profile comes first.
      expect(await textsOf({ 'accept-language': 'de, en;q=0.5' })).toEqual(german3);
      expect(await textsOf({ ...as(english), 'accept-language': 'de' })).toEqual(english3);
      expect(await read(`${path}?texts=stored`, as(german))).toMatchObject({
        body: { item: { title: 'Crimson Mirror' } },
      });
      // The same order, and nothing of the other language from a cache.
      expect(inGerman).toContain('Karminspiegel');
      expect(inEnglish).toEqual(
        inGerman.map((one) => (one === 'Karminspiegel' ? 'Crimson Mirror' : one)),
      );
      expect(await titlesFor({ 'accept-language': 'de' })).toEqual(inGerman);
      expect(await titlesFor({ 'accept-language': 'fr' })).toEqual(inEnglish);
      expect(fresh.status).toBe(200);
      expect([
        await findings('Karminspiegel', english),
        await findings('Crimson%20Mirror', german),
      ]).toEqual([['Crimson Mirror'], expect.arrayContaining(['Karminspiegel'])]);

      const { status } = await server.request('PATCH', path, { title: 'Our Mirror' });
      expect(status).toBe(200);
      expect(await textsOf(as(german))).toEqual(['Our Mirror', german3[1], german3[2]]);
      expect(await textsOf(as(english))).toEqual(['Our Mirror', english3[1], english3[2]]);
      await server.request('POST', `${path}/refresh`, {});
      await noJobs(server);
      expect((await textsOf(as(german)))[0]).toBe('Our Mirror');
    },
  );

  test('knows series, by the same key, which no list of the server has', async () => {
    const library = libraries['series'] ?? '';
    await until('all are known', () => areKnown(library), 120_000, 200);

    expect((await itemsOf(library)).map(({ title }) => title).sort()).toEqual(quay.toSorted());
    await expectPictures('show', ['Northern Quay']);
    expect(tmdb.questions().every(({ path }) => path.includes('api_key='))).toBe(true);
    expect(JSON.stringify(await server.get('/api/plugins/tmdb'))).not.toContain(madeKey);
  });

  testByNight('has the name of a show in the languages of the library', async () => {
    const library = libraries['series'] ?? '';
    const sources = { order: [], fields: {}, languages: ['en', 'de'] };
    await server.request('PUT', `/api/libraries/${library}/sources`, sources);
    const [episode] = await itemsOf(library);
    await server.request('POST', `/api/items/${episode?.id}/refresh`, {});
    const read = async <Body>(path: string, language: string) => {
      const reply = await fetch(`${server.url}${path}`, {
        headers: { ...headers, 'accept-language': language },
      });
      return (await reply.json()) as Body;
    };
    const shown = async (language: string) => {
      type Named = { readonly id: string; readonly name: string };
      const ofLibrary = `/api/entities?type=show&libraryId=${library}`;
      const { entities } = await read<{ entities: Named[] }>(ofLibrary, language);
      const { entity } = await read<{ entity: Named & { metadata: object } }>(
        `/api/entities/${entities[0]?.id}`,
        language,
      );
      const list = `/api/items?libraryId=${library}&fields=tile&limit=1`;
      const { items: tiles } = await read<{ items: { title: string }[] }>(list, language);
      const found = await read<{ entities: Named[] }>('/api/search?q=Nordkai', language);
      const names = found.entities.map(({ name }) => name);
      const { overview } = entity.metadata as { overview?: string };
      return [
        entities[0]?.name,
        entity.name,
        overview,
        tiles[0]?.title,
        names.includes(entity.name),
      ];
    };
    await until('its German name is there', async () => {
      const [name, , , , isFound] = await shown('de');
      return name === 'Nordkai' && isFound === true;
    });

    expect(await shown('de')).toEqual(['Nordkai', 'Nordkai', 'Nordkai.', 'Nordkai', true]);
    const name = 'Northern Quay';
    expect(await shown('en')).toEqual([name, name, 'All about Northern Quay.', name, true]);
  });
});

describe('Wikidata, without a key', () => {
  test('knows films with summaries of Wikipedia, posters, and people with photos', async () => {
    const library = libraries['free'] ?? '';
    await until('all are known', () => areKnown(library), 120_000, 200);

    const overviews = (await itemsOf(library)).map(({ metadata }) => metadata['overview']);
    expect(overviews.sort()).toEqual(
      freeFilms.map(({ title }) => `${title} is a film.\n\n(Wikipedia, CC BY-SA 4.0)`).sort(),
    );
    await expectPictures('person', ['Person Q9000001', 'Person Q9100002']);
  });
});

describe('AniList, by GraphQL', () => {
  test('finds an episode by its number in the whole series, in the part that has it', async () => {
    const found = async () =>
      (await itemsOf(libraries['anime'] ?? '')).filter(
        ({ metadata }) => metadata['anilistUrl'] !== undefined,
      );
    const isKnown = async () => (await found()).length === animeNumbers.length;
    await until('all are known', isKnown, 120_000, 200);
    const item = (await found()).find(({ metadata }) => metadata['absoluteEpisode'] === 14);
    const { match } = await server.get<{ match: object }>(`/api/items/${item?.id}/match`);

    expect(item?.metadata).toMatchObject({ season: 2, episode: 2, absoluteEpisode: 14 });
    expect(match).toMatchObject({ pluginId: 'anilist', id: '1' });
    await expectPictures('show', ['Umi Lantern']);
  });
});

describe('MusicBrainz', () => {
  test('knows an album by the tags of its files: titles, artist, and a cover in each tile', async () => {
    const library = libraries['music'] ?? '';
    const titles = async () => (await itemsOf(library)).map(({ title }) => title).sort();
    const wanted = [...songs, ...songs, ...songs].sort();
    await until(
      'all are known',
      async () => JSON.stringify(await titles()) === JSON.stringify(wanted),
      120_000,
      200,
    );
    await noJobs(server);
    const { items: tiles } = await server.get<{ items: { picture: { id: string } | null }[] }>(
      `/api/items?libraryId=${library}&fields=tile&limit=200`,
    );
    const { entities: artists } = await server.get<{ entities: { name: string }[] }>(
      '/api/entities?type=artist',
    );

    const known = (await itemsOf(library)).map(({ metadata }) => metadata);
    expect(known.find(({ album }) => album === 'Harbour Songs')).toMatchObject({
      album: 'Harbour Songs',
      albumArtist: 'The Piers',
      ids: { 'musicbrainz-release': mbid('release', 10) },
    });
    expect(artists.map(({ name }) => name)).toEqual(['The Piers']);
    await expectPictures('album', ['Harbour Songs', 'Inland Songs', 'Upland Songs']);
    expect(tiles).toHaveLength(3 * songs.length);
    expect(tiles.every(({ picture }) => picture !== null)).toBe(true);
    expect(musicbrainz.questions()).toHaveLength(2 * ownAlbums.length);
  });
});

describe('Open Library', () => {
  test('knows a book by its ISBN, and another by its title and author, with covers', async () => {
    const library = libraries['books'] ?? '';
    await until('all are known', () => areKnown(library), 120_000, 200);
    await noJobs(server);
    const { items: tiles } = await server.get<{ items: { picture: { id: string } | null }[] }>(
      `/api/items?libraryId=${library}&fields=tile`,
    );
    const found = (await itemsOf(library)).map(({ title, metadata }) => [
      title,
      metadata['author'],
    ]);

    expect(found.sort()).toEqual([
      ['Summer Harvest', 'Dora Lind'],
      ['The Quiet Harbour', 'Ada Reed'],
      ['Winter Garden', 'Ben Stone'],
    ]);
    expect(tiles.map(({ picture }) => picture !== null)).toEqual([true, true, true]);
    await expectPictures('person', ['Ada Reed', 'Ben Stone', 'Dora Lind']);
  });
});

describe('after the network went away', () => {
  interface Tile {
    readonly title: string;
    readonly picture: { readonly id: string } | null;
  }
  const tiles = async (): Promise<readonly Tile[]> =>
    (await server.get<{ items: readonly Tile[] }>('/api/items?fields=tile&limit=200')).items;

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
      '/b/id/40',
      ...quay.map((_, at) => `/still2x${at + 1}.png`),
      ...films.map(({ id }) => `/poster${id}.png`),
      ...freeFilms.map(({ id }) => `Poster_${id}.png`),
    ];
    await until(
      'all pictures were fetched',
      async () => pictures.every((one) => asked().some((path) => path.includes(one))),
      120_000,
      200,
    );
    await noJobs(server);
    await Promise.all(services().map((one) => one.close()));
    const shown = await tiles();

    expect(shown).toHaveLength(allFiles);
    expect(await Promise.all(shown.map(pictureOf))).toEqual(shown.map(({ title }) => [title, 200]));
    const { entities } = await server.get<{ entities: { name: string }[] }>(
      '/api/entities?type=person&limit=200',
    );
    const players = [...shows, ...films].map(({ id }) => `Player ${id}`);
    expect(entities.map(({ name }) => name)).toEqual(expect.arrayContaining([...new Set(players)]));
  });
});
