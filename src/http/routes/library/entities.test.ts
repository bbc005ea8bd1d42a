import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp, testViewers } from '../../../../test/support/servers/http.ts';
import {
  answerByFolder,
  openTestLibrary,
  type TestLibrary,
} from '../../../../test/support/library/library.ts';
import { visibilityOfLibraries, type Viewer } from '../../../people/viewer/index.ts';
import type { ItemsPage } from '../../../library/catalogue/index.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { entityRoutes } from './entities.ts';
import { createResponseCache } from '../../response-cache.ts';
import type { Entity } from '../../../contract/resources/library/catalogue.ts';
import type { EntitiesPage } from '../../../contract/resources/library/entities.ts';

let app: HttpApp;
let library: TestLibrary;
let music: string;

const headers = bearer('admin');
const admin = { ...testViewers['admin'] } as Viewer;

/** Tracks as `Artist/Album/Track.mp3`. */
const identifyTrack = (path: string) => {
  const [artist = '', album = '', track = ''] = path.split('/');
  const pending = { status: 'pending', source: 'by-folder' };
  return {
    title: track.replace('.mp3', ''),
    metadata: { artist, album },
    entities: { artist: [{ name: artist, ...pending }], album: [{ name: album, ...pending }] },
  };
};

beforeEach(async () => {
  library = await openTestLibrary({
    call: async (id, method, input, options) => {
      const { files = [] } = input as { files?: readonly { path: string }[] };
      if (method === 'indexer.index')
        return { results: files.map(({ path }) => identifyTrack(path)) };
      if (method === 'library.group') return { keys: files.map(({ path }) => path) };
      return answerByFolder(id, method, input, options);
    },
  });
  app = await createTestApp([
    mount(entityRoutes, { ...library, cache: createResponseCache(library.storage) }),
  ]);
  onTestFinished(async () => {
    await app.close();
    await library.close();
  });
  music = await fill('Music', [
    'Nina Simone/Best Of/Sinnerman.mp3',
    'NINA  SIMONE/Wild/Lilac Wine.mp3',
    'Beyoncé/Best Of/Halo.mp3',
    'beyonce/Best of/Listen.mp3',
  ]);
});

async function fill(name: string, tracks: readonly string[]): Promise<string> {
  const { id } = await library.libraries.create({ name, type: 'music', roots: [`/${name}`] });
  const root = `file:///${name}`;
  const files = tracks
    .map((track) => [root, ...track.split('/').map(encodeURIComponent)].join('/'))
    .sort()
    .map((uri, size) => ({ uri, size, modifiedAt: 1 }));
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

async function list(query: string): Promise<EntitiesPage> {
  return (await app.inject({ url: `/api/entities?${query}`, headers })).json();
}

async function find(type: string, name: string): Promise<Entity> {
  const { entities } = await list(`type=${type}`);
  const entity = entities.find((one) => one.name === name);
  if (!entity) throw new Error(`There is no ${type} ${name}.`);
  return entity;
}

describe('GET /api/entities', () => {
  test('needs a type, else it answers 400', async () => {
    const reply = await app.inject({ url: '/api/entities', headers });

    expect(reply.statusCode).toBe(400);
    expect(reply.json<{ error: string }>().error).toContain('type');
  });

  test('lists each entity once, by name, with every field', async () => {
    const { entities, nextCursor } = await list('type=artist');

    expect(entities).toEqual([
      {
        id: expect.any(String),
        type: 'artist',
        name: 'Beyoncé',
        status: 'pending',
        sourcePluginId: 'by-folder',
        searchTerms: null,
        assets: {},
        assetAspects: {},
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
        itemCount: 2,
        unwatchedCount: 2,
        year: null,
        artists: [],
        picture: null,
        duration: null,
        addedAt: expect.stringMatching(/Z$/),
        favourite: false,
        myRating: null,
      },
      expect.objectContaining({ name: expect.stringMatching(/^nina {1,2}simone$/i) }),
    ]);
    expect(nextCursor).toBeNull();
  });

  test('distinguishes albums of the same name by their artist', async () => {
    const { entities } = await list('type=album');

    expect(entities.map(({ name }) => name.toLowerCase())).toEqual(['best of', 'best of', 'wild']);
  });

  test('finds existing entities when a later scan names them again', async () => {
    await fill('More', ['nina simone/Wild/Feelings.mp3']);

    expect((await list('type=artist')).entities).toHaveLength(2);
    expect((await list('type=album')).entities).toHaveLength(3);
  });

  test('goes on page by page and filters by status', async () => {
    const first = await list('type=artist&limit=1');
    const second = await list(`type=artist&limit=1&cursor=${first.nextCursor}`);

    expect([...first.entities, ...second.entities]).toHaveLength(2);
    expect(second.nextCursor).toBeNull();
    expect((await list('type=artist&status=complete')).entities).toEqual([]);
    expect(
      (await app.inject({ url: '/api/entities?type=artist&cursor=x', headers })).statusCode,
    ).toBe(400);
  });

  test('shows only entities of items that the viewer may see', async () => {
    const other = await fill('Other', ['Solo/One/Song.mp3']);
    const viewer: Viewer = { ...admin, visibility: visibilityOfLibraries([other]) };
    const nina = await find('artist', 'Beyoncé');

    const seen = await library.entities.list(viewer, { type: 'artist' });

    expect(seen.entities.map(({ name }) => name)).toEqual(['Solo']);
    await expect(library.entities.get(nina.id, viewer)).rejects.toMatchObject({
      code: 'not_found',
    });
    await library.libraries.update(other, { hidden: true }, admin);
    expect(
      (await list('type=artist&includeHidden')).entities.map(({ name }) => name),
    ).not.toContain('Solo');
  });

  test('are those of one library, with the counts of that library', async () => {
    const all = (await list('type=artist')).entities;
    const other = await fill('Elsewhere', ['Solo/Album/01 One.mp3']);

    const here = (await list(`type=artist&libraryId=${music}`)).entities;
    const there = (await list(`type=artist&libraryId=${other}`)).entities;

    expect(here).toEqual(all);
    expect(there.map(({ name, itemCount }) => [name, itemCount])).toEqual([['Solo', 1]]);
    expect((await list('type=artist&libraryId=none')).entities).toEqual([]);
  });

  test('leaves out entities without active items', async () => {
    await library.reconcile({
      libraryId: music,
      root: 'file:///Music',
      after: null,
      through: null,
      files: [],
      unreadable: [],
    });

    expect((await list('type=artist')).entities).toEqual([]);
  });
});

describe('one entity', () => {
  test('has its items, by title', async () => {
    const { id } = await find('artist', 'Beyoncé');

    const page = (
      await app.inject({ url: `/api/entities/${id}/items?limit=1`, headers })
    ).json<ItemsPage>();
    const rest = (
      await app.inject({ url: `/api/entities/${id}/items?cursor=${page.nextCursor}`, headers })
    ).json<ItemsPage>();

    expect([...page.items, ...rest.items].map(({ title }) => title)).toEqual(['Halo', 'Listen']);
  });

  test('keeps the name that an admin gave it when a scan names it as before', async () => {
    const { id } = await find('artist', 'Beyoncé');
    const payload = { name: 'Beyoncé Knowles', searchTerms: 'queen b' };

    const reply = await app.inject({
      method: 'PATCH',
      url: `/api/entities/${id}`,
      headers,
      payload,
    });
    await fill('More', ['Beyoncé/Best Of/Irreplaceable.mp3']);

    expect(reply.json()).toMatchObject({ entity: { id, ...payload } });
    expect((await list('type=artist')).entities.map(({ name }) => name)).toContain(
      'Beyoncé Knowles',
    );
    expect((await list('type=artist')).entities).toHaveLength(2);
  });

  test('gives its items new places in the change feed when its name changes', async () => {
    const { id } = await find('artist', 'Beyoncé');
    const changes = library.service.methods['changes']?.run as (
      input: object,
      caller: object,
    ) => Promise<string>;
    const before = JSON.parse(
      await changes({ seq: 0, limit: 500 }, { reach: 'all', viewer: null }),
    ) as {
      seq: number;
    };

    await app.inject({
      method: 'PATCH',
      url: `/api/entities/${id}`,
      headers,
      payload: { name: 'B' },
    });

    const after = JSON.parse(
      await changes({ seq: before.seq, limit: 500 }, { reach: 'all', viewer: null }),
    ) as {
      changes: { item: { title: string; entities: object[] } }[];
    };
    expect(after.changes.map(({ item }) => item.title).sort()).toEqual(['Halo', 'Listen']);
    expect(after.changes[0]?.item.entities).toContainEqual({
      id,
      type: 'artist',
      name: 'B',
      role: 'artist',
    });
  });

  test('is 404 when it does not exist, and 400 for a name without letters', async () => {
    const { id } = await find('artist', 'Beyoncé');
    const patch = {
      method: 'PATCH',
      url: `/api/entities/${id}`,
      headers,
      payload: { name: '  ' },
    } as const;

    expect((await app.inject({ url: '/api/entities/x', headers })).statusCode).toBe(404);
    expect((await app.inject(patch)).statusCode).toBe(400);
  });
});

describe('POST /api/entities/:id/merge', () => {
  const merge = (id: string, ids: readonly string[], who = 'admin') =>
    app.inject({
      method: 'POST',
      url: `/api/entities/${id}/merge`,
      headers: bearer(who),
      payload: { ids },
    });

  test('merges artists, for admins only', async () => {
    const [nina, beyonce] = [await list('type=artist'), await find('artist', 'Beyoncé')];
    const other = nina.entities.find(({ id }) => id !== beyonce.id)?.id ?? '';

    const refused = await merge(beyonce.id, [other], 'user');
    const reply = await merge(beyonce.id, [other]);

    expect(refused.statusCode).toBe(403);
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      entity: { id: beyonce.id, name: 'Beyoncé', itemCount: 4, lockedFields: ['name'] },
    });
    expect((await list('type=artist')).entities).toHaveLength(1);
  });

  test('answers 400 to the entity itself, and 404 to an unknown one', async () => {
    const { id } = await find('artist', 'Beyoncé');

    expect((await merge(id, [id])).statusCode).toBe(400);
    expect((await merge(id, ['nobody'])).statusCode).toBe(404);
    expect((await merge('nobody', [id])).statusCode).toBe(404);
  });
});

describe('POST /api/entities/:id/split', () => {
  test('makes another artist of some tracks, for admins only', async () => {
    const { id } = await find('artist', 'Beyoncé');
    const { items } = await library.items.ofEntity(id, admin, {});
    const split = (who: string) =>
      app.inject({
        method: 'POST',
        url: `/api/entities/${id}/split`,
        headers: bearer(who),
        payload: { itemIds: [items[0]?.id ?? ''], name: 'Another' },
      });

    expect((await split('user')).statusCode).toBe(403);
    const reply = await split('admin');

    // Her albums hang on her.
    expect(reply.statusCode).toBe(400);
    expect(reply.json<{ error: string }>().error).toContain('parts of its own');
    const genre = await find('album', 'Wild');
    const whole = await app.inject({
      method: 'POST',
      url: `/api/entities/${genre.id}/split`,
      headers,
      payload: {
        itemIds: [(await library.items.ofEntity(genre.id, admin, {})).items[0]?.id ?? ''],
        name: 'Wilder',
      },
    });
    expect(whole.statusCode).toBe(201);
    expect(whole.json()).toMatchObject({ entity: { name: 'Wilder', itemCount: 1 } });
  });
});
