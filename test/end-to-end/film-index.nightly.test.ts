/** The example indexer by a stranger's rules, against a catalogue on the loopback. */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  catalogueKey,
  startCatalogue,
  type Catalogue,
  type Shelves,
} from '../support/plugins/catalogue.ts';
import { mostWithin } from '../support/servers/http-source.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { allItems, jobsOver, type ListedItem } from '../support/servers/scan.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

const example = path.resolve(import.meta.dirname, '../../examples/film-index');

/** A picture that its plugin may not fetch would be left out. */
const pictureHost = 'pictures.example.org';

const shelves: Shelves = {
  films: [
    {
      id: 'film:1',
      title: 'Heat',
      year: 1995,
      overview: 'A thief and a policeman.',
      url: 'https://catalogue.example.org/films/1',
      genres: ['Crime'],
      studios: ['Regency'],
      certification: 'R',
      ids: { imdb: 'tt0113277' },
      people: [{ id: 'p:1', name: 'Al Pacino', role: 'actor', character: 'Hanna' }],
      images: [{ type: 'poster', url: `https://${pictureHost}/heat.jpg` }],
    },
    { id: 'film:2', title: 'Heat', year: 1986, overview: 'Las Vegas.' },
    { id: 'film:3', title: 'The Long Night', year: 1947 },
    { id: 'film:4', title: 'The Long Night', year: 2002, overview: 'The other one.' },
  ],
  series: [{ id: 'series:1', title: 'Harbour', year: 2010, genres: ['Drama'] }],
  parts: {
    'series:1/seasons/1/episodes/2': {
      id: 'episode:12',
      title: 'Low Tide',
      overview: 'The water goes.',
      airDate: '2010-03-04',
    },
  },
};

let data: string;
let films: MediaTree;
let shows: MediaTree;
/** What is in the library before the plugin may run. */
let early: MediaTree;
let catalogue: Catalogue;
let server: TestServer;

const granted = () => ({
  net: [catalogue.host, pictureHost],
  metadata: 'write',
  serves: ['indexer'],
});

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  await mkdir(path.join(data, 'plugins'));
  await cp(example, path.join(data, 'plugins/film-index'), { recursive: true });
  films = await createMediaTree([
    'Heat (1995)/Heat (1995).mkv',
    'The Long Night.mkv',
    'Nobody Knows It (2020).mkv',
  ]);
  shows = await createMediaTree(['Harbour/Season 01/Harbour S01E02.mkv']);
  early = await createMediaTree(['The Long Night (2002)/The Long Night (2002).mkv']);
  catalogue = await startCatalogue(shelves);
  server = await startServer({ data, args: ['--net-allow', catalogue.host] });
});

afterAll(async () => {
  await server.stop();
  await catalogue.close();
  await films.remove();
  await shows.remove();
  await early.remove();
  await rm(data, { recursive: true });
});

async function library(name: string, type: string, root: string): Promise<string> {
  const { body } = await server.request('POST', '/api/libraries', { name, type, roots: [root] });
  const { id } = (body as { library: { id: string } }).library;
  await server.request('POST', '/api/jobs', { type: 'scan', libraryId: id });
  return id;
}

async function findItem(file: string): Promise<ListedItem | undefined> {
  const items = await allItems(server);
  return items.find(({ files }) => files.some(({ uri }) => uri.endsWith(file)));
}

async function itemOf(file: string): Promise<ListedItem> {
  const item = await findItem(file);
  if (item === undefined) throw new Error(`No item has the file ${file}.`);
  return item;
}

interface Detail extends ListedItem {
  readonly linkedEntities: readonly { readonly name: string; readonly role: string }[];
  readonly provenance: readonly { readonly pluginId: string }[];
}

const detail = async (id: string): Promise<Detail> =>
  (await server.get<{ item: Detail }>(`/api/items/${id}`)).item;

/** Waits until an item is as it should be. */
function settled(what: string, file: string, holds: (item: ListedItem) => boolean): Promise<void> {
  const isSettled = async (): Promise<boolean> => {
    const item = await findItem(file);
    return item !== undefined && holds(item);
  };
  return until(what, isSettled, undefined, 150);
}

const heat = 'Heat%20(1995).mkv';
const night = 'The%20Long%20Night.mkv';
const earlyNight = 'The%20Long%20Night%20(2002).mkv';

describe('the example indexer', () => {
  test('is not asked before it was granted anything', async () => {
    await library('Early', 'movies', early.path);
    await jobsOver(server);

    expect((await itemOf(earlyNight)).metadata).not.toHaveProperty('overview');
    expect(catalogue.requests).toEqual([]);
  });

  test('runs once it is granted one host, and knows its catalogue by configuration', async () => {
    const grant = await server.request('PUT', '/api/plugins/film-index/permissions', {
      granted: granted(),
    });
    const configured = await server.request('PUT', '/api/plugins/film-index/configuration', {
      baseUrl: catalogue.url,
      apiKey: catalogueKey,
    });

    expect([grant.status, configured.status]).toEqual([200, 200]);
    await until('it runs', async () => {
      const { plugin } = await server.get<{ plugin: { state: string } }>('/api/plugins/film-index');
      return plugin.state === 'running';
    });
  });

  test('is asked about what was there before it, without a refresh', async () => {
    const isKnown = ({ metadata }: ListedItem) => metadata['overview'] === 'The other one.';

    await settled('the early film is known', earlyNight, isKnown);

    const { jobs } = await server.get<{ jobs: { type: string; payload: object }[] }>(
      '/api/jobs?limit=100',
    );
    expect(jobs.filter(({ type }) => type === 'refresh')).toHaveLength(1);
  });

  test('adds to a film what the catalogue knows: fields, ids, people, pictures', async () => {
    await library('Films', 'movies', films.path);
    await settled('Heat is known', heat, ({ metadata }) => metadata['overview'] !== undefined);

    const item = await detail((await itemOf(heat)).id);

    expect(item).toMatchObject({
      title: 'Heat',
      metadata: {
        year: 1995,
        overview: 'A thief and a policeman.',
        ids: { imdb: 'tt0113277', 'film-index': 'film:1' },
      },
      certification: 'R',
      assets: { poster: expect.stringMatching(/^\/api\/assets\//) },
    });
    expect(item.linkedEntities).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'Al Pacino', role: 'actor' }),
        expect.objectContaining({ name: 'Crime', role: 'genre' }),
      ]),
    );
    expect(item.provenance.map(({ pluginId }) => pluginId)).toContain('film-index');
  });

  test('finds an episode by its series and numbers', async () => {
    await library('Shows', 'tv', shows.path);
    await settled('the episode is known', 'S01E02.mkv', ({ title }) => title === 'Low Tide');

    expect((await itemOf('S01E02.mkv')).metadata).toMatchObject({
      overview: 'The water goes.',
      airDate: '2010-03-04',
      series: 'Harbour',
    });
  });

  test('says what an item was matched to, and applies no match that it is not sure of', async () => {
    const [sure, unsure] = [await itemOf(heat), await itemOf(night)];

    expect(await server.get(`/api/items/${sure.id}/match`)).toEqual({
      match: {
        pluginId: 'film-index',
        id: 'film:1',
        manual: false,
        confidence: 1,
        matchedAt: expect.any(String),
      },
      guesses: [],
    });
    expect(await server.get(`/api/items/${unsure.id}/match`)).toMatchObject({
      match: null,
      guesses: [{ pluginId: 'film-index', title: 'The Long Night', confidence: 0.5 }],
    });
    expect(unsure.metadata).not.toHaveProperty('overview');
  });

  test('offers candidates, best first', async () => {
    const { id } = await itemOf(heat);

    const { candidates, problems } = await server.get<{ candidates: object[]; problems: object[] }>(
      `/api/items/${id}/matches`,
    );

    expect(problems).toEqual([]);
    expect(candidates).toMatchObject([
      {
        pluginId: 'film-index',
        pluginName: 'Film index',
        id: 'film:1',
        title: 'Heat',
        year: 1995,
        url: 'https://catalogue.example.org/films/1',
        imageUrl: null,
        confidence: 1,
      },
      { id: 'film:2', year: 1986 },
    ]);
    const found = await server.get<{ candidates: object[] }>(
      `/api/items/${id}/matches?q=long%20night&year=2002&limit=1`,
    );
    expect(found.candidates).toMatchObject([{ id: 'film:4' }]);
  });

  test('takes the word of a person for it, and keeps to it', async () => {
    const { id } = await itemOf(night);

    const { status, body } = await server.request('PUT', `/api/items/${id}/match`, {
      pluginId: 'film-index',
      id: 'film:4',
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      match: { pluginId: 'film-index', id: 'film:4', manual: true },
      job: { type: 'refresh' },
    });
    const isChosen = ({ metadata }: ListedItem) => metadata['overview'] === 'The other one.';
    await settled('it is the other one', night, isChosen);
    await server.request('POST', '/api/jobs', {
      type: 'refresh',
      libraryId: (await itemOf(night)).libraryId,
    });
    await jobsOver(server);
    expect(isChosen(await itemOf(night))).toBe(true);
  });

  test('loses what it wrote when a person rejects all candidates, until they choose again', async () => {
    const { id, libraryId } = await itemOf(heat);

    const { status } = await server.request('DELETE', `/api/items/${id}/match`);

    expect(status).toBe(204);
    await settled(
      'it is what its name says',
      heat,
      ({ metadata }) => metadata['overview'] === undefined,
    );
    expect((await itemOf(heat)).metadata).toMatchObject({ year: 1995 });
    await server.request('POST', '/api/jobs', { type: 'refresh', libraryId });
    await jobsOver(server);
    expect((await itemOf(heat)).metadata).not.toHaveProperty('overview');
    expect(await server.get(`/api/items/${id}/match`)).toMatchObject({
      match: null,
    });
    await server.request('PUT', `/api/items/${id}/match`, { pluginId: 'film-index', id: 'film:1' });
    await settled('it is known again', heat, ({ metadata }) => metadata['overview'] !== undefined);
  });

  test('refuses a match by a plugin that is not an indexer, by name', async () => {
    const { id } = await itemOf(heat);

    const { status, body } = await server.request('PUT', `/api/items/${id}/match`, {
      pluginId: 'scanner',
      id: 'film:1',
    });

    expect(status).toBe(400);
    expect(body).toMatchObject({ error: expect.stringContaining('film-index') });
  });

  test('keeps the rate of its manifest: the catalogue never sees more than 10 requests in a second', async () => {
    expect(mostWithin(catalogue.requests, 600)).toBeLessThanOrEqual(10);
    const { usage } = await server.get<{ usage: { net: { requests: number; cached: number } } }>(
      '/api/plugins/film-index/usage',
    );
    // The poster is on another host, which the server asks in the name of the plugin when it matches.
    const tries = usage.net.requests - catalogue.requests.length;
    expect([0, 1, 2]).toContain(tries);
    expect(usage.net.cached).toBeGreaterThan(0);
  });
});

describe('a catalogue that is away', () => {
  test('does not stop a scan: items have what their names say, and the rest comes when it is back', async () => {
    const { port } = catalogue;
    await catalogue.close();
    await films.write('Heat (1986)/Heat (1986).mkv');
    const { libraryId } = await itemOf(heat);

    await server.request('POST', '/api/jobs', { type: 'scan', libraryId });
    await jobsOver(server);

    const other = 'Heat%20(1986).mkv';
    expect(await itemOf(other)).toMatchObject({ title: 'Heat', metadata: { year: 1986 } });
    catalogue = await startCatalogue(shelves, port);
    await settled('it is known', other, ({ metadata }) => metadata['overview'] === 'Las Vegas.');
  });

  test('takes nothing away from what is known, also when all is looked into again', async () => {
    catalogue.failWith(503);
    await rm(path.join(data, 'cache/net'), { recursive: true, force: true });
    const before = await detail((await itemOf(heat)).id);

    await server.request('POST', '/api/jobs', { type: 'refresh', libraryId: before.libraryId });
    await jobsOver(server);

    expect(await detail(before.id)).toMatchObject({
      metadata: before.metadata,
      linkedEntities: before.linkedEntities,
    });
    const warnings = server
      .output()
      .split('\n')
      .filter((line) => /WARN/i.test(line) && line.includes('film-index'));
    expect(warnings.length).toBeLessThan(10);
  });
});
