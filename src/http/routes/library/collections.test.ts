import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp, testViewers } from '../../../../test/support/servers/http.ts';
import {
  admin,
  openMentionLibrary,
  type MentionLibrary,
} from '../../../../test/support/library/mentions.ts';
import {
  Collections,
  collectionsOfProfiles,
  createAutoCollections,
} from '../../../viewing/collections/index.ts';
import { visibilityOfLibraries, type Viewer } from '../../../people/viewer/index.ts';
import type { ItemsPage } from '../../../library/catalogue/index.ts';
import { createUuidV7 } from '../../../platform/uuid-v7.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { collectionRoutes } from './collections.ts';
import type { CollectionEvents } from '../../../viewing/collections/collection-events.ts';
import type {
  Collection,
  CollectionsPage,
} from '../../../contract/resources/library/collections.ts';

let app: HttpApp;
let library: MentionLibrary;
let isLicensed: boolean;
let emitted: (readonly [string, object])[];

beforeEach(async () => {
  library = await openMentionLibrary();
  isLicensed = false;
  const { database } = library.storage;
  const parts = { database, newId: createUuidV7({ now: Date.now }), now: Date.now };
  library.entityUpkeep.follow(createAutoCollections(parts));
  emitted = [];
  const emit: CollectionEvents['emit'] = (type, data) => void emitted.push([type, data]);
  const collections = new Collections({ ...library, ...parts, events: { emit } });
  app = await createTestApp([mount(collectionRoutes, { collections })], {
    hasActiveLicense: () => isLicensed,
    authenticate: async ({ authorization = '' }) => {
      const viewer = viewers.get(authorization.slice('Bearer '.length));
      return viewer ? { viewer, isLocked: false, routes: null } : null;
    },
  });
  onTestFinished(async () => {
    await app.close();
    await library.close();
  });
});

const user = { ...testViewers['user'] } as Viewer;
const viewers: ReadonlyMap<string, Viewer> = new Map([
  ...Object.entries(testViewers),
  ['child of user', { ...user, profileId: 'profile-of-child' }],
  ['series only', { ...user, visibility: visibilityOfLibraries(['none']) }],
]);

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

async function call(
  method: Method,
  path: string,
  payload?: object,
  who = 'user',
): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = bearer(who);
  const url = `/api/collections${path}`;
  const reply = await app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, body: reply.body === '' ? null : reply.json() };
}

async function create(fields: object = {}, who = 'user'): Promise<Collection> {
  const wanted = { distributedId: 'favourites', name: 'Favourites', ...fields };
  const { body } = await call('POST', '', wanted, who);
  return (body as { collection: Collection }).collection;
}

async function list(query = '', who = 'user'): Promise<CollectionsPage> {
  return (await call('GET', query, undefined, who)).body as CollectionsPage;
}

async function titles(id: string, query = '', who = 'user'): Promise<readonly string[]> {
  const { body } = await call('GET', `/${id}/items${query}`, undefined, who);
  return (body as ItemsPage).items.map(({ title }) => title);
}

async function idOf(title: string): Promise<string> {
  const { items } = await library.items.list(admin, { limit: 500 });
  return items.find((item) => item.title === title)?.id ?? '';
}

describe('POST /api/collections', () => {
  test('makes a collection with every field of the resource', async () => {
    const reply = await call('POST', '', { distributedId: 'c1', name: ' To watch ' });

    expect(reply).toEqual({
      status: 201,
      body: {
        collection: {
          id: expect.any(String),
          userId: 'key-of-user',
          profileId: 'profile-of-user',
          distributedId: 'c1',
          kind: 'collection',
          name: 'To watch',
          description: null,
          mediaType: null,
          sortBy: 'manual',
          sortOrder: 'asc',
          hidden: false,
          itemCount: 0,
          rule: null,
          assets: {},
          assetAspects: {},
          coverItemId: null,
          createdAt: expect.stringMatching(/Z$/),
          updatedAt: expect.stringMatching(/Z$/),
        },
      },
    });
  });

  test.each([
    [{ name: 'N' }, 'distributedId'],
    [{ distributedId: 'd' }, 'name'],
    [{ distributedId: 'd', name: '' }, 'name'],
    [{ distributedId: 'd', name: '   ' }, 'name'],
    [{ distributedId: '  ', name: 'N' }, 'distributedId'],
    [{ distributedId: 'd', name: 'N', sortBy: 'size' }, 'sortBy'],
    [{ distributedId: 'd', name: 'N', mediaType: 'TV!' }, 'mediaType'],
    [{ distributedId: 'd', name: 'N', colour: 'red' }, 'colour'],
  ])('refuses %j with 400, naming %s', async (payload, field) => {
    const { status, body } = await call('POST', '', payload);

    expect(status).toBe(400);
    expect((body as { error: string }).error).toContain(field);
  });

  test('answers 409 to a distributedId that the owner already uses, and lets another owner use it', async () => {
    await create();

    const again = await call('POST', '', { distributedId: 'favourites', name: 'Other' });
    const other = await call('POST', '', { distributedId: 'favourites', name: 'O' }, 'admin');

    expect(again).toEqual({
      status: 409,
      body: { error: 'A collection with the distributedId favourites exists already.' },
    });
    expect(other.status).toBe(201);
  });

  test('makes it for the profile of the request, with a distributedId that is unique for the user', async () => {
    const { id } = await create();

    expect((await list('', 'child of user')).collections).toEqual([]);
    expect((await call('GET', `/${id}`, undefined, 'child of user')).status).toBe(404);
    const same = { distributedId: 'favourites', name: 'Mine' };
    expect((await call('POST', '', same, 'child of user')).status).toBe(409);
  });

  test('loses it with its profile', async () => {
    const { id } = await create();
    await library.storage.database.write((trx) =>
      collectionsOfProfiles.removed(trx, 'profile-of-user'),
    );

    expect((await call('GET', `/${id}`)).status).toBe(404);
  });

  test('is not for guests', async () => {
    expect((await call('POST', '', { distributedId: 'd', name: 'N' }, 'guest')).status).toBe(403);
  });
});

describe('GET /api/collections', () => {
  test('lists the viewer’s own by name, page by page', async () => {
    for (const name of ['Zebra', 'Äpfel', 'banana']) await create({ distributedId: name, name });
    await create({ distributedId: 'x', name: 'Somebody else’s' }, 'admin');

    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);

    expect([...first.collections, ...second.collections].map(({ name }) => name)).toEqual([
      'Äpfel',
      'banana',
      'Zebra',
    ]);
    expect(second.nextCursor).toBeNull();
    expect((await call('GET', '?cursor=x')).status).toBe(400);
    expect((await call('GET', '?limit=0')).status).toBe(400);
  });

  test('shows hidden ones only with includeHidden and an active license', async () => {
    await create({ hidden: true });

    expect((await list('?includeHidden')).collections).toEqual([]);
    isLicensed = true;
    expect((await list()).collections).toEqual([]);
    expect((await list('?includeHidden=true')).collections).toHaveLength(1);
  });
});

describe('one collection', () => {
  test('is visible only to its owner: no other user sees, changes or removes it', async () => {
    const { id } = await create();

    for (const [method, path] of [
      ['GET', `/${id}`],
      ['GET', `/${id}/items`],
      ['DELETE', `/${id}`],
      ['PUT', `/${id}/items/x`],
      ['DELETE', `/${id}/items/x`],
    ] as const)
      expect((await call(method, path, undefined, 'admin')).status).toBe(404);
    expect((await call('PATCH', `/${id}`, { name: 'Mine' }, 'admin')).status).toBe(404);
    expect((await call('GET', `/${id}`)).status).toBe(200);
  });

  test('changes, and can be shown again by its owner', async () => {
    const { id } = await create({ hidden: true });

    const reply = await call('PATCH', `/${id}`, {
      name: 'Best',
      description: 'What I like',
      mediaType: 'movies',
      sortBy: 'year',
      sortOrder: 'desc',
      hidden: false,
    });

    expect(reply).toMatchObject({
      status: 200,
      body: { collection: { id, name: 'Best', mediaType: 'movies', sortBy: 'year' } },
    });
    expect((await list()).collections).toHaveLength(1);
    expect((await call('PATCH', `/${id}`, { distributedId: 'n' })).status).toBe(400);
  });

  test('is removed, and its items stay', async () => {
    await library.say('Alien', {});
    const { id } = await create();
    await call('PUT', `/${id}/items/${await idOf('Alien')}`);

    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect((await call('GET', `/${id}`)).status).toBe(404);
    expect(await idOf('Alien')).not.toBe('');
    expect((await create()).itemCount).toBe(0);
  });
});

describe('items of a collection', () => {
  beforeEach(async () => {
    for (const title of ['Cube', 'Alien', 'Brazil', 'Dune']) await library.say(title, {});
  });

  async function filled(...names: readonly string[]): Promise<string> {
    const { id } = await create();
    for (const name of names) await call('PUT', `/${id}/items/${await idOf(name)}`);
    return id;
  }

  test('are in the order in which they were added, or in another one', async () => {
    const id = await filled('Cube', 'Alien', 'Brazil');

    expect(await titles(id)).toEqual(['Cube', 'Alien', 'Brazil']);
    expect(await titles(id, '?sortOrder=desc')).toEqual(['Brazil', 'Alien', 'Cube']);
    expect(await titles(id, '?sortBy=title')).toEqual(['Alien', 'Brazil', 'Cube']);
    expect(await titles(id, '?sortBy=addedAt')).toEqual(['Cube', 'Alien', 'Brazil']);
  });

  test('are added once, and move to the requested position', async () => {
    const id = await filled('Cube', 'Alien', 'Brazil', 'Alien');
    expect(await titles(id)).toEqual(['Cube', 'Alien', 'Brazil']);

    await call('PUT', `/${id}/items/${await idOf('Dune')}?position=0`);
    await call('PUT', `/${id}/items/${await idOf('Cube')}?position=2`);
    const { body } = await call('PUT', `/${id}/items/${await idOf('Dune')}?position=99`);

    expect(await titles(id)).toEqual(['Alien', 'Cube', 'Brazil', 'Dune']);
    expect(body).toMatchObject({ collection: { itemCount: 4 } });
  });

  test.each(['manual', 'title', 'year', 'addedAt'])(
    'are paged by %s, each once, in both directions',
    async (sortBy) => {
      const id = await filled('Cube', 'Alien', 'Brazil', 'Dune');
      const walked: string[][] = [];
      for (const sortOrder of ['asc', 'desc']) {
        const seen: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
          const query = `?limit=3&sortBy=${sortBy}&sortOrder=${sortOrder}${more}`;
          const { body } = await call('GET', `/${id}/items${query}`);
          const page = body as ItemsPage;
          seen.push(...page.items.map(({ title }) => title));
          cursor = page.nextCursor;
        }
        walked.push(seen);
      }

      expect(new Set(walked[0]).size).toBe(4);
      expect(walked[1]).toEqual(walked[0]?.toReversed());
    },
  );

  test('refuse the cursor of another order, and an unknown item', async () => {
    const id = await filled('Cube', 'Alien');
    const { body } = await call('GET', `/${id}/items?limit=1`);
    const { nextCursor } = body as ItemsPage;

    expect((await call('GET', `/${id}/items?sortBy=title&cursor=${nextCursor}`)).status).toBe(400);
    expect((await call('PUT', `/${id}/items/nothing`)).status).toBe(404);
    const before = (await call('GET', `/${id}`)).body;
    expect((await call('DELETE', `/${id}/items/nothing`)).status).toBe(404);
    expect((await call('GET', `/${id}`)).body).toEqual(before);
  });

  test('are removed on request and when they go missing; the count follows', async () => {
    const id = await filled('Cube', 'Alien', 'Brazil');

    expect((await call('DELETE', `/${id}/items/${await idOf('Cube')}`)).status).toBe(204);
    await library.drop('Alien');

    expect(await titles(id)).toEqual(['Brazil']);
    expect((await list()).collections).toMatchObject([{ itemCount: 1 }]);
  });

  test('leave no row behind when they are removed, or their library is', async () => {
    await filled('Cube', 'Alien', 'Brazil');
    const rows = async (): Promise<number> =>
      (await library.storage.database.read('collection_items').select('item_id')).length;

    await library.items.remove(await idOf('Cube'), admin);
    const afterItem = await rows();
    await library.libraries.remove(library.libraryId, admin);

    expect([afterItem, await rows()]).toEqual([2, 0]);
  });

  test('are only those that the viewer may see', async () => {
    const id = await filled('Cube');
    await library.libraries.update(library.libraryId, { hidden: true }, admin);

    expect(await titles(id)).toEqual([]);
    expect((await list()).collections).toMatchObject([{ itemCount: 0 }]);
  });

  test('cost the same few statements for any number of items', async () => {
    const id = await filled('Cube', 'Alien', 'Brazil', 'Dune');
    for (let index = 0; index < 10; index++)
      await create({ distributedId: `more ${index}`, name: `More ${index}` });
    const statements: string[] = [];
    library.storage.database.read.on('query', ({ sql }: { sql: string }) => statements.push(sql));

    await list();
    const forList = statements.splice(0).length;
    await titles(id);

    expect(forList).toBeLessThanOrEqual(3);
    expect(statements.length).toBeLessThanOrEqual(7);
  });
});

describe('automatic collections', () => {
  async function fill(): Promise<void> {
    const alien = { series: [{ name: 'Alien Collection', ids: { tmdb: '8091' } }] };
    await library.say('Alien', { ...alien, genre: [{ name: 'Horror' }] });
    await library.say('Aliens', { ...alien, genre: [{ name: 'Action' }] });
    await library.say('Die Hard', { genre: [{ name: 'Action' }] });
    await library.entityUpkeep.sweep();
  }

  const named = async (name: string, who = 'user'): Promise<Collection | undefined> =>
    (await list('', who)).collections.find((one) => one.name === name);

  test('follow the data: film series and genres of some items, listed beside one’s own', async () => {
    await create({ name: 'Best' });
    await fill();

    const { collections } = await list('', 'user');

    expect(collections.map(({ name, userId, itemCount }) => [name, userId, itemCount])).toEqual([
      ['Action', null, 2],
      ['Alien Collection', null, 2],
      ['Best', 'key-of-user', 0],
    ]);
    const series = await named('Alien Collection', 'guest');
    expect(series).toMatchObject({
      distributedId: expect.stringMatching(/^series:/),
      mediaType: 'movies',
      sortBy: 'year',
      rule: { entityId: expect.any(String) },
    });
    expect(await titles(series?.id ?? '', '', 'guest')).toEqual(['Alien', 'Aliens']);
  });

  test('are removed, changed and restored with the data', async () => {
    await fill();

    await library.drop('Die Hard');
    await library.entityUpkeep.sweep();
    expect(await named('Action')).toBeUndefined();

    await library.say('Die Hard', { genre: [{ name: 'Action' }] });
    await library.entityUpkeep.sweep();
    expect(await named('Action')).toMatchObject({ itemCount: 2 });

    const action = (await library.entities.list(admin, { type: 'genre' })).entities[0];
    await library.entities.update(action?.id ?? '', { name: 'Action films' }, admin);
    await library.entityUpkeep.sweep();
    expect(await named('Action films')).toMatchObject({ itemCount: 2 });

    await library.entities.update(action?.id ?? '', { hidden: true }, admin);
    await library.entityUpkeep.sweep();
    expect(await named('Action films')).toBeUndefined();
  });

  test('cannot be changed, filled or removed by users, who learn why', async () => {
    await fill();
    const { id } = (await named('Action')) as Collection;
    const item = await idOf('Alien');

    expect(await call('PATCH', `/${id}`, { name: 'Mine' })).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('only an admin') },
    });
    expect(await call('PUT', `/${id}/items/${item}`)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('The server chooses') },
    });
    expect((await call('DELETE', `/${id}/items/${item}`)).status).toBe(409);
    expect((await call('DELETE', `/${id}`, undefined, 'admin')).status).toBe(409);
  });

  test('keep the name that an admin gave them, and stay hidden', async () => {
    await fill();
    const { id } = (await named('Action')) as Collection;

    await call('PATCH', `/${id}`, { name: 'Bang' }, 'admin');
    await library.say('Predator', { genre: [{ name: 'Action' }] });
    await library.entityUpkeep.sweep();
    expect(await named('Bang')).toMatchObject({ id, itemCount: 3 });

    await call('PATCH', `/${id}`, { hidden: true }, 'admin');
    expect(await named('Bang')).toBeUndefined();
    expect((await call('GET', `/${id}`)).status).toBe(404);
    await call('PATCH', `/${id}`, { hidden: false }, 'admin');
    expect(await named('Bang')).toMatchObject({ id });
  });

  test('are empty for viewers who may not see any of their items', async () => {
    await fill();
    await library.libraries.update(library.libraryId, { hidden: true }, admin);

    expect((await list()).collections).toEqual([]);
    expect((await list('', 'guest-of-films')).collections).toEqual([]);
  });

  test('follow their series when it is merged into another one', async () => {
    await fill();
    const { id } = (await named('Alien Collection')) as Collection;
    await call('PATCH', `/${id}`, { description: 'In space' }, 'admin');

    await library.say('Prometheus', { series: [{ name: 'Alien Anthology', ids: { imdb: 'a' } }] });
    await library.say('Covenant', { series: [{ name: 'Alien Anthology' }] });
    await library.entityUpkeep.sweep();
    expect(await named('Alien Anthology')).toMatchObject({ itemCount: 2 });
    await library.say('Romulus', {
      series: [{ name: 'Alien Collection', ids: { tmdb: '8091', imdb: 'a' } }],
    });
    await library.entityUpkeep.sweep();

    expect(await named('Alien Anthology')).toBeUndefined();
    expect(await named('Alien Collection')).toMatchObject({
      id,
      itemCount: 5,
      description: 'In space',
    });
  });

  test('take no statement per item to maintain', async () => {
    const genre = [{ name: 'Action' }, { name: 'Drama' }];
    const counted = async (from: number, through: number): Promise<number> => {
      const titles = Array.from({ length: through - from }, (_, index) => `Film ${from + index}`);
      await library.sayAll(titles.map((title) => [title, { genre }] as const));
      library.written.splice(0);
      await library.entityUpkeep.sweep();
      return library.written.length;
    };

    await counted(0, 2);
    const few = await counted(2, 4);
    const many = await counted(4, 64);

    expect(few).toBeGreaterThan(3);
    expect(many).toBeLessThanOrEqual(few);
    expect(await named('Drama')).toMatchObject({ itemCount: 64 });
  });
});

describe('the cover of a collection', () => {
  async function withPictures(...titlesOfItems: readonly string[]): Promise<Collection> {
    const made = await create();
    for (const title of titlesOfItems) {
      await library.say(title, {});
      await call('PUT', `/${made.id}/items/${await idOf(title)}`);
    }
    return made;
  }

  const paint = (title: string, assets: object): Promise<unknown> =>
    library.storage.database.write((trx) =>
      trx('items')
        .where({ title })
        .update({
          assets: JSON.stringify(assets),
          asset_aspects: JSON.stringify({ poster: 'portrait' }),
        }),
    );

  const coverOf = async (id: string, who = 'user'): Promise<unknown> => {
    const { body } = await call('GET', `/${id}`, undefined, who);
    return (body as { collection: Collection }).collection.assets;
  };

  test('is the poster of the first item that has a picture', async () => {
    const { id } = await withPictures('Alien', 'Brazil', 'Cube');
    expect(await coverOf(id)).toEqual({});
    await paint('Brazil', { backdrop: '/api/assets/wide', poster: '/api/assets/b' });
    await paint('Cube', { poster: '/api/assets/c' });

    const [collection] = (await list()).collections;

    expect(collection?.assets).toEqual({ cover: '/api/assets/b' });
    expect(collection?.assetAspects).toEqual({ cover: 'portrait' });
  });

  test('is the picture of the chosen item, until that is removed', async () => {
    const { id } = await withPictures('Alien', 'Brazil');
    await paint('Alien', { poster: '/api/assets/a' });
    await paint('Brazil', { poster: '/api/assets/b' });
    const coverItemId = await idOf('Brazil');

    const reply = await call('PATCH', `/${id}`, { coverItemId });

    expect(reply.body).toMatchObject({
      collection: { coverItemId, assets: { cover: '/api/assets/b' } },
    });
    await call('DELETE', `/${id}/items/${coverItemId}`);
    expect(await coverOf(id)).toEqual({ cover: '/api/assets/a' });
  });

  test('is never of an item that the viewer may not see', async () => {
    const { id } = await withPictures('Alien');
    await paint('Alien', { poster: '/api/assets/a' });

    expect(await coverOf(id, 'series only')).toEqual({});
  });

  test('is refused with 404 for an item that is not in it', async () => {
    const { id } = await withPictures('Alien');
    await library.say('Other', {});

    expect((await call('PATCH', `/${id}`, { coverItemId: await idOf('Other') })).status).toBe(404);
    expect((await call('PATCH', `/${id}`, { coverItemId: 'none' })).status).toBe(404);
  });
});

test('each change of a collection is an event, and a refused one is none', async () => {
  await library.say('Alien', {});
  const itemId = await idOf('Alien');
  emitted = [];
  const { id } = await create();
  await call('PATCH', `/${id}`, { name: 'Best' });
  await call('PUT', `/${id}/items/${itemId}`);
  await call('DELETE', `/${id}/items/${itemId}`);
  await call('DELETE', `/${id}/items/${itemId}`);
  await call('DELETE', `/${id}`);

  const { profileId } = user;
  const data = { collectionId: id, kind: 'collection', profileId };
  expect(emitted).toEqual([
    ['collection.created', data],
    ['collection.updated', data],
    ['collection.updated', data],
    ['collection.updated', data],
    ['collection.deleted', data],
  ]);
});
