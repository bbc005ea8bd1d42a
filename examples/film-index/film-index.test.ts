/** The example's own rules: its questions, its choice of a candidate, and when it says "later". */
import { describe, expect, test } from 'vitest';
import type {
  FetchInput,
  IndexFile,
  IndexResult,
  IndexSearchResult,
} from '../../plugin-api/index.ts';
import plugin from './index.js';

type Catalogue = Readonly<Record<string, unknown>>;

/** A host whose network is a map of paths to answers; an answer may be a function that throws or returns. */
function hostOver(catalogue: Catalogue) {
  const asked: FetchInput[] = [];
  const host = {
    config: {
      get: async () => ({ baseUrl: 'https://c.example.org/v1/', apiKey: 'key', keepDays: 1 }),
    },
    net: {
      fetch: async (input: FetchInput) => {
        asked.push(input);
        const found = catalogue[input.url.replace('https://c.example.org/v1', '')];
        if (found instanceof Error) throw found;
        if (typeof found === 'number')
          return { status: found, headers: {}, body: '', cache: 'miss' };
        return found === undefined
          ? { status: 404, headers: {}, body: '{}', cache: 'miss' }
          : { status: 200, headers: {}, body: JSON.stringify(found), cache: 'miss' };
      },
    },
  };
  return { host: host as never, asked };
}

const method = (name: string): ((input: object, host: never) => unknown) =>
  plugin.methods?.[name as never] as never;

async function index(libraryType: string, files: readonly IndexFile[], catalogue: Catalogue) {
  const { host, asked } = hostOver(catalogue);
  const input = { libraryId: 'l', libraryType, stage: 'full', files };
  return { ...((await method('indexer.index')(input, host)) as IndexResult), asked };
}

const film = (title: string, metadata: object = {}, more: object = {}): IndexFile => ({
  path: `${title}.mkv`,
  size: 1,
  known: { title, metadata: { ...metadata }, ids: {} },
  ...more,
});

const results = (...entries: object[]) => ({ results: entries });

describe('the film index', () => {
  test('sends its key, and lets answers be reused for a day', async () => {
    const { asked } = await index('movies', [film('Heat')], { '/films?q=Heat': results() });

    expect(asked).toEqual([
      {
        url: 'https://c.example.org/v1/films?q=Heat',
        headers: { 'x-api-key': 'key' },
        maxAge: 86_400,
      },
    ]);
  });

  test.each([
    ['Heat', { year: 1995 }, { title: 'Heat', year: 1995 }, 1],
    ['Heat', { year: 1995 }, { title: 'Heat', year: 1996 }, 0.9],
    ['Heat', {}, { title: 'Heat', year: 1995 }, 0.9],
    ['Heat', { year: 1995 }, { title: 'Heat', year: 1986 }, 0.2],
    ['Amelie', {}, { title: 'Le Fabuleux Destin', otherTitles: ['Amélie'] }, 0.9],
    ['The Matrix', { year: 1999 }, { title: 'Matrix', year: 1999 }, 1],
    ['Fast and Furious', { year: 2009 }, { title: 'Fast & Furious', year: 2009 }, 1],
  ])('compares %s %j with %j as %f', async (title, metadata, entry, expected) => {
    const q = encodeURIComponent(title);
    const { host } = hostOver({ [`/films?q=${q}`]: results({ id: '1', ...entry }) });
    const input = { libraryType: 'movies', query: title, limit: 5, ...metadata };

    const { candidates } = (await method('indexer.search')(input, host)) as IndexSearchResult;

    expect(candidates[0]?.confidence).toBe(expected);
  });

  test('is not sure of either of two equal matches', async () => {
    const entries = results(
      { id: '1', title: 'Night', year: 1947 },
      { id: '2', title: 'Night', year: 2002 },
    );
    const { results: found } = await index('movies', [film('Night')], {
      '/films?q=Night': entries,
      '/films/1': { id: '1', title: 'Night' },
    });

    expect(found[0]).toMatchObject({ confidence: 0.5, match: { id: '1' } });
  });

  test("uses a user's choice without a search", async () => {
    const { results: found, asked } = await index(
      'movies',
      [film('Night', {}, { match: { id: '2' } })],
      {
        '/films/2': { id: '2', title: 'Night and Day' },
      },
    );

    expect(asked).toHaveLength(1);
    expect(found[0]).toMatchObject({ title: 'Night and Day', confidence: 1, match: { id: '2' } });
  });

  test('finds a track by its album and artist', async () => {
    const file = film('01', { album: 'Blue', artist: 'Joni Mitchell', track: 4, disc: 1 });
    const { results: found } = await index('music', [file], {
      '/albums?q=Blue': results(
        { id: 'a1', title: 'Blue', artist: 'Somebody' },
        { id: 'a2', title: 'Blue', artist: 'Joni Mitchell' },
      ),
      '/albums/a2': { id: 'a2', title: 'Blue', genres: ['Folk'] },
      '/albums/a2/discs/1/tracks/4': { id: 't4', title: 'Carey' },
    });

    expect(found[0]).toMatchObject({
      title: 'Carey',
      match: { id: 'a2' },
      metadata: { ids: { 'film-index': 't4' } },
      entities: { genre: [{ name: 'Folk' }] },
    });
  });

  test('tells unknown files from those that it cannot ask about now', async () => {
    const away = Object.assign(new Error('away'), { code: 'net_unreachable' });
    const { results: found, later } = await index(
      'movies',
      [film('A'), film('B'), film('C'), film('D')],
      {
        '/films?q=A': away,
        '/films?q=B': results(),
        '/films?q=C': 503,
        '/films?q=D': 429,
      },
    );

    expect(found).toEqual([null, null, null, null]);
    expect([...(later ?? [])].sort()).toEqual([0, 2, 3]);
  });

  test('throws errors that a retry would not fix', async () => {
    await expect(index('movies', [film('A')], { '/films?q=A': 401 })).rejects.toThrow('API key');
  });

  test('does not support photos', async () => {
    const { results: found } = await index('photos', [film('A')], {});

    expect(found).toEqual([null]);
    expect(method('indexer.supports')({ libraryType: 'photos' }, undefined as never)).toBe(false);
  });
});
