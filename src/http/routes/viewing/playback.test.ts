import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../../test/support/fake-clock.ts';
import { bearer, createTestApp, testViewers } from '../../../../test/support/servers/http.ts';
import {
  answerByFolder,
  openTestLibrary,
  type EmittedEvent,
  type TestLibrary,
} from '../../../../test/support/library/library.ts';
import { serverViewer } from '../../../people/viewer/index.ts';
import type { ItemsPage } from '../../../library/catalogue/index.ts';
import {
  createPlayback,
  playbackMigrations,
  selectItemPlayback,
} from '../../../viewing/playback/index.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { itemRoutes } from '../library/items.ts';
import { createResponseCache } from '../../response-cache.ts';
import { playbackRoutes } from './playback.ts';
import type { Item } from '../../../contract/resources/library/catalogue.ts';

let app: HttpApp;
let library: TestLibrary;
let clock: FakeClock;
let emitted: EmittedEvent[];

beforeEach(async () => {
  clock = createFakeClock();
  emitted = [];
  library = await openTestLibrary(
    {
      call: async (pluginId, method, input, options) =>
        method === 'indexer.index'
          ? { results: filesOf(input).map(identify) }
          : answerByFolder(pluginId, method, input, options),
      selectPlayback: selectItemPlayback,
    },
    undefined,
    [playbackMigrations],
  );
  const playback = createPlayback({
    ...library,
    database: library.storage.database,
    events: {
      emit: (type, data) => void emitted.push({ type, data: { ...data } }),
      room: async () => undefined,
    },
    now: clock.now,
  });
  app = await createTestApp([
    mount(playbackRoutes, { playback }),
    mount(itemRoutes, { ...library, cache: createResponseCache(library.storage) }),
  ]);
  onTestFinished(async () => {
    await app.close();
    await library.close();
  });
});

const filesOf = (input: unknown) => (input as { files: readonly { path: string }[] }).files;

/** `Show/S01E02/x.mkv` is an episode, anything else a thing by its folder. */
function identify({ path }: { readonly path: string }) {
  const [, show, season, episode] = /^(\w+)\/S(\d+)E(\d+)\//.exec(path) ?? [];
  if (show === undefined) return { title: path.split('/')[0], metadata: {}, entities: {} };
  return {
    title: path.split('/').slice(0, 2).join(' '),
    metadata: { series: show, season: Number(season), episode: Number(episode) },
    entities: { show: [{ name: show, type: 'show', status: 'pending', source: 'test' }] },
    ...(path.endsWith('/extra.mkv') && { classification: 'extra' }),
  };
}

async function fill(name: string, type: string, paths: readonly string[]): Promise<void> {
  const { id: libraryId, roots } = await library.libraries.create({
    name,
    type,
    roots: [`/${name}`],
  });
  const root = roots[0] ?? '';
  const files = paths
    .map((one) => `${root}/${one}`)
    .sort()
    .map((uri, index) => ({ uri, size: 100 + index, modifiedAt: 1 }));
  await library.reconcile({ libraryId, root, after: null, through: null, files, unreadable: [] });
}

async function itemCalled(title: string): Promise<Item> {
  const { items } = await library.items.list(serverViewer, { limit: 500 });
  const found = items.find((item) => item.title === title);
  if (found === undefined) throw new Error(`${title} is not among ${items.length} items.`);
  return found;
}

async function play(title: string, body: object, who = 'user') {
  await clock.advance(1000);
  const { id } = await itemCalled(title);
  const url = `/api/items/${id}/playback`;
  const reply = await app.inject({ method: 'PUT', url, headers: bearer(who), payload: body });
  return { status: reply.statusCode, body: reply.json<{ playback?: object; error?: string }>() };
}

async function titlesOf(url: string, who = 'user'): Promise<readonly string[]> {
  const reply = await app.inject({ url, headers: bearer(who) });
  expect(reply.statusCode).toBe(200);
  return reply.json<ItemsPage>().items.map(({ title }) => title);
}

const finished = { position: 100, duration: 100 };

describe('PUT /api/items/:id/playback', () => {
  beforeEach(() => fill('Films', 'movies', ['Alien/a.mkv', 'Brazil/b.mkv']));

  test('stores the state, which every answer with the item gives to this profile only', async () => {
    const { body } = await play('Alien', { position: 12.5, duration: 100 });

    const state = { completed: false, position: 12.5, duration: 100 };
    expect(body).toEqual({ playback: state });
    const { id } = await itemCalled('Alien');
    for (const url of [`/api/items/${id}`, '/api/items', `/api/items/${id}/playback`]) {
      const mine = await app.inject({ url, headers: bearer('user') });
      const others = await app.inject({ url, headers: bearer('admin') });
      expect(mine.body).toContain('"position":12.5');
      expect(others.body).not.toContain('"position":12.5');
    }
  });

  test('is completed from nine tenths on, or when the player says so', async () => {
    expect((await play('Alien', { position: 89.9, duration: 100 })).body.playback).toMatchObject({
      completed: false,
    });
    expect((await play('Alien', { position: 90 })).body.playback).toEqual({
      completed: true,
      position: 90,
      duration: 100,
    });
    expect((await play('Alien', { position: 0, completed: true })).body.playback).toEqual({
      completed: true,
      position: 0,
      duration: 100,
    });
    expect((await play('Alien', { position: 99, completed: false })).body.playback).toMatchObject({
      completed: false,
    });
  });

  test('limits a position after the end to the end', async () => {
    expect((await play('Alien', { position: 500, duration: 100 })).body.playback).toMatchObject({
      position: 100,
    });
  });

  test('keeps a state that is newer than one that is told later', async () => {
    await play('Alien', { position: 20, duration: 100 });
    const older = await play('Alien', { position: 70, duration: 100, secondsAgo: 2 });
    expect(older.body.playback).toMatchObject({ position: 20 });
    expect(emitted).toHaveLength(1);

    await play('Brazil', { position: 5, duration: 100 });
    await clock.advance(60_000);
    const newer = await play('Alien', { position: 70, duration: 100, secondsAgo: 30 });
    expect(newer.body.playback).toMatchObject({ position: 70 });
    const later = await play('Alien', { position: 80, duration: 100, secondsAgo: 40 });
    expect(later.body.playback).toMatchObject({ position: 70 });
  });

  test('emits playback.progress for each change and playback.completed once', async () => {
    await play('Alien', { position: 10, duration: 100 });
    await play('Alien', finished);
    await play('Alien', finished);

    expect(emitted.map(({ type }) => type)).toEqual([
      'playback.progress',
      'playback.completed',
      'playback.progress',
    ]);
    expect(emitted[1]?.data).toEqual({
      itemId: (await itemCalled('Alien')).id,
      profileId: testViewers['user']?.profileId,
      completed: true,
      position: 100,
      duration: 100,
    });
  });

  test.each([
    [{}, 'body.position is missing.'],
    [{ position: -1 }, 'body.position must be >= 0.'],
    [{ position: '5' }, 'body.position must be a number.'],
    [{ position: 5, secondsAgo: -1 }, 'body.secondsAgo must be >= 0.'],
  ])('refuses %j with 400: %s', async (body, error) => {
    expect(await play('Alien', body)).toMatchObject({ status: 400, body: { error } });
  });

  test('answers 404 for an unknown item, and for one that the viewer may not see', async () => {
    const { id } = await itemCalled('Alien');
    const ask = (url: string, who: string) =>
      app.inject({ method: 'PUT', url, headers: bearer(who), payload: { position: 1 } });

    expect((await ask('/api/items/none/playback', 'user')).statusCode).toBe(404);
    expect((await ask(`/api/items/${id}/playback`, 'admin-of-films')).statusCode).toBe(404);
  });
});

describe('DELETE /api/items/:id/playback', () => {
  test('resets the state, and emits playback.removed if there was one', async () => {
    await fill('Films', 'movies', ['Alien/a.mkv']);
    await play('Alien', { position: 10, duration: 100 });
    const { id } = await itemCalled('Alien');
    const url = `/api/items/${id}/playback`;
    const remove = () => app.inject({ method: 'DELETE', url, headers: bearer('user') });

    expect((await remove()).statusCode).toBe(204);
    expect((await remove()).statusCode).toBe(204);

    const state = await app.inject({ url, headers: bearer('user') });
    expect(state.json()).toEqual({ playback: { completed: false, position: 0, duration: 0 } });
    expect(emitted.map(({ type }) => type)).toEqual(['playback.progress', 'playback.removed']);
  });
});

describe('what was played before', () => {
  const itemOf = async (title: string) => {
    const { id } = await itemCalled(title);
    const reply = await app.inject({ url: `/api/items/${id}`, headers: bearer('user') });
    return reply.json<{ item: Item }>().item;
  };
  const ask = async (method: 'PUT' | 'DELETE', url: string, payload?: object, who = 'user') =>
    app.inject({ method, url, headers: bearer(who), ...(payload && { payload }) });

  test('is kept when it is taken out of what is to be continued', async () => {
    await fill('Films', 'movies', ['Alien/a.mkv']);
    await play('Alien', finished);
    await play('Alien', { position: 10 });
    const { id, lastPlayedAt } = await itemOf('Alien');
    await ask('DELETE', `/api/items/${id}/playback`);

    expect(await titlesOf('/api/continue-watching')).toEqual([]);
    expect(await itemOf('Alien')).toMatchObject({
      playback: { completed: true, position: 0, duration: 100 },
      playCount: 1,
      lastPlayedAt,
    });
  });

  test('follows PUT …/watched, which counts one play at most, or forgets all', async () => {
    await fill('Films', 'movies', ['Alien/a.mkv']);
    await play('Alien', { position: 10, duration: 100 });
    const { id } = await itemCalled('Alien');
    const url = `/api/items/${id}/watched`;
    emitted.length = 0;

    for (const watched of [true, true, false, false]) await ask('PUT', url, { watched });

    expect(emitted.map(({ type }) => type)).toEqual(['playback.completed', 'playback.removed']);
    await ask('PUT', url, { watched: true });
    expect(await itemOf('Alien')).toMatchObject({ playback: { completed: true }, playCount: 1 });
    const taken = await ask('PUT', url, { watched: false });
    expect(taken.json()).toEqual({ playback: { completed: false, position: 0, duration: 0 } });
    expect(await itemOf('Alien')).toMatchObject({ playCount: 0, lastPlayedAt: null });
    expect((await ask('PUT', url, {})).json()).toEqual({ error: 'body.watched is missing.' });
  });

  test('is set for a whole show at once, for this profile', async () => {
    const episodes = Array.from({ length: 450 }, (_, at) => `Bones/S01E${at + 1}/a.mkv`);
    await fill('Series', 'tv', episodes);
    await play('Bones S01E7', finished);
    const { entities } = await library.entities.list(serverViewer, { type: 'show' });
    const url = `/api/entities/${entities[0]?.id ?? ''}/watched`;
    emitted.length = 0;

    const marked = await ask('PUT', url, { watched: true });

    expect(marked.json()).toEqual({ changed: 449 });
    expect(emitted.map(({ type }) => type)).toEqual(emitted.map(() => 'playback.completed'));
    expect(emitted).toHaveLength(449);
    expect(await itemOf('Bones S01E450')).toMatchObject({ playCount: 1 });
    expect(await titlesOf('/api/next-up')).toEqual([]);
    expect((await ask('PUT', url, { watched: false })).json()).toEqual({ changed: 450 });
    expect(await library.storage.database.read('playback')).toEqual([]);
    expect((await ask('PUT', url, { watched: true }, 'admin-of-films')).statusCode).toBe(404);
    expect((await ask('PUT', url, { watched: true }, 'guest')).statusCode).toBe(403);
  });

  test('is on the line of all parts, whose credits end it', async () => {
    await fill('Films', 'movies', ['Alien/cd1.mkv', 'Alien/cd2.mkv', 'Alien/trailer.mkv']);
    const { database } = library.storage;
    await database.write(async (trx) => {
      const parts = await trx<{ no: number; uri: string }>('files').orderBy('uri').select('*');
      for (const [at, { no }] of parts.entries())
        await trx('files')
          .where({ no })
          .update({ duration: 1000, part_number: at === 2 ? null : at + 1 });
      await trx('files').where('uri', 'like', '%trailer%').update({ classification: 'trailer' });
      const chapter = { id: 'c', file_no: parts[1]?.no, title: 'Credits', source: 'embedded' };
      const rest = { start_time: 700, role: 'credits', created_at: 1, updated_at: 1 };
      await trx('chapters').insert({ ...chapter, ...rest });
      await trx('files').where('no', parts[1]?.no).update({ has_chapters: true });
    });
    const { files } = await itemCalled('Alien');
    const [one, two, trailer] = files.map(({ id }) => id);

    const reports = [
      { fileId: one, position: 1000, duration: 1000 },
      { fileId: two, position: 699, duration: 1000 },
      { fileId: two, position: 700 },
    ];
    const states = [];
    for (const body of reports) states.push((await play('Alien', body)).body.playback);

    expect(states).toEqual([
      { completed: false, position: 1000, duration: 2000 },
      { completed: false, position: 1699, duration: 2000 },
      { completed: true, position: 1700, duration: 2000 },
    ]);
    expect(await play('Alien', { fileId: trailer, position: 1 })).toEqual({
      status: 400,
      body: {
        error: `body.fileId must be the id of a primary file of the item: ${trailer ?? ''} is not. Positions in extras are not kept.`,
      },
    });
  });
});

test('an audiobook is played disc by disc, as its files are listed', async () => {
  const parts = ['CD1/01', 'CD1/02', 'CD1/07', 'CD2/01', 'CD2/02', 'CD2/07'];
  await fill(
    'Books',
    'audiobooks',
    parts.map((name) => `Book/${name}.mp3`),
  );
  await library.storage.database.write(async (trx) => {
    const files = await trx<{ no: number; uri: string }>('files').select('no', 'uri');
    const [item] = await trx('files').pluck<number[]>('item_no');
    for (const { no, uri } of files)
      await trx('files')
        .where({ no })
        .update({ duration: 100, part_number: Number(/(\d+)\.mp3/.exec(uri)?.[1]), item_no: item });
  });
  const { files } = await itemCalled('Book');

  expect(files.map(({ uri }) => parts.find((name) => uri.includes(name)))).toEqual(parts);
  const { body } = await play('Book', { fileId: files[3]?.id, position: 20 });
  expect(body).toEqual({ playback: { completed: false, position: 320, duration: 600 } });
});

describe('GET /api/continue-watching', () => {
  beforeEach(async () => {
    await fill('Films', 'movies', ['Alien/a.mkv', 'Brazil/b.mkv', 'Cube/c.mkv', 'Dune/d.mkv']);
    await fill('Songs', 'music', ['Tune/t.mkv']);
  });

  test('lists what was started and not finished, the latest first, without music', async () => {
    await play('Alien', { position: 10, duration: 100 });
    await play('Brazil', { position: 10, duration: 100 });
    await play('Cube', finished);
    await play('Tune', { position: 10, duration: 100 });
    await play('Dune', { position: 10, duration: 100 }, 'admin');
    await play('Alien', { position: 20 });

    expect(await titlesOf('/api/continue-watching')).toEqual(['Alien', 'Brazil']);
    expect(await titlesOf('/api/continue-watching', 'admin')).toEqual(['Dune']);
  });

  test('goes on page by page', async () => {
    for (const title of ['Alien', 'Brazil', 'Cube'])
      await play(title, { position: 10, duration: 100 });

    const titles: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const url: string = `/api/continue-watching?limit=1${cursor && `&cursor=${cursor}`}`;
      const reply = await app.inject({ url, headers: bearer('user') });
      const page = reply.json<ItemsPage>();
      titles.push(...page.items.map(({ title }) => title));
      cursor = page.nextCursor;
    }

    expect(titles).toEqual(['Cube', 'Brazil', 'Alien']);
  });

  test('refuses a cursor of another list', async () => {
    const url = '/api/continue-watching?cursor=abc';
    expect((await app.inject({ url, headers: bearer('user') })).statusCode).toBe(400);
  });
});

describe('GET /api/next-up', () => {
  beforeEach(() =>
    fill('Series', 'tv', [
      'Bones/S01E01/a.mkv',
      'Bones/S01E02/b.mkv',
      'Bones/S02E01/c.mkv',
      'Yes/S01E01/a.mkv',
      'Yes/S01E02/b.mkv',
    ]),
  );

  test('gives the next episode of each watched show, the latest show first', async () => {
    await play('Bones S01E02', finished);
    await play('Yes S01E01', finished);

    expect(await titlesOf('/api/next-up')).toEqual(['Yes S01E02', 'Bones S02E01']);
    expect(await titlesOf('/api/next-up?limit=1')).toEqual(['Yes S01E02']);
    expect(await titlesOf('/api/next-up', 'admin')).toEqual([]);
  });

  test('leaves out a finished show, and one with a started episode', async () => {
    await play('Bones S02E01', finished);
    await play('Yes S01E01', finished);
    await play('Yes S01E02', { position: 10, duration: 100 });

    expect(await titlesOf('/api/next-up')).toEqual([]);
    expect(await titlesOf('/api/continue-watching')).toEqual(['Yes S01E02']);
  });

  test('passes over extras, which a show has apart and does not count', async () => {
    await fill('More', 'tv', [
      'Ship/S01E01/a.mkv',
      'Ship/S01E07/extra.mkv',
      'Sea/S01E01/extra.mkv',
    ]);
    await play('Ship S01E01', finished);
    const { entities } = await library.entities.list(serverViewer, { type: 'show' });
    const ship = entities.find(({ name }) => name === 'Ship');
    const { entities: seasons } = await library.items.childrenOf(ship?.id ?? '', serverViewer, {});

    expect(await titlesOf('/api/next-up')).toEqual([]);
    expect(entities.map(({ name, itemCount }) => [name, itemCount])).toContainEqual(['Ship', 1]);
    expect(seasons.map(({ name, itemCount }) => [name, itemCount])).toEqual([['Extras', 1]]);
    expect((await itemCalled('Sea S01E01')).linkedEntities.map(({ type }) => type)).toEqual([
      'season',
    ]);
  });

  test('shows nothing of a library that the viewer may no longer see', async () => {
    await play('Bones S01E01', finished, 'guest-of-films');
    const { id } = await itemCalled('Bones S01E01');
    await library.storage.database.write((trx) =>
      trx('playback').insert({
        profile_id: testViewers['guest-of-films']?.profileId ?? '',
        user_id: 'x',
        item_id: id,
        completed: true,
        position: 1,
        duration: 1,
        updated_at: 1,
      }),
    );

    expect(await titlesOf('/api/next-up', 'guest-of-films')).toEqual([]);
  });
});
