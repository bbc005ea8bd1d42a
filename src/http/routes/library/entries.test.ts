import { afterAll, beforeAll, expect, test } from 'vitest';
import { testByNight } from '../../../../test/support/run/test-by-night.ts';
import { bearer, createTestApp, testViewers } from '../../../../test/support/servers/http.ts';
import {
  admin,
  openMentionLibrary,
  type MentionLibrary,
} from '../../../../test/support/library/mentions.ts';
import { Collections, createEntries } from '../../../viewing/collections/index.ts';
import type { ItemsPage } from '../../../library/catalogue/index.ts';
import { visibilityOfLibraries, type Viewer } from '../../../people/viewer/index.ts';
import { createUuidV7 } from '../../../platform/uuid-v7.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { collectionRoutes } from './collections.ts';
import { entryRoutes } from './entries.ts';
import type { CollectionEvents } from '../../../viewing/collections/collection-events.ts';
import type { Collection } from '../../../contract/resources/library/collections.ts';
import type { EntriesPage } from '../../../contract/resources/library/entries.ts';

const user = { ...testViewers['user'] } as Viewer;
const viewers: ReadonlyMap<string, Viewer> = new Map([
  ...Object.entries(testViewers),
  ['user of series', { ...user, visibility: visibilityOfLibraries(['series']) }],
]);

let app: HttpApp;
let library: MentionLibrary;
const items = new Map<string, string>();
let emitted: (readonly [string, object])[] = [];

beforeAll(async () => {
  library = await openMentionLibrary();
  const { database } = library.storage;
  const emit: CollectionEvents['emit'] = (type, data) => void emitted.push([type, data]);
  const parts = {
    ...library,
    database,
    events: { emit },
    newId: createUuidV7({ now: Date.now }),
    now: Date.now,
  };
  app = await createTestApp(
    [
      mount(collectionRoutes, { collections: new Collections(parts) }),
      mount(entryRoutes, { entries: createEntries(parts) }),
    ],
    {
      authenticate: async ({ authorization = '' }) => {
        const viewer = viewers.get(authorization.slice('Bearer '.length));
        return viewer ? { viewer, isLocked: false, routes: null } : null;
      },
    },
  );
  await library.sayAll(['Alien', 'Brazil', 'Cube', 'Dune'].map((title) => [title, {}]));
  const listed = await library.items.list(admin, {});
  for (const { id, title } of listed.items) items.set(title, id);
});

afterAll(async () => {
  await app.close();
  await library.close();
});

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

async function call(method: Method, path: string, payload?: object, who = 'user') {
  const url = `/api/collections${path}`;
  const reply = await app.inject({
    method,
    url,
    headers: bearer(who),
    ...(payload && { payload }),
  });
  return { status: reply.statusCode, body: reply.body === '' ? null : reply.json<unknown>() };
}

const idsOf = (titles: string): readonly string[] =>
  titles.split(' ').map((title) => items.get(title) ?? title);

async function playlist(titles: string): Promise<string> {
  const { body } = await call('POST', '', { kind: 'playlist', name: 'Evening' });
  const { id } = (body as { collection: Collection }).collection;
  if (titles !== '') await call('POST', `/${id}/entries`, { itemIds: idsOf(titles) });
  return id;
}

async function entriesOf(id: string, query = ''): Promise<EntriesPage> {
  return (await call('GET', `/${id}/entries${query}`)).body as EntriesPage;
}

const titlesOf = async (id: string): Promise<string> =>
  (await entriesOf(id)).entries.map(({ item }) => item.title).join(' ');

test('a playlist is a collection of its own kind, with an id of its own', async () => {
  const { status, body } = await call('POST', '', { kind: 'playlist', name: 'Evening' });
  const { collection } = body as { collection: Collection };

  expect(status).toBe(201);
  expect(collection).toMatchObject({ kind: 'playlist', sortBy: 'manual', itemCount: 0 });
  expect(collection.distributedId).toBe(collection.id);
  const usual = await call('POST', '', { distributedId: 'usual', name: 'Usual' });
  expect(usual.body).toMatchObject({ collection: { kind: 'collection' } });
});

test('an item stands twice, each time with its own id, and places count from 0', async () => {
  const id = await playlist('Alien Brazil Alien');
  const { entries, nextCursor } = await entriesOf(id);

  expect(entries.map(({ position, item }) => [position, item.title])).toEqual([
    [0, 'Alien'],
    [1, 'Brazil'],
    [2, 'Alien'],
  ]);
  expect(new Set(entries.map((entry) => entry.id)).size).toBe(3);
  expect(nextCursor).toBeNull();
  expect((await call('GET', `/${id}`)).body).toMatchObject({ collection: { itemCount: 3 } });
  const listed = (await call('GET', `/${id}/items`)).body as ItemsPage;
  expect(listed.items.map(({ title }) => title)).toEqual(['Alien', 'Brazil', 'Alien']);
  const sorted = (await call('GET', `/${id}/items?sortBy=title`)).body as ItemsPage;
  expect(sorted.items.map(({ title }) => title)).toEqual(['Alien', 'Brazil']);
});

test('entries are added at a place, moved and removed, and listed page by page', async () => {
  const id = await playlist('Alien Brazil');
  const added = await call('POST', `/${id}/entries`, { itemIds: idsOf('Cube Dune'), position: 1 });
  expect(added).toMatchObject({
    status: 201,
    body: { entries: [{ position: 1 }, { position: 2 }] },
  });
  expect(await titlesOf(id)).toBe('Alien Cube Dune Brazil');

  const [first, second] = (await entriesOf(id)).entries;
  const moved = await call('PATCH', `/${id}/entries/${first?.id ?? ''}`, { position: 2 });
  expect(moved).toMatchObject({
    status: 200,
    body: { entry: { id: first?.id, position: 2, item: { title: 'Alien' } } },
  });
  expect(await titlesOf(id)).toBe('Cube Dune Alien Brazil');

  expect(await call('DELETE', `/${id}/entries/${second?.id ?? ''}`)).toMatchObject({ status: 204 });
  expect(await call('DELETE', `/${id}/entries/${second?.id ?? ''}`)).toMatchObject({ status: 404 });
  const pages: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: EntriesPage = await entriesOf(id, `?limit=1${cursor && `&cursor=${cursor}`}`);
    pages.push(...page.entries.map(({ position, item }) => `${position} ${item.title}`));
    cursor = page.nextCursor;
  }
  expect(pages).toEqual(['0 Dune', '1 Alien', '2 Brazil']);
});

test('an entry whose item the viewer may not see is 404, and stays where it is', async () => {
  const id = await playlist('Alien Brazil');
  const [first] = (await entriesOf(id)).entries;
  const path = `/${id}/entries/${first?.id ?? ''}`;
  emitted = [];

  expect(await call('PATCH', path, { position: 1 }, 'user of series')).toEqual({
    status: 404,
    body: { error: `Entry ${first?.id} of the playlist Evening does not exist.` },
  });

  expect(await titlesOf(id)).toBe('Alien Brazil');
  expect(emitted).toEqual([]);
});

test('bad input is named', async () => {
  const id = await playlist('Alien');
  const { body } = await call('POST', '', { distributedId: 'plain', name: 'Plain' });
  const { collection } = body as { collection: Collection };
  const [entry] = (await entriesOf(id)).entries;
  const answers: readonly [Method, string, object | undefined, number, string][] = [
    ['POST', `/${id}/entries`, {}, 400, 'body.itemIds is missing.'],
    ['POST', `/${id}/entries`, { itemIds: [] }, 400, 'body.itemIds must not be empty.'],
    ['POST', `/${id}/entries`, { itemIds: ['x'] }, 404, 'Item x does not exist.'],
    [
      'POST',
      `/${id}/entries`,
      { itemIds: ['x'], position: -1 },
      400,
      'body.position must be >= 0.',
    ],
    ['PATCH', `/${id}/entries/${entry?.id ?? ''}`, {}, 400, 'body.position is missing.'],
    [
      'PATCH',
      `/${id}/entries/x`,
      { position: 0 },
      404,
      'Entry x of the playlist Evening does not exist.',
    ],
    ['GET', `/${id}/entries?cursor=abc`, undefined, 400, 'query.cursor is not from this list'],
    [
      'PUT',
      `/${id}/items/${items.get('Cube') ?? ''}`,
      undefined,
      409,
      'Evening is a playlist. Its entries',
    ],
    ['PATCH', `/${id}`, { sortBy: 'title' }, 400, 'sortBy of a playlist must be manual'],
    ['GET', `/${collection.id}/entries`, undefined, 409, 'Plain is a collection. Its items change'],
    ['POST', '', { name: 'N', kind: 'list' }, 400, 'body.kind must be one of'],
    ['POST', '', { name: 'N', kind: 'playlist', sortBy: 'year' }, 400, 'sortBy of a playlist'],
  ];
  for (const [method, path, payload, status, error] of answers)
    expect(await call(method, path, payload)).toEqual({
      status,
      body: expect.objectContaining({ error: expect.stringContaining(error) as string }) as object,
    });
  expect((await call('GET', `/${id}/entries`, undefined, 'admin')).status).toBe(404);
  expect((await call('POST', `/${id}/entries`, { itemIds: ['x'] }, 'guest')).status).toBe(403);
});

testByNight('a playlist has at most 10,000 entries, and entries go with their item', async () => {
  const id = await playlist('');
  const many = Array.from({ length: 500 }, () => items.get('Dune') ?? '');
  for (let round = 0; round < 20; round += 1)
    expect(await call('POST', `/${id}/entries?limit=1`, { itemIds: many })).toMatchObject({
      status: 201,
    });
  expect(await call('POST', `/${id}/entries`, { itemIds: idsOf('Alien') })).toMatchObject({
    status: 409,
    body: { error: 'A playlist may have 10000 entries: remove some first.' },
  });
  await library.items.remove(items.get('Dune') ?? '', admin);
  expect(await entriesOf(id)).toEqual({ entries: [], nextCursor: null });
});

test('each change of the entries is an event of the playlist, and a refused one is none', async () => {
  const id = await playlist('');
  emitted = [];
  const { body } = await call('POST', `/${id}/entries`, { itemIds: idsOf('Alien Cube') });
  const [entry] = (body as { entries: readonly { id: string }[] }).entries;
  await call('PATCH', `/${id}/entries/${entry?.id}`, { position: 1 });
  await call('DELETE', `/${id}/entries/${entry?.id}`);
  await call('DELETE', `/${id}/entries/${entry?.id}`);

  const { profileId } = user;
  const event = ['collection.updated', { collectionId: id, kind: 'playlist', profileId }];
  expect(emitted).toEqual([event, event, event]);
});
