/** Conformance with the sections "Resources and their fields" and "Endpoints": Collection, Entity, Item, Chapter. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Collections, createAutoCollections } from '../../src/viewing/collections/index.ts';
import { mount, type HttpApp } from '../../src/http/index.ts';
import { collectionRoutes } from '../../src/http/routes/library/collections.ts';
import { entityRoutes } from '../../src/http/routes/library/entities.ts';
import { itemRoutes } from '../../src/http/routes/library/items.ts';
import { createResponseCache } from '../../src/http/response-cache.ts';
import { createUuidV7 } from '../../src/platform/uuid-v7.ts';
import type { ApiCall, Resources } from '../../packages/app/client/index.ts';
import { callsOver } from '../support/servers/api-calls.ts';
import { bearer, createTestApp } from '../support/servers/http.ts';
import { admin, openMentionLibrary, type MentionLibrary } from '../support/library/mentions.ts';

let app: HttpApp;
let call: ApiCall;
let library: MentionLibrary;

beforeEach(async () => {
  library = await openMentionLibrary();
  const { database } = library.storage;
  const parts = { database, newId: createUuidV7({ now: Date.now }), now: Date.now };
  library.entityUpkeep.follow(createAutoCollections(parts));
  const events = { emit: () => undefined };
  const collections = new Collections({ ...library, ...parts, events });
  app = await createTestApp([
    mount(collectionRoutes, { collections }),
    mount(entityRoutes, { ...library, cache: createResponseCache(library.storage) }),
    mount(itemRoutes, { ...library, cache: createResponseCache(library.storage) }),
  ]);
  call = callsOver(app, 'admin');
  onTestFinished(async () => {
    await app.close();
    await library.close();
  });
});

const headers = bearer('admin');

/** What JSON says of each field that the specification names. */
function typesOf(resource: object, fields: string): Readonly<Record<string, string>> {
  const known = new Map(Object.entries(resource));
  return Object.fromEntries(fields.split(', ').map((field) => [field, kindOf(known.get(field))]));
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

const all = (kind: string, fields: string): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.split(', ').map((field) => [field, kind]));

describe('### Collection', () => {
  const texts = 'id, distributedId, name, sortBy, sortOrder, createdAt, updatedAt';

  test('POST /api/collections answers {collection} with every field in its type', async () => {
    const payload = { distributedId: 'd1', name: 'Mine', description: 'Old', mediaType: 'movies' };

    const reply = await app.inject({ method: 'POST', url: '/api/collections', headers, payload });

    expect(reply.statusCode).toBe(201);
    const { collection } = reply.json<{ collection: object }>();
    const owned = `${texts}, userId, profileId, description, mediaType`;
    expect(typesOf(collection, owned)).toEqual(all('string', owned));
    expect(collection).toMatchObject({ ...payload, hidden: false, itemCount: 0 });
  });

  test('POST /api/collections has two distinct error responses, each {error}', async () => {
    const payload = { distributedId: 'd1', name: 'Mine' };
    const post = (body: object) =>
      app.inject({ method: 'POST', url: '/api/collections', headers, payload: body });
    await post(payload);

    const replies = [await post({ name: 'Mine' }), await post(payload)];

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([400, 409]);
    for (const reply of replies) expect(reply.json()).toEqual({ error: expect.any(String) });
  });

  test('GET /api/collections answers {collections}; includeHidden has no effect without a license', async () => {
    const payload = { distributedId: 'd1', name: 'Mine', hidden: true };
    await call('post', '/api/collections', { body: payload });

    expect(await call('get', '/api/collections', { query: { includeHidden: true } })).toMatchObject(
      { collections: [] },
    );
  });

  test('a collection that the data makes has the same fields; what it has not is null', async () => {
    for (const title of ['A', 'B']) await library.say(title, { genre: [{ name: 'Drama' }] });
    await library.entityUpkeep.sweep();

    const { collections } = await call('get', '/api/collections');

    expect(collections.map((one) => typesOf(one, texts))).toEqual([all('string', texts)]);
    expect(collections).toMatchObject([
      { userId: null, profileId: null, description: null, name: 'Drama', itemCount: 2 },
    ]);
  });
});

describe('### Entity', () => {
  test('GET /api/entities answers {entities} with every field in its type', async () => {
    await library.say('A', {
      artist: [{ name: 'Beyoncé', ids: { musicbrainz: 'b' } }],
      albumArtist: [{ name: 'Queen B', ids: { musicbrainz: 'b' } }],
    });

    const { entities } = await call('get', '/api/entities', { query: { type: 'artist' } });

    const texts = 'id, type, name, status, sourcePluginId, searchTerms, createdAt, updatedAt';
    expect(entities.map((one) => typesOf(one, texts))).toEqual([all('string', texts)]);
    expect(entities).toMatchObject([{ assets: {}, assetAspects: {}, status: 'complete' }]);
  });

  test('an entity of which only the name is known is pending, and the list filters by status', async () => {
    await library.say('A', { actor: [{ name: 'Ada' }] });

    expect(
      await call('get', '/api/entities', { query: { type: 'person', status: 'pending' } }),
    ).toMatchObject({
      entities: [{ name: 'Ada', status: 'pending' }],
    });
    expect(
      await call('get', '/api/entities', { query: { type: 'person', status: 'complete' } }),
    ).toMatchObject({ entities: [] });
  });

  test('GET /api/entities without a type is an {error}', async () => {
    const reply = await app.inject({ url: '/api/entities', headers });

    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toEqual({ error: expect.any(String) });
  });
});

describe('### Item, ### File, ### Chapter and ### LinkedEntity', () => {
  beforeEach(async () => {
    await library.say('Film', {
      actor: [{ name: 'Ada', metadata: { character: 'Herself', order: 0 } }],
    });
    await library.storage.database.write(async (trx) => {
      const [file] = await trx<{ no: number }>('files').select('no');
      const chapter = (id: string, start: number, end: number | null) => ({
        id,
        file_no: file?.no,
        title: id,
        source: 'embedded',
        start_time: start,
        end_time: end,
        role: id === 'Titles' ? 'intro' : 'chapter',
        metadata: null,
        assets: null,
        created_at: 0,
        updated_at: 0,
      });
      await trx('chapters').insert([
        chapter('Second', 60, null),
        chapter('Third', 120, null),
        chapter('Titles', 0, 45.5),
        { ...chapter('Marked', 10, null), source: 'plugin', role: 'credits' },
      ]);
      await trx('files').update({ has_chapters: true, duration: 300 });
    });
  });

  async function film(): Promise<Resources['ItemDetail']> {
    const { items } = await library.items.list(admin, {});
    const path = { id: items[0]?.id ?? '' };
    return (await call('get', '/api/items/{id}', { path })).item;
  }

  test('GET /api/items/:id has every field in its type', async () => {
    const item = await film();

    const texts = 'id, libraryId, title, libraryName, status, addedAt, updatedAt';
    expect(typesOf(item, texts)).toEqual(all('string', texts));
    expect(item).toMatchObject({
      certification: null,
      metadata: {},
      assets: {},
      assetAspects: {},
      playback: { completed: false, position: 0, duration: 0 },
      provenance: expect.any(Array),
      subtitles: [],
      ingest: { state: 'pending', errors: [] },
    });
    const fileTexts =
      'id, libraryId, uri, filename, extension, mimeType, classification, itemId, type, status, mediaKind, createdAt, updatedAt';
    expect(item.files.map((file) => typesOf(file, fileTexts))).toEqual([all('string', fileTexts)]);
    expect(item.files).toMatchObject([{ duration: 300, fileInfo: {}, assets: {} }]);
  });

  test('a linked entity tells its part in the item', async () => {
    const { linkedEntities } = await film();

    expect(linkedEntities).toEqual([
      {
        id: expect.any(String),
        type: 'person',
        name: 'Ada',
        role: 'actor',
        sortOrder: 0,
        linkMetadata: { character: 'Herself', order: 0 },
        assets: {},
        assetAspects: {},
      },
    ]);
  });

  test('chapters come in the order of time, each with its end; those of another source cut none', async () => {
    const item = await film();
    const { chapters } = await call('get', '/api/items/{id}/chapters', { path: { id: item.id } });

    expect(chapters).toMatchObject([
      { title: 'Titles', startTime: 0, endTime: 45.5, role: 'intro' },
      { title: 'Marked', startTime: 10, endTime: 300, role: 'credits', source: 'plugin' },
      { title: 'Second', startTime: 60, endTime: 120, role: 'chapter' },
      { title: 'Third', startTime: 120, endTime: 300 },
    ]);
    expect(item.files[0]?.chapters).toEqual(chapters);
    const texts = 'id, fileId, title, source, role, createdAt, updatedAt';
    expect(chapters.map((one) => typesOf(one, texts))).toEqual(
      Array.from({ length: 4 }, () => all('string', texts)),
    );
  });
});
