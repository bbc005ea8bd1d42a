import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { KernelError, silentLog, type CallPlugin } from '../../../../kernel/index.ts';
import { bearer, createTestApp, testViewers } from '../../../../test/support/servers/http.ts';
import { openTestLibrary, type TestLibrary } from '../../../../test/support/library/library.ts';
import { serverViewer } from '../../../people/viewer/index.ts';
import { createMatching } from '../../../library/matching/index.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { matchRoutes } from './matches.ts';
import type { Job } from '../../../contract/resources/library/catalogue.ts';

const now = Date.UTC(2026, 10, 21, 12);

const job: Job = {
  id: 'job',
  type: 'refresh',
  libraryId: 'films',
  pluginId: null,
  status: 'pending',
  priority: 80,
  payload: {},
  result: {},
  progress: 0,
  errorMessage: null,
  createdAt: '2026-11-21T12:00:00.000Z',
  startedAt: null,
  completedAt: null,
};

/** The answer of each plugin to a search. */
const answers: Readonly<Record<string, () => unknown>> = {
  catalogue: () => ({
    candidates: [
      { id: 'c:1', title: 'Heat', year: 1995, confidence: 0.9, url: 'https://example.org/1' },
      { id: 'c:2', title: 'Heat', confidence: 7, imageUrl: 'javascript:alert(1)', year: 'x' },
      { id: '', title: 'no id', confidence: 1 },
      'nonsense',
    ],
  }),
  other: () => ({ candidates: [{ id: 'o:1', title: 'Heat!', confidence: 0.95 }] }),
  broken: () => {
    throw new KernelError('plugin_failed', 'broken indexer.search: out of order');
  },
  silent: () => ({ nothing: true }),
  names: () => {
    throw new KernelError('plugin_failed', 'names has no handler for indexer.search.', {
      cause: { code: 'unknown_handler' },
    });
  },
  music: () => ({ candidates: [{ id: 'm:1', title: 'Heat', confidence: 1 }] }),
};

let app: HttpApp;
let library: TestLibrary;
let itemId: string;
let asked: { readonly pluginId: string; readonly input: object }[];
let refreshed: string[];
let running: readonly string[];

const call: CallPlugin = async (pluginId, method, input) => {
  if (method === 'indexer.supports') return pluginId !== 'music';
  asked.push({ pluginId, input });
  return answers[pluginId]?.();
};

beforeEach(async () => {
  library = await openTestLibrary();
  asked = [];
  refreshed = [];
  running = Object.keys(answers);
  const matching = createMatching({
    ...library,
    database: library.storage.database,
    call,
    providers: () => running,
    nameOf: (pluginId) => `The ${pluginId}`,
    refresh: async (ids) => {
      refreshed.push(...ids);
      return job;
    },
    fetchPicture: async ({ url, pluginId }) => ({
      mimeType: 'image/png',
      bytes: Buffer.from(`${pluginId} ${url}`),
    }),
    now: () => now,
    log: silentLog,
  });
  app = await createTestApp([mount(matchRoutes, { matching })]);
  onTestFinished(async () => {
    await app.close();
    await library.close();
  });
  itemId = await addItem();
});

async function addItem(): Promise<string> {
  const { id } = await library.libraries.create({ name: 'F', type: 'movies', roots: ['/films'] });
  const file = { uri: 'file:///films/Heat%20(1995)/a.mkv', size: 1, modifiedAt: 1 };
  const page = { after: null, through: null, files: [file], unreadable: [] };
  await library.reconcile({ libraryId: id, root: 'file:///films', ...page });
  const { items } = await library.items.list(serverViewer, {});
  return items[0]?.id ?? '';
}

const headers = bearer('admin');
const get = (route: string, who = 'admin') =>
  app.inject({ url: `/api/items/${itemId}/${route}`, headers: bearer(who) });
const choose = (payload: object) =>
  app.inject({ method: 'PUT', url: `/api/items/${itemId}/match`, headers, payload });
const unmatch = () => app.inject({ method: 'DELETE', url: `/api/items/${itemId}/match`, headers });

/** The stored result of an ingest. */
async function store(match: object): Promise<void> {
  await library.storage.database.write(async (trx) => {
    await trx('items').update({ match: JSON.stringify(match) });
    await trx('files').update({ ingest_state: 0 });
  });
}

async function waits(): Promise<boolean> {
  const row: unknown = await library.storage.database.read('files').first('ingest_state');
  return (row as { ingest_state: number }).ingest_state > 0;
}

const automatic = { id: 'c:1', manual: false, confidence: 0.9, title: 'Heat', matchedAt: now };

describe('GET /api/items/:id/matches', () => {
  test('merges the candidates of all indexers of the type by confidence, and names those that could not answer', async () => {
    const reply = await get('matches');

    expect(reply.statusCode).toBe(200);
    const nothing = { year: null, overview: null, url: null, imageUrl: null };
    const by = (pluginId: string) => ({ pluginId, pluginName: `The ${pluginId}` });
    expect(reply.json()).toEqual({
      candidates: [
        { ...nothing, ...by('catalogue'), id: 'c:2', title: 'Heat', confidence: 1 },
        { ...nothing, ...by('other'), id: 'o:1', title: 'Heat!', confidence: 0.95 },
        {
          ...nothing,
          ...by('catalogue'),
          id: 'c:1',
          title: 'Heat',
          year: 1995,
          url: 'https://example.org/1',
          confidence: 0.9,
        },
      ],
      problems: [
        { ...by('broken'), message: 'broken indexer.search: out of order' },
        { ...by('silent'), message: 'Its answer is not a list of candidates.' },
      ],
    });
  });

  test('searches for what is known of the item, or for what the person enters', async () => {
    await get('matches?pluginId=catalogue');
    await get('matches?pluginId=catalogue&q=warmth&limit=5');
    await get('matches?pluginId=catalogue&q=warmth&year=1986');

    expect(asked.map(({ input }) => input)).toMatchObject([
      { libraryType: 'movies', query: 'Heat', year: 1995, limit: 20 },
      { libraryType: 'movies', query: 'warmth', limit: 5 },
      { query: 'warmth', year: 1986 },
    ]);
    expect(asked[1]?.input).not.toHaveProperty('year');
  });

  test('searches in the languages of the library', async () => {
    const sources = JSON.stringify({ order: [], fields: {}, languages: ['de', 'fr'] });
    await library.storage.database.write((trx) => trx('libraries').update({ sources }));
    await get('matches?pluginId=catalogue');

    expect(asked[0]?.input).toMatchObject({ languages: ['de', 'fr'] });
  });

  test('refuses a plugin that is not an indexer, and an unknown item', async () => {
    const unknown = await get('matches?pluginId=scanner');
    itemId = 'x';
    const missing = await get('matches');

    expect([unknown.statusCode, missing.statusCode]).toEqual([400, 404]);
    expect(unknown.json()).toEqual({ error: expect.stringContaining('catalogue, other') });
  });

  test('is for admins, and only for their libraries', async () => {
    const statuses = await Promise.all(
      Object.keys(testViewers).map(async (who) => [who, (await get('matches', who)).statusCode]),
    );

    expect(Object.fromEntries(statuses)).toMatchObject({
      admin: 200,
      user: 403,
      guest: 403,
      'admin-of-films': 404,
    });
  });
});

describe('GET /api/items/:id/match', () => {
  test('gives the match of the item, and separately the uncertain matches', async () => {
    await store({
      catalogue: automatic,
      other: { ...automatic, id: 'o:1', confidence: 0.4, title: 'Heat!' },
    });

    const shown = { manual: false, matchedAt: '2026-11-21T12:00:00.000Z' };
    expect((await get('match')).json()).toEqual({
      match: { ...shown, pluginId: 'catalogue', id: 'c:1', confidence: 0.9 },
      guesses: [{ ...shown, pluginId: 'other', id: 'o:1', confidence: 0.4, title: 'Heat!' }],
    });
  });

  test('is null for an item without a match', async () => {
    expect((await get('match')).json()).toEqual({ match: null, guesses: [] });
  });
});

describe('PUT /api/items/:id/match', () => {
  test('stores a person’s choice, and queues the item for the ingest', async () => {
    await store({ catalogue: automatic });

    const reply = await choose({ pluginId: 'other', id: 'o:1' });

    const match = {
      pluginId: 'other',
      id: 'o:1',
      manual: true,
      confidence: null,
      matchedAt: '2026-11-21T12:00:00.000Z',
    };
    expect(reply.json()).toEqual({ match, job });
    expect((await get('match')).json()).toMatchObject({ match });
    expect(await waits()).toBe(true);
    expect(refreshed).toEqual([itemId]);
  });

  test.each([
    [{ pluginId: 'other' }],
    [{ pluginId: 'other', id: '' }],
    [{ pluginId: 'x', id: 'y' }],
  ])('refuses %j', async (choice) => {
    expect((await choose(choice)).statusCode).toBe(400);
    expect(await waits()).toBe(true);
    expect(refreshed).toEqual([]);
  });
});

describe('DELETE /api/items/:id/match', () => {
  test('removes every match, until a person chooses again', async () => {
    await store({ catalogue: automatic });

    const reply = await unmatch();

    expect(reply.statusCode).toBe(204);
    expect((await get('match')).json()).toEqual({ match: null, guesses: [] });
    expect(await waits()).toBe(true);
    expect(refreshed).toEqual([itemId]);
  });

  test('of an item without a match does nothing', async () => {
    expect((await unmatch()).statusCode).toBe(204);
    expect(refreshed).toEqual([]);
  });
});

describe('GET /api/matches/pending', () => {
  const offers = [
    { id: 'c:1', title: 'Heat', year: 1995, overview: 'x', url: null, imageUrl: null },
    { id: 'c:2', title: 'Heat', year: 1986, overview: null, url: null, imageUrl: null },
  ].map((one, at) => ({ ...one, confidence: 0.5 - at / 10 }));
  const guess = { ...automatic, confidence: 0.5, candidates: offers };
  const pending = async (query = '', who = 'admin') => {
    const reply = await app.inject({ url: `/api/matches/pending${query}`, headers: bearer(who) });
    return {
      statusCode: reply.statusCode,
      ...reply.json<{ pending: object[]; nextCursor: null }>(),
    };
  };

  /** As an ingest stores it. */
  async function guessAll(): Promise<void> {
    await store({ catalogue: guess });
    await library.storage.database.write((trx) => trx('items').update({ needs_look: 1 }));
  }

  test('lists what needs a look, with its candidates, until a person decides', async () => {
    await guessAll();
    const { libraryId } = await library.items.get(itemId, serverViewer);

    expect(await pending(`?libraryId=${libraryId}`)).toEqual({
      statusCode: 200,
      pending: [
        {
          item: expect.objectContaining({ id: itemId, title: 'Heat', year: 1995 }),
          libraryId,
          items: 1,
          candidates: offers.map((one) => ({
            ...{ pluginId: 'catalogue', pluginName: 'The catalogue' },
            ...one,
          })),
        },
      ],
      nextCursor: null,
    });
    await choose({ pluginId: 'catalogue', id: 'c:2' });
    expect((await pending()).pending).toEqual([]);
    await guessAll();
    await unmatch();
    expect((await pending()).pending).toEqual([]);
  });

  test('is paged, and of the libraries of the admin', async () => {
    for (const name of ['G', 'H']) {
      const { id } = await library.libraries.create({ name, type: 'movies', roots: [`/${name}`] });
      const file = { uri: `file:///${name}/${name}/a.mkv`, size: 1, modifiedAt: 1 };
      const page = { after: null, through: null, files: [file], unreadable: [] };
      await library.reconcile({ libraryId: id, root: `file:///${name}`, ...page });
    }
    await guessAll();
    const first = await pending('?limit=2');
    const second = await pending(`?limit=2&cursor=${first.nextCursor}`);

    const titles = [first, second].map((page) =>
      page.pending.map((one) => (one as { item: { title: string } }).item.title),
    );
    expect(titles).toEqual([['Heat', 'G'], ['H']]);
    expect(second.nextCursor).toBeNull();
    expect((await pending('', 'admin-of-films')).pending).toEqual([]);
    expect((await pending('', 'user')).statusCode).toBe(403);
    expect((await pending('?libraryId=x')).statusCode).toBe(404);
    expect((await pending('?cursor=x')).statusCode).toBe(400);
  });

  test('has pictures of candidates, asked for in the name of their plugin', async () => {
    const url = encodeURIComponent('https://images.example.org/1.png');
    const reply = await get(`matches/picture?pluginId=other&url=${url}`);
    const stranger = await get(`matches/picture?pluginId=nobody&url=${url}`);

    expect(reply.headers).toMatchObject({ 'content-type': 'image/png' });
    expect(reply.body).toBe('other https://images.example.org/1.png');
    expect(stranger.statusCode).toBe(400);
  });
});

describe.each([
  ['show', 'tv'],
  ['album', 'music'],
])('a fix of the %s', (role, type) => {
  /** Three items, of which the first two belong together, and one of another library. */
  async function addParts(): Promise<readonly string[]> {
    const { id } = await library.libraries.create({ name: type, type, roots: [`/${type}`] });
    const scan = (libraryId: string, root: string, names: readonly string[]) =>
      library.reconcile({
        ...{ libraryId, root, after: null, through: null, unreadable: [] },
        files: names.map((name) => ({ uri: `${root}/${name}/a.mkv`, size: 1, modifiedAt: 1 })),
      });
    await scan(id, `file:///${type}`, ['One', 'Three', 'Two']);
    const { database } = library.storage;
    const entity = { id: role, type: role, name: 'Whole', key: 'whole', sort_name: 'whole' };
    await database.write(async (trx) => {
      const rows = await trx<{ no: number }>('items').orderBy('no').select('no');
      const [elsewhere, one, , two] = rows.map(({ no }) => no);
      const [first] = await trx('entities').orderBy('no').limit(1).select('*');
      await trx('entities').insert({ ...first, no: 900_000, ...entity });
      await trx('item_entities').insert(
        [elsewhere, one, two].map((item_no) => ({
          item_no,
          entity_no: 900_000,
          role,
          sort_order: 0,
        })),
      );
    });
    const { items } = await library.items.list(serverViewer, { libraryId: id });
    return ['One', 'Two', 'Three'].map(
      (title) => items.find((one) => one.title === title)?.id ?? '',
    );
  }

  const matchOf = async (id: string) => {
    itemId = id;
    return (await get('match')).json<{ match: object | null }>().match;
  };

  test('reaches all that belong to it in the library, and so does its end', async () => {
    const film = itemId;
    const [one = '', two = '', three = ''] = await addParts();
    await store({ catalogue: { ...automatic, confidence: 0.5 } });
    await library.storage.database.write((trx) => trx('items').update({ needs_look: 1 }));
    const before = await app.inject({ url: '/api/matches/pending', headers });
    itemId = one;

    await choose({ pluginId: 'other', id: 'o:1' });
    const chosen = await Promise.all([one, two, three, film].map(matchOf));
    itemId = two;
    await unmatch();
    const ended = await Promise.all([one, two, three, film].map(matchOf));

    const fixed = expect.objectContaining({ pluginId: 'other', id: 'o:1', manual: true });
    expect(chosen).toEqual([fixed, fixed, null, null]);
    expect(ended).toEqual([null, null, null, null]);
    const { pending } = before.json<{ pending: { item: { id: string }; items: number }[] }>();
    expect(pending.map(({ item, items }) => [item.id, items])).toEqual([
      [film, 1],
      [one, 2],
      [three, 1],
    ]);
    expect(refreshed).toEqual([one, two, two, one]);
  });
});
