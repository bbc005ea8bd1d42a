import { visibilityOfLibraries } from '../../../people/viewer/index.ts';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp, testViewers } from '../../../../test/support/servers/http.ts';
import { openTestLibrary, type TestLibrary } from '../../../../test/support/library/library.ts';
import { KernelError } from '../../../../kernel/index.ts';
import type { Jobs } from '../../../work/jobs/index.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { itemRoutes } from './items.ts';
import { createResponseCache } from '../../response-cache.ts';
import { libraryRoutes } from './libraries.ts';
import type { Job } from '../../../contract/resources/library/catalogue.ts';
import type { NewJob } from '../../../contract/resources/operations/jobs.ts';
import type { Library } from '../../../contract/resources/library/libraries.ts';

let app: HttpApp;
let library: TestLibrary;
let refused: readonly string[] = [];
let scans: NewJob[] = [];
let isFull = false;

const anticipate: Jobs['anticipate'] = async (wanted) => {
  if (isFull) throw new KernelError('overloaded', 'Too many jobs wait.');
  scans.push(wanted);
  return { id: 'the-scan' } as Job;
};

beforeEach(async () => {
  refused = [];
  scans = [];
  isFull = false;
  library = await openTestLibrary({
    validateRoot: async (uri) =>
      refused.includes(uri) ? { ok: false, message: 'It is not a folder.' } : { ok: true },
  });
  app = await createTestApp([
    mount(libraryRoutes, { ...library, jobs: { anticipate } }),
    mount(itemRoutes, { ...library, cache: createResponseCache(library.storage) }),
  ]);
  onTestFinished(async () => {
    await app.close();
    await library.close();
  });
});

const headers = bearer('admin');

const create = (payload: object) =>
  app.inject({ method: 'POST', url: '/api/libraries', headers, payload });

async function films(payload: object = {}): Promise<Library> {
  const reply = await create({
    name: 'Films',
    type: 'movies',
    roots: ['/media/films'],
    ...payload,
  });
  return reply.json<{ library: Library }>().library;
}

async function list(who: string): Promise<readonly Library[]> {
  const reply = await app.inject({ url: '/api/libraries', headers: bearer(who) });
  return reply.json<{ libraries: readonly Library[] }>().libraries;
}

const page = (libraryId: string, root: string, names: readonly string[]) =>
  library.reconcile({
    libraryId,
    root,
    after: null,
    through: null,
    files: names.map((name, index) => ({ uri: `${root}/${name}`, size: index + 1, modifiedAt: 1 })),
    unreadable: [],
  });

describe('POST /api/libraries', () => {
  test('answers 201 with every field of a Library, its roots as URIs', async () => {
    const reply = await create({
      name: ' Films ',
      type: 'movies',
      roots: ['/media/Film é/', 'file:///b%2Dc'],
    });

    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toEqual({
      library: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Films',
        type: 'movies',
        roots: ['file:///media/Film%20%C3%A9', 'file:///b-c'],
        links: [],
        pluginId: null,
        hidden: false,
        watch: true,
        itemCount: 0,
        mediaJobs: ['loudness', 'stills', 'trickplay'],
        lastScanAt: null,
        problems: [],
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
        updatedAt: expect.any(String),
      },
      jobId: 'the-scan',
    });
    expect(library.events).toMatchObject([{ type: 'library.created', data: { name: 'Films' } }]);
  });

  test('starts the scan that fills it, and succeeds also when too many jobs wait', async () => {
    const { id } = await films();
    isFull = true;
    const other = await create({ name: 'Other', type: 'movies', roots: ['/other'] });

    expect(scans).toEqual([{ type: 'scan', libraryId: id }]);
    expect([other.statusCode, other.json<{ jobId: unknown }>().jobId]).toEqual([201, null]);
  });

  test('refuses a name that is taken, in upper or lower case, with 409', async () => {
    await films();

    const reply = await create({ name: 'FILMS', type: 'movies', roots: ['/other'] });

    expect(reply.statusCode).toBe(409);
    expect(reply.json()).toMatchObject({ error: 'A library named Films exists already.' });
  });

  test.each([
    [{ name: 'x', type: 'movies' }, 'roots'],
    [{ name: 'x', type: 'movies', roots: [] }, 'roots'],
    [{ name: '  ', type: 'movies', roots: ['/a'] }, 'name'],
    [{ name: 'x', type: 'Movies!', roots: ['/a'] }, 'type'],
    [{ name: 'x', type: 'movies', roots: ['media/films'] }, 'roots'],
    [{ name: 'x', type: 'movies', roots: ['/media/../etc'] }, 'roots'],
    [{ name: 'x', type: 'movies', roots: ['file://host/share'] }, 'roots'],
    [{ name: 'x', type: 'movies', roots: ['file:///a%2Fb/%2e%2e'] }, 'roots'],
    [{ name: 'x', type: 'movies', roots: ['/a', '/a/b'] }, 'roots'],
    [{ name: 'x', type: 'movies', roots: ['/a'], owner: 'me' }, 'owner'],
  ])('refuses %j and names what is wrong', async (payload, named) => {
    const reply = await create(payload);

    expect(reply.statusCode).toBe(400);
    expect(reply.json<{ error: string }>().error).toContain(named);
  });

  test('refuses a root that its filesystem plugin refuses, with the plugin’s message', async () => {
    refused = ['file:///media/films'];

    const reply = await create({ name: 'x', type: 'movies', roots: ['/media/films'] });

    expect(reply.statusCode).toBe(400);
    expect(reply.json<{ error: string }>().error).toContain('It is not a folder.');
    expect(library.libraries.roots()).toEqual([]);
  });
});

describe('GET /api/libraries', () => {
  test('lists by name what the viewer may see', async () => {
    const { id } = await films();
    await films({ name: 'Books', type: 'books', roots: ['/media/books'] });

    expect((await list('guest')).map(({ name }) => name)).toEqual(['Books', 'Films']);
    const limited = {
      ...testViewers['guest-of-films'],
      visibility: visibilityOfLibraries([id]),
    } as never;
    expect((await library.libraries.list(limited)).map(({ name }) => name)).toEqual(['Films']);
    expect(await list('guest-of-films')).toEqual([]);
  });

  test('are watched unless an admin says otherwise', async () => {
    const { id } = await films({ watch: false });
    const change = (watch: boolean) =>
      app.inject({ method: 'PATCH', url: `/api/libraries/${id}`, headers, payload: { watch } });

    expect(await list('admin')).toMatchObject([{ id, watch: false }]);
    expect((await change(true)).json()).toMatchObject({ library: { id, watch: true } });
    expect((await change(false)).json()).toMatchObject({ library: { id, watch: false } });
    expect((await list('admin'))[0]).toMatchObject({ hidden: false });
  });

  test('lists hidden ones for admins only, marked', async () => {
    const { id } = await films({ hidden: true });

    expect(await list('user')).toEqual([]);
    expect(await list('admin')).toMatchObject([{ id, hidden: true }]);
    const url = `/api/libraries/${id}`;
    expect((await app.inject({ url, headers: bearer('user') })).statusCode).toBe(404);
    expect((await app.inject({ url, headers })).statusCode).toBe(200);
  });
});

describe('PATCH /api/libraries/:id', () => {
  test('renames, hides and emits an event', async () => {
    const { id } = await films();
    library.events.length = 0;

    const payload = { name: 'Cinema', hidden: true };
    const reply = await app.inject({
      method: 'PATCH',
      url: `/api/libraries/${id}`,
      headers,
      payload,
    });

    expect(reply.json()).toMatchObject({ library: { id, name: 'Cinema', hidden: true } });
    expect(library.events).toEqual([
      { type: 'library.updated', data: { libraryId: id, name: 'Cinema' } },
    ]);
  });

  test('removes the items below a root that is removed', async () => {
    const { id } = await films({ roots: ['/a', '/b'] });
    await page(id, 'file:///a', ['One/1.mkv']);
    await page(id, 'file:///b', ['Two/2.mkv']);

    const payload = { roots: ['/b'] };
    await app.inject({ method: 'PATCH', url: `/api/libraries/${id}`, headers, payload });

    const reply = await app.inject({ url: '/api/items', headers });
    expect(reply.json()).toMatchObject({ items: [{ title: 'Two' }] });
    expect((await list('admin'))[0]).toMatchObject({ roots: ['file:///b'], itemCount: 1 });
    expect(library.libraries.roots()).toEqual(['file:///b']);
  });
});

describe('links of a library', () => {
  const link = (root: string, folder: string) => ({ root, folder });
  const change = (id: string, payload: object) =>
    app.inject({ method: 'PATCH', url: `/api/libraries/${id}`, headers, payload });

  test('lead to the folders that an admin named, which only admins see', async () => {
    const { id } = await films({ roots: ['/a', '/b'], links: [link('/a', '/mnt/pool/')] });
    const stored = [link('file:///a', 'file:///mnt/pool')];

    expect(await list('admin')).toMatchObject([{ id, links: stored }]);
    expect(await list('guest')).toMatchObject([{ id, links: [] }]);
    expect(library.libraries.folders()).toMatchObject([{ links: stored }]);
    expect((await change(id, { name: 'Cinema' })).json()).toMatchObject({
      library: { links: stored },
    });
    expect((await change(id, { links: [] })).json()).toMatchObject({ library: { links: [] } });
    expect(library.libraries.folders()).toMatchObject([{ links: [] }]);
  });

  test('end with the root that they are below', async () => {
    const { id } = await films({ roots: ['/a', '/b'], links: [link('/a', '/pool')] });

    expect((await change(id, { roots: ['/b'] })).json()).toMatchObject({ library: { links: [] } });
  });

  test('can be taken away while another folder is away', async () => {
    const both = [link('/a', '/pool'), link('/a', '/disk')];
    const { id } = await films({ roots: ['/a'], links: both });
    refused = ['file:///pool'];

    expect((await change(id, { links: both.slice(0, 1) })).statusCode).toBe(200);
    expect((await change(id, { links: [] })).statusCode).toBe(200);
    expect((await change(id, { links: both.slice(0, 1) })).json()).toMatchObject({
      error: expect.stringContaining('links: file:///pool cannot be used. It is not a folder.'),
    });
  });

  test.each([
    [link('/other', '/pool'), 'links: file:///other is not a root of this library'],
    [link('/a', 's3://shelf/pool'), 'links: s3://shelf/pool is not a folder of this machine'],
    [link('/a', 'pool'), 'links: "pool" cannot be a folder of a library'],
    [link('/a', '/pool/../etc'), 'links: "/pool/../etc" cannot be a folder of a library'],
  ])('refuses %j', async (wanted, why) => {
    const { id } = await films({ roots: ['/a'] });
    const reply = await change(id, { links: [wanted] });

    expect(reply.statusCode).toBe(400);
    expect(reply.json<{ error: string }>().error).toContain(why);
    const many = Array.from({ length: 51 }, (_, at) => link('/a', `/pool/${at}`));
    expect((await change(id, { links: many })).statusCode).toBe(400);
    const made = await create({ name: 'x', type: 'movies', roots: ['/a'], links: [wanted] });
    expect(made.json<{ error: string }>().error).toContain(why);
  });
});

describe('DELETE /api/libraries/:id', () => {
  test('removes the library with its items and entities, and does not touch others', async () => {
    const { id } = await films();
    const other = await films({ name: 'More', roots: ['/more'] });
    await page(id, 'file:///media/films', ['Alien/1.mkv', 'Brazil/2.mkv']);
    await page(other.id, 'file:///more', ['Casablanca/3.mkv']);

    const reply = await app.inject({ method: 'DELETE', url: `/api/libraries/${id}`, headers });

    await library.entityUpkeep.sweep();

    expect(reply.statusCode).toBe(204);
    expect((await list('admin')).map(({ name }) => name)).toEqual(['More']);
    const { read } = library.storage.database;
    for (const [table, rows] of [
      ['items', 1],
      ['files', 1],
      ['entities', 1],
      ['item_entities', 1],
      ['removed_items', 2],
    ] as const)
      expect([table, (await read(table)).length]).toEqual([table, rows]);
    const [first, second, last] = library.events.slice(-3);
    expect(last).toEqual({ type: 'library.deleted', data: { libraryId: id, name: 'Films' } });
    expect([first, second]).toEqual(
      ['Alien', 'Brazil'].map((title) => ({
        type: 'library.item.removed',
        data: { itemId: expect.any(String), libraryId: id, title },
      })),
    );
  });

  test('announces each item of a large library once', async () => {
    const { id } = await films();
    const names = Array.from({ length: 1500 }, (_, index) => `${1000 + index} Film/${index}.mkv`);
    await page(id, 'file:///media/films', names);

    await app.inject({ method: 'DELETE', url: `/api/libraries/${id}`, headers });

    const removed = library.events.flatMap(({ type, data }) =>
      type === 'library.item.removed' && 'title' in data ? [data.title] : [],
    );
    expect(removed).toHaveLength(1500);
    expect(new Set(removed).size).toBe(1500);
  });

  test('of a library during its scan ends that scan with not_found', async () => {
    const { id } = await films();
    await app.inject({ method: 'DELETE', url: `/api/libraries/${id}`, headers });

    await expect(page(id, 'file:///media/films', [])).rejects.toMatchObject({ code: 'not_found' });
  });
});
