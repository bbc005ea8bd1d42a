import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { KernelError } from '../../../../kernel/index.ts';
import type { SearchQueryInput } from '../../../../plugin-api/index.ts';
import { bearer, createTestApp, testViewers } from '../../../../test/support/servers/http.ts';
import {
  answerByFolder,
  openTestLibrary,
  type TestLibrary,
} from '../../../../test/support/library/library.ts';
import { isOverPostgres } from '../../../../test/support/storage/postgres.ts';
import { visibilityOfLibraries, type Viewer } from '../../../people/viewer/index.ts';
import type { SearchAnswer } from '../../../library/catalogue/search/search.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { createResponseCache } from '../../response-cache.ts';
import { searchRoutes } from './search.ts';

let app: HttpApp;
let library: TestLibrary;
let films: string;
let asked: SearchQueryInput[];
let answer: () => unknown;
let providers: readonly string[];

const headers = bearer('guest');
const admin = { ...testViewers['admin'] } as Viewer;

beforeEach(async () => {
  asked = [];
  providers = ['search'];
  library = await openTestLibrary({
    providers: (capability) => (capability === 'search' ? providers : ['by-folder']),
    call: async (id, method, input, options) => {
      if (method !== 'search.query') return answerByFolder(id, method, input, options);
      asked.push(input as SearchQueryInput);
      return answer();
    },
  });
  app = await createTestApp([
    mount(searchRoutes, { ...library, cache: createResponseCache(library.storage) }),
  ]);
  onTestFinished(async () => {
    await app.close();
    await library.close();
  });
  films = await fill('Films', ['Alien/a.mkv', 'Brazil/b.mkv', 'Cube/c.mkv']);
});

async function fill(name: string, names: readonly string[]): Promise<string> {
  const { id } = await library.libraries.create({ name, type: 'movies', roots: [`/${name}`] });
  const root = `file:///${name}`;
  const files = names.map((one, size) => ({ uri: `${root}/${one}`, size, modifiedAt: 1 }));
  await library.reconcile({
    libraryId: id,
    root,
    after: null,
    through: null,
    files,
    unreadable: [],
  });
  return id;
}

const search = (query: string) => app.inject({ url: `/api/search?${query}`, headers });

async function ids(): Promise<readonly string[]> {
  return (await library.items.list(admin, {})).items.map(({ id }) => id);
}

describe('GET /api/search', () => {
  test('gives items and entities in the order of the search plugin, with confidence', async () => {
    const [alien = '', brazil = ''] = await ids();
    const { entities } = await library.entities.list(admin, { type: 'genre' });
    answer = () => ({
      items: [
        { id: brazil, confidence: 0.9 },
        { id: alien, confidence: 0.4 },
      ],
      itemsTotal: 17,
      entities: [{ id: entities[0]?.id, confidence: 0.7 }],
    });

    const reply = await search('q=some%20film');

    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      query: 'some film',
      items: [
        { id: brazil, title: 'Brazil', confidence: 0.9, files: [{ filename: 'b.mkv' }] },
        { id: alien, title: 'Alien', confidence: 0.4 },
      ],
      itemsTotal: 17,
      entities: [{ name: 'A', type: 'genre', confidence: 0.7 }],
    });
    expect(asked).toEqual([{ q: 'some film', limit: 20, scopes: null }]);
  });

  test('gives with fields=tile what a list shows of each item, and its library', async () => {
    const [alien = '', brazil = ''] = await ids();
    const other = await fill('Other', ['Dune/d.mkv']);
    const [dune = ''] = (await library.items.list(admin, { libraryId: other })).items.map(
      ({ id }) => id,
    );
    const { entities } = await library.entities.list(admin, { type: 'genre' });
    const items = [brazil, dune, alien].map((id, at) => ({ id, confidence: 1 - at / 10 }));
    answer = () => ({
      ...{ items, itemsTotal: 3 },
      entities: [{ id: entities[0]?.id, confidence: 0.7 }],
    });
    await library.libraries.update(other, { hidden: true }, admin);

    const reply = await search('q=x&fields=tile');

    const ofTile = {
      ...{ type: 'film', subtitle: null, year: null, picture: null, badges: [] },
      ...{ progress: 0, watched: false, favourite: false, libraryId: films, libraryName: 'Films' },
    };
    expect(reply.json()).toMatchObject({ itemsTotal: 3, entities: [{ name: 'A' }] });
    expect(reply.json<SearchAnswer>().items).toEqual([
      { id: brazil, title: 'Brazil', confidence: 1, ...ofTile },
      { id: alien, title: 'Alien', confidence: 0.8, ...ofTile },
    ]);
  });

  test('leaves out what is gone or unknown, for any answer of the plugin', async () => {
    const [alien = '', brazil = ''] = await ids();
    await library.items.remove(alien, admin);
    answer = () => ({
      items: [
        { id: alien, confidence: 1 },
        { id: 'x', confidence: 'y' },
        5,
        { id: brazil, confidence: 7 },
      ],
      itemsTotal: 'many',
      entities: null,
    });

    const reply = await search('q=a&limit=200');

    expect(
      reply.json<SearchAnswer>().items.map(({ title, confidence }) => [title, confidence]),
    ).toEqual([['Brazil', 1]]);
    expect(reply.json()).toMatchObject({ itemsTotal: 1, entities: [] });
  });

  test('searches only the libraries of the viewer', async () => {
    const other = await fill('Other', ['Dune/d.mkv']);
    const all = (await ids()).map((id) => ({ id, confidence: 1 }));
    answer = () => ({ items: all, itemsTotal: 4, entities: [] });

    const found = await library.search.query(
      { ...admin, visibility: visibilityOfLibraries([other]) },
      { q: 'x' },
    );

    expect(asked.at(-1)?.scopes).toEqual([other, `${other}:`]);
    expect(found.items.map(({ title }) => title)).toEqual(['Dune']);
  });

  test('never shows hidden libraries, also not with includeHidden', async () => {
    await fill('Other', ['Dune/d.mkv']);
    const all = (await ids()).map((id) => ({ id, confidence: 1 }));
    answer = () => ({ items: all, itemsTotal: 4, entities: [] });
    await library.libraries.update(films, { hidden: true }, admin);

    const reply = await search('q=x&includeHidden');

    expect(reply.json<SearchAnswer>().items.map(({ title }) => title)).toEqual(['Dune']);
    expect(asked.at(-1)?.scopes?.filter((scope) => scope.includes(films))).toEqual([]);
  });

  test('shows cached results as they are now', async () => {
    const [alien = '', brazil = ''] = await ids();
    const hits = [alien, brazil].map((id) => ({ id, confidence: 1 }));
    answer = () => ({ items: hits, itemsTotal: 2, entities: [] });
    const titles = async (q: string) =>
      (await search(`q=${q}`)).json<SearchAnswer>().items.map(({ title }) => title);
    expect(await titles('a')).toEqual(['Alien', 'Brazil']);
    expect(await titles('al')).toEqual(['Alien', 'Brazil']);

    await library.items.update(alien, { title: 'Alien 3' }, admin);
    expect(await titles('ali')).toEqual(['Alien 3', 'Brazil']);
    await library.items.remove(brazil, admin);
    expect(await titles('alie')).toEqual(['Alien 3']);
    await library.libraries.update(films, { hidden: true }, admin);

    expect(await titles('alien')).toEqual([]);
  });

  test('caches nothing that was found while it became hidden', async () => {
    const items = (await ids()).map((id) => ({ id, confidence: 1 }));
    const [isAsked, goesOn] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    answer = async () => {
      isAsked.resolve(null);
      await goesOn.promise;
      return { items, itemsTotal: 3, entities: [] };
    };
    const before = search('q=a');
    await isAsked.promise;
    await library.libraries.update(films, { hidden: true }, admin);
    goesOn.resolve(null);

    expect((await before).json<SearchAnswer>().items).toHaveLength(3);
    expect((await search('q=al')).json<SearchAnswer>().items).toEqual([]);
  });

  test.each(['', 'q=', 'q=x&limit=0', 'q=x&limit=1.5'])('refuses "%s" with 400', async (query) => {
    expect((await search(query)).statusCode).toBe(400);
  });

  test('takes any larger limit for 200', async () => {
    answer = () => ({ items: [], itemsTotal: 0, entities: [] });

    const statuses = [await search('q=x&limit=201'), await search('q=y&limit=100000')];

    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(asked).toMatchObject([{ limit: 200 }, { limit: 200 }]);
  });

  // On PostgreSQL another server may have written, so nothing is cached.
  test.skipIf(isOverPostgres)(
    'asks the plugin once for the same text, until something is written',
    async () => {
      answer = () => ({ items: [], itemsTotal: 0, entities: [] });
      for (const query of ['q=alien', 'q=alien', 'q=aliens']) await search(query);
      expect(asked.map(({ q }) => q)).toEqual(['alien', 'aliens']);

      await fill('Other', ['Dune/d.mkv']);
      await search('q=alien');

      expect(asked.map(({ q }) => q)).toEqual(['alien', 'aliens', 'alien']);
    },
  );

  test('answers 503 when no search plugin runs, or it fails', async () => {
    answer = () => {
      throw new KernelError('plugin_failed', 'It broke.');
    };
    const failed = await search('q=x');
    providers = [];
    const absent = await search('q=x');

    expect([failed.statusCode, absent.statusCode]).toEqual([503, 503]);
    expect(absent.json()).toMatchObject({
      error: expect.stringContaining('Search is not available'),
    });
    expect(absent.headers['retry-after']).toBeDefined();
  });
});
