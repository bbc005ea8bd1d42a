import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearer, createTestApp, testViewers } from '../../../../test/support/servers/http.ts';
import {
  answerByFolder,
  openTestLibrary,
  type TestLibrary,
} from '../../../../test/support/library/library.ts';
import { serverViewer } from '../../../people/viewer/index.ts';
import {
  createMarks,
  playbackMigrations,
  playbackOfProfiles,
  entityProfile,
  selectItemPlayback,
} from '../../../viewing/playback/index.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { entityRoutes } from '../library/entities.ts';
import { itemRoutes } from '../library/items.ts';
import { createResponseCache } from '../../response-cache.ts';
import { markRoutes } from './marks.ts';

let app: HttpApp;
let library: TestLibrary;
let now = 1000;
let alien: string;
let brazil: string;
let emitted: (readonly [string, object])[] = [];

beforeAll(async () => {
  library = await openTestLibrary(
    {
      call: answerByFolder,
      selectPlayback: selectItemPlayback,
      entityProfile,
    },
    undefined,
    [playbackMigrations],
  );
  const { database } = library.storage;
  app = await createTestApp([
    mount(markRoutes, {
      marks: createMarks({
        ...library,
        database,
        events: { emit: (...event) => void emitted.push(event) },
        now: () => now,
      }),
    }),
    mount(itemRoutes, { ...library, cache: createResponseCache(library.storage) }),
    mount(entityRoutes, { ...library, cache: createResponseCache(library.storage) }),
  ]);
  const { id: libraryId, roots } = await library.libraries.create({
    name: 'Films',
    type: 'movies',
    roots: ['/Films'],
  });
  const root = roots[0] ?? '';
  await library.reconcile({
    ...{ libraryId, root, after: null, through: null, unreadable: [] },
    files: ['Alien/a.mkv', 'Brazil/b.mkv'].map((one) => ({
      uri: `${root}/${one}`,
      size: one.length,
      modifiedAt: 1,
    })),
  });
  const { items } = await library.items.list(serverViewer, {});
  [alien = '', brazil = ''] = items.map(({ id }) => id);
});

afterAll(async () => {
  await app.close();
  await library.close();
});

async function ask(method: 'GET' | 'PUT' | 'DELETE', url: string, payload?: object, who = 'user') {
  const reply = await app.inject({
    method,
    url,
    headers: bearer(who),
    ...(payload !== undefined && { payload }),
  });
  return { status: reply.statusCode, body: reply.body === '' ? null : reply.json<unknown>() };
}

const marksOf = (id: string) => library.storage.database.read('item_marks').where('item_id', id);
const genre = async (name: string): Promise<string> => {
  const { entities } = await library.entities.list(serverViewer, { type: 'genre' });
  return entities.find((one) => one.name === name)?.id ?? '';
};

describe('a favourite item', () => {
  test('is one for this profile alone, from the time at which it first became one', async () => {
    now = 1000;
    const url = `/api/items/${alien}/favourite`;
    expect(await ask('PUT', url)).toEqual({
      status: 200,
      body: { marks: { favourite: true, myRating: null } },
    });
    now = 2000;
    await ask('PUT', url);

    expect(await marksOf(alien)).toMatchObject([{ favourite_at: expect.anything() }]);
    expect((await marksOf(alien)).map((row) => Number(row.favourite_at))).toEqual([1000]);
    const mine = await ask('GET', `/api/items/${alien}`);
    const others = await ask('GET', `/api/items/${alien}`, undefined, 'admin');
    expect(mine.body).toMatchObject({ item: { favourite: true } });
    expect(others.body).toMatchObject({ item: { favourite: false } });
    const tiles = await ask('GET', '/api/items?fields=tile');
    expect(tiles.body).toMatchObject({
      items: [
        { title: 'Alien', favourite: true },
        { title: 'Brazil', favourite: false },
      ],
    });

    expect(await ask('DELETE', url)).toEqual({ status: 204, body: null });
    expect(await marksOf(alien)).toEqual([]);
  });
});

describe('the rating of a profile', () => {
  test('is from 0.5 to 5 or null, beside the favourite', async () => {
    const url = `/api/items/${brazil}/rating`;
    await ask('PUT', `/api/items/${brazil}/favourite`);
    expect(await ask('PUT', url, { value: 4.5 })).toEqual({
      status: 200,
      body: { marks: { favourite: true, myRating: 4.5 } },
    });
    expect((await ask('GET', `/api/items/${brazil}`)).body).toMatchObject({
      item: { favourite: true, myRating: 4.5, playCount: 0, lastPlayedAt: null },
    });
    await ask('DELETE', `/api/items/${brazil}/favourite`);
    expect(await ask('PUT', url, { value: null })).toMatchObject({
      body: { marks: { favourite: false, myRating: null } },
    });
    expect(await marksOf(brazil)).toEqual([]);
  });

  test.each([
    [{}, 'body.value is missing.'],
    [{ value: 0 }, 'body.value must be >= 0.5.'],
    [{ value: 5.5 }, 'body.value must be <= 5.'],
    [{ value: 3.3 }, 'body.value must be a multiple of 0.5.'],
    [{ value: '4' }, 'body.value must be a number or null.'],
  ])('refuses %j with 400: %s', async (payload, error) => {
    const reply = await ask('PUT', `/api/items/${alien}/rating`, payload);
    expect(reply).toEqual({ status: 400, body: { error } });
  });
});

describe('a favourite entity', () => {
  test('is shown to this profile alone, and follows a merge', async () => {
    const [a, b] = [await genre('A'), await genre('B')];
    expect(await ask('PUT', `/api/entities/${a}/favourite`)).toEqual({
      status: 200,
      body: { marks: { favourite: true, myRating: null } },
    });
    const favourite = async (id: string, who = 'user') =>
      (await ask('GET', `/api/entities/${id}`, undefined, who)).body;
    expect(await favourite(a)).toMatchObject({ entity: { favourite: true } });
    expect(await favourite(a, 'admin')).toMatchObject({ entity: { favourite: false } });

    const rating = `/api/entities/${a}/rating`;
    expect(await ask('PUT', rating, { value: 3.5 })).toMatchObject({
      body: { marks: { favourite: true, myRating: 3.5 } },
    });
    expect((await ask('PUT', rating, { value: 3.3 })).status).toBe(400);
    expect(await favourite(a, 'admin')).toMatchObject({ entity: { myRating: null } });

    await library.entities.merge(b, [a], serverViewer);

    expect(await favourite(a)).toMatchObject({ entity: { id: b, favourite: true, myRating: 3.5 } });
    expect(await ask('PUT', rating, { value: null })).toMatchObject({
      body: { marks: { favourite: true, myRating: null } },
    });
    expect(await library.storage.database.read('entity_marks')).toMatchObject([{ entity_id: b }]);
    expect(await ask('DELETE', `/api/entities/${a}/favourite`)).toMatchObject({ status: 204 });
    expect(await favourite(b)).toMatchObject({ entity: { favourite: false } });
  });
});

test('each changed mark is an event, and a repeated one is none', async () => {
  const { entities } = await library.entities.list(serverViewer, { type: 'genre' });
  const entityId = entities[0]?.id ?? '';
  await ask('DELETE', `/api/items/${brazil}/favourite`);
  await ask('PUT', `/api/items/${brazil}/rating`, { value: null });
  emitted = [];
  for (let turn = 0; turn < 2; turn += 1) {
    await ask('PUT', `/api/items/${brazil}/favourite`);
    await ask('PUT', `/api/items/${brazil}/rating`, { value: 4.5 });
    await ask('PUT', `/api/entities/${entityId}/favourite`);
  }
  await ask('DELETE', `/api/entities/${entityId}/favourite`);

  const { profileId } = testViewers['user'] ?? {};
  const item = { itemId: brazil, profileId, favourite: true };
  expect(emitted).toEqual([
    ['playback.marked', { ...item, myRating: null }],
    ['playback.marked', { ...item, myRating: 4.5 }],
    ['playback.entityMarked', { entityId, profileId, favourite: true, myRating: null }],
    ['playback.entityMarked', { entityId, profileId, favourite: false, myRating: null }],
  ]);
});

test('what is not there is 404, and a guest marks nothing', async () => {
  for (const url of ['/api/items/x/favourite', '/api/entities/x/favourite']) {
    expect((await ask('PUT', url)).status).toBe(404);
    expect((await ask('PUT', url, undefined, 'guest')).status).toBe(403);
  }
});

test('marks go with their item and with their profile', async () => {
  const { database } = library.storage;
  await ask('PUT', `/api/items/${alien}/favourite`);
  await ask('PUT', `/api/items/${brazil}/rating`, { value: 1 });
  await library.items.remove(alien, serverViewer);
  expect((await database.read('item_marks')).map(({ item_id }) => item_id)).toEqual([brazil]);

  const [{ profile_id: profileId }] = await database.read('item_marks');
  await database.write((trx) => playbackOfProfiles.removed(trx, profileId));
  expect(await database.read('item_marks')).toEqual([]);
});
