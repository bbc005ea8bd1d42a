/**
 * A whole server but for its processes, over a real database, with the search plugin's own code; and a
 * household that looks at it. Each item has a word of its own that stands in its title, the names of
 * its file, its chapter, its picture and its people: what a text reveals is told by the words in it.
 */
import { Readable } from 'node:stream';
import { silentLog } from '../../../kernel/index.ts';
import { createEventBus, type EventBus } from '../../../kernel/call/events/index.ts';
import { createTextIndexService } from '../../../kernel/store/index.ts';
import search from '../../../builtin-plugins/search/index.ts';
import type { Host, SearchQueryInput } from '../../../plugin-api/index.ts';
import {
  serverViewer,
  type Role,
  type Visibility,
  type Viewer,
} from '../../../src/people/viewer/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import {
  Collections,
  createAutoCollections,
  createEntries,
  type Entries,
} from '../../../src/viewing/collections/index.ts';
import { createEventFeed, type EventFeed } from '../../../src/viewing/live-events/index.ts';
import type { FileReads } from '../../../src/files/filesystems/index.ts';
import {
  allRoutes,
  createResponseCache,
  type HttpApp,
  type RouteParts,
} from '../../../src/http/index.ts';
import { createIngestion } from '../../../src/library/ingestion/index.ts';
import { createMatching, createSources } from '../../../src/library/matching/index.ts';
import { createPluginViews } from '../../../src/plugins/admin/index.ts';
import {
  createMarks,
  createPlayback,
  entityProfile,
  selectItemPlayback,
  playbackMigrations,
  watchedCounts,
} from '../../../src/viewing/playback/index.ts';
import { createHome } from '../../../src/viewing/home/index.ts';
import {
  createAssets,
  createMediaLinks,
  createPictureUploads,
  createStreams,
  Texts,
} from '../../../src/viewing/streaming/index.ts';
import { createUuidV7 } from '../../../src/platform/uuid-v7.ts';
import { callService } from '../plugins/call-service.ts';
import { createTestApp, testSecurity } from '../servers/http.ts';
import { createHouseholdPlayer, householdLinks } from './household-player.ts';
import { answerByFolder, noHooks, openTestLibrary, type TestLibrary } from './library.ts';
import { testPluginViewers } from '../plugins/plugin-viewers.ts';
import { testReferences } from './references.ts';

/** An item of the household, and what it mentions beside its own people. */
export interface HouseItem {
  readonly library: string;
  readonly certification?: string;
  readonly genres?: readonly string[];
  /** Its number in the one show of the household. */
  readonly episode?: number;
}

/** A household to look at. */
export interface Household extends TestLibrary {
  readonly app: HttpApp;
  readonly sessions: RouteParts['sessions'];
  readonly feed: EventFeed;
  readonly bus: EventBus;
  readonly collections: Collections;
  readonly entries: Entries;
  /** Ids by the names of the libraries. */
  readonly libraryIds: Readonly<Record<string, string>>;
  /** Ids by the words of the items. */
  readonly itemIds: Readonly<Record<string, string>>;
  /** Whether a license is active. */
  license: boolean;
  /** Who stands behind a request: the header `Authorization: Bearer <name>` names one. */
  readonly viewers: Map<string, Viewer>;
  /** What was asked of the feed's filter is answered. */
  readonly settled: () => Promise<void>;
  /** Brings the search index up to date. */
  readonly index: () => Promise<void>;
}

const newId = createUuidV7({ now: Date.now });

/** Somebody of the household. All of them are one user with one profile, so that they share what is kept for it. */
export const member = (role: Role, visibility: Visibility): Viewer => ({
  ...serverViewer,
  credentialId: `key-of-${role}`,
  credentialKind: 'api-key',
  userId: 'household',
  profileId: 'everybody',
  role,
  visibility,
});

const titleOf = (word: string): string => `Lantern ${word}`;
const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Opens one with these libraries (name: is it hidden) and items, by word. The caller closes it. */
export async function openHousehold(
  libraries: Readonly<Record<string, { readonly hidden: boolean }>>,
  items: Readonly<Record<string, HouseItem>>,
): Promise<Household> {
  const bus = createEventBus({
    dispatcher: {
      dispatch: () => Promise.reject(new Error('no plugin')),
      unknownHandlers: () => 0,
      isRunning: () => false,
    },
    log: silentLog,
  });
  const host: { value?: Host } = {};
  const call: Parameters<typeof openTestLibrary>[0] = {
    call: async (id, method, input, options) => {
      if (method === 'search.query') return ask(input as SearchQueryInput, host.value);
      if (method !== 'indexer.index') return answerByFolder(id, method, input, options);
      const { files } = input as { readonly files: readonly { readonly path: string }[] };
      return { results: files.map(({ path }) => identify(path.split('/')[0] ?? '', items)) };
    },
    events: { emit: bus.emit, room: async () => undefined },
    selectPlayback: selectItemPlayback,
    entityProfile,
  };
  const library: TestLibrary = await openTestLibrary(call, undefined, [playbackMigrations]);
  const { database } = library.storage;
  host.value = hostOf(library);
  let asked = 0;
  const feed = createEventFeed({
    events: bus,
    entities: library.entities,
    clock: systemClock,
    feedId: 'life',
    isValid: async () => true,
    access: Object.assign({}, library.access, {
      filterVisible: async (...among: Parameters<typeof library.access.filterVisible>) => {
        asked += 1;
        return library.access.filterVisible(...among).finally(() => (asked -= 1));
      },
    }),
  });
  library.entityUpkeep.follow(watchedCounts);
  library.entityUpkeep.follow(createAutoCollections({ database, newId, now: Date.now }));
  const collections = new Collections({
    ...library,
    database,
    events: bus,
    newId,
    now: Date.now,
  });

  const libraryIds: Record<string, string> = {};
  for (const [name, { hidden }] of Object.entries(libraries)) {
    const root = `file:///${name.toLowerCase()}`;
    const { id } = await library.libraries.create({ name, type: 'movies', roots: [root], hidden });
    libraryIds[name] = id;
    const words = Object.keys(items).filter((word) => items[word]?.library === name);
    const files = words.map((word) => `${root}/${word}/${word}.mkv`).sort();
    await library.reconcile({
      libraryId: id,
      root,
      files: files.map((uri) => ({ uri, size: 1, modifiedAt: 1 })),
      ...{ after: null, through: null, unreadable: [] },
    });
  }
  const rows = await database
    .read('items')
    .select<{ id: string; no: number; title: string }[]>('*');
  const itemIds: Record<string, string> = {};
  for (const { id, no, title } of rows) {
    const word = title.slice(titleOf('').length);
    itemIds[word] = id;
    await decorate(library, { no, word, library: items[word]?.library ?? '' });
  }
  await library.entityUpkeep.sweep();

  const viewers = new Map<string, Viewer>();
  const household: Omit<Household, 'app' | 'sessions'> & Pick<RouteParts, 'cache'> = {
    cache: createResponseCache({ database }),
    ...library,
    feed,
    bus,
    collections,
    entries: createEntries({ ...library, database, events: bus, newId, now: Date.now }),
    libraryIds,
    itemIds,
    license: false,
    viewers,
    settled: async () => {
      do await new Promise(setImmediate);
      while (asked > 0);
      await new Promise(setImmediate);
    },
    index: async () => {
      const handler = search.methods?.['search.index'];
      if (handler && host.value) await handler({ rebuild: true }, host.value);
    },
    close: async () => {
      await app.close();
      await library.close();
    },
  };
  const parts = routeParts(household, call.call);
  const app: HttpApp = await createTestApp(allRoutes(parts), {
    authenticate: async ({ authorization = '' }) => {
      const viewer = viewers.get(householdLinks.viewerName(authorization));
      return viewer ? { viewer, isLocked: false, routes: null } : null;
    },
    hasActiveLicense: () => opened.license,
    security: { ...testSecurity, readLink: householdLinks.read },
  });
  const opened: Household = Object.assign(household, { app, sessions: parts.sessions });
  await opened.index();
  return opened;
}

function identify(word: string, items: Readonly<Record<string, HouseItem>>): object {
  const { certification, genres = [], episode } = items[word] ?? { library: '' };
  const named = (names: readonly string[], metadata = {}) =>
    names.map((name) => ({ name, status: 'complete', source: 'test', metadata }));
  const library = items[word]?.library.toLowerCase() ?? '';
  const imageUrl = `file:///${library}/${word}/actor.png`;
  return {
    title: titleOf(word),
    metadata: {
      ...(certification !== undefined && { certification }),
      ...(episode !== undefined && { season: 1, episode }),
    },
    entities: {
      actor: [...named(['Everybody']), ...named([`Person ${word}`], { imageUrl })],
      genre: named(genres),
      ...(episode !== undefined && { show: named(['The Show']) }),
    },
  };
}

/** A chapter, a picture, subtitles and lyrics of the item, as an ingest leaves them. */
async function decorate(
  { storage: { database } }: TestLibrary,
  item: { readonly no: number; readonly word: string; readonly library: string },
): Promise<void> {
  const time = { created_at: 1, updated_at: 1 };
  await database.write(async (trx) => {
    const file = await trx('files')
      .where('item_no', item.no)
      .first<{ no: number; uri: string; library_no: number }>('no', 'uri', 'library_no');
    await trx('files').where('no', file.no).update({ has_chapters: true });
    const chapter = { id: newId(), file_no: file.no, title: `Chapter ${item.word}` };
    const rest = { source: 'embedded', start_time: 0, role: 'chapter', ...time };
    await trx('chapters').insert({ ...chapter, ...rest });
    const uri = `file:///${item.library.toLowerCase()}/${item.word}/poster.png`;
    const picture = { id: newId(), item_no: item.no, type: 'poster', uri, source: 'test' };
    await trx('assets').insert(picture);
    const assets = JSON.stringify({ poster: `/api/assets/${picture.id}` });
    const subtitles = [];
    for (const [at, format] of ['srt', 'lrc'].entries()) {
      const beside = file.uri.replace(/mkv$/, format);
      const folder = file.uri.slice(0, file.uri.lastIndexOf('/'));
      await trx('files').insert({
        ...{
          no: 1_000_000 + item.no * 10 + at,
          id: newId(),
          item_no: item.no,
          uri: beside,
          folder,
        },
        ...{ library_no: file.library_no, type: 'auxiliary', classification: 'companion' },
        ...{ status: 'active', size: 1, modified_at: 1, ...time },
      });
      const owner = { mediaFileUri: file.uri, source: 'test' };
      subtitles.push({ type: 'external', format, uri: beside, ...owner });
    }
    const attachments = JSON.stringify({ subtitles, auxiliary: [] });
    await trx('items').where('no', item.no).update({ assets, attachments });
  });
}

async function ask(question: SearchQueryInput, host: Host | undefined): Promise<unknown> {
  const query = search.methods?.['search.query'];
  if (query === undefined || host === undefined) throw new Error('The search plugin is not open.');
  return query(question, host);
}

/** What the search plugin sees of the server. */
function hostOf({ service, storage }: TestLibrary): Host {
  const kept = new Map<string, unknown>();
  const ofLibrary = callService(service, { library: 'read' });
  const ofIndex = callService(createTextIndexService(storage.textIndex), { textIndex: true });
  const methods = (run: (name: string, input: unknown) => Promise<unknown>): object =>
    new Proxy({}, { get: (_, name) => (input: unknown) => run(String(name), input) });
  return {
    library: methods(async (name, input) => {
      const answer = await ofLibrary(name, input);
      return typeof answer === 'string' ? (JSON.parse(answer) as unknown) : answer;
    }),
    textIndex: methods(ofIndex),
    kv: {
      get: async ({ key }: { key: string }) => kept.get(key) ?? null,
      set: async ({ key, value }: { key: string; value: unknown }) => void kept.set(key, value),
    },
  } as unknown as Host;
}

/** The routes that show nothing of the libraries are not called here. */
function routeParts(
  household: Omit<Household, 'app' | 'sessions'>,
  call: Parameters<typeof createMatching>[0]['call'] = answerByFolder,
): RouteParts {
  const { items, libraries, files, mayView, storage, bus } = household;
  const { database } = storage;
  const emit = bus.emit as Parameters<typeof createIngestion>[0]['emit'];
  const ingestion = createIngestion({
    ...household,
    database,
    claims: testReferences().claims,
    call,
    providers: () => [],
    capabilityConfigOf: () => ({}),
    answersVersionOf: () => 1,
    hooks: { ...noHooks, hasSubscribers: () => false, requiresLocalFile: () => false } as never,
    fingerprints: async () => new Map(),
    withLocalFiles: (_uris, work) => work(new Map()),
    retryQueue: { note: async () => undefined },
    isAutomatic: false,
    absentProbes: () => [],
    booted: async () => undefined,
    emit,
    background: { batchSize: async (wanted) => wanted },
    clock: systemClock,
    log: silentLog,
  });
  const source = (uri: string) => ({
    size: uri.length,
    modifiedAt: 1,
    stream: async () => Readable.from([Buffer.from(uri)], { objectMode: false }),
    read: async (offset: number, length: number) =>
      Buffer.from(uri).subarray(offset, offset + length),
    close: async () => undefined,
  });
  const reads = {
    open: async (uri: string) => source(uri),
    // The kind of a picture is read from its first bytes, and that of a font from four.
    read: async ({ length }: { length: number }) => (length === 4 ? Buffer.from('OTTO') : png),
  } as unknown as FileReads;
  const openAsset = createAssets({
    files,
    filesystems: { within: () => reads, servedBy: () => reads },
    still: () => Promise.reject(new Error('no stills')),
    artwork: () => Promise.reject(new Error('no artwork')),
    fetchPicture: () => Promise.reject(new Error('no network')),
    sizedPictures: { make: async () => null, keyOf: () => '' },
    looks: { remember: async () => undefined },
  });
  const opening = { ...reads, open: async (uri: string) => source(uri) };
  const shown = {
    playback: createPlayback({ ...household, database, events: bus, now: Date.now }),
    streams: createStreams({ files, filesystems: { within: () => opening }, openAsset }),
    texts: new Texts({
      files,
      items,
      filesystems: { within: () => reads, servedBy: () => reads },
      givenTexts: {
        hashOf: async () => undefined,
        read: async () => undefined,
        keep: async () => {},
      },
      fetchText: () => Promise.reject(new Error('no network')),
      embedded: {
        text: () => Promise.reject(new Error('no embedded text')),
        subtitle: () => Promise.reject(new Error('no embedded pictures')),
        fonts: async ({ uri }) => [{ name: `${uri}.ttf`, offset: 0, length: 8 }],
      },
      convert: async ({ version }, { to }) => {
        const lyrics = { synced: false, lines: [{ startMs: 0, text: version }] };
        return Buffer.from(to === 'lyrics' ? JSON.stringify(lyrics) : `WEBVTT\n\n${version}`);
      },
    }),
  };
  const unreachable: object = new Proxy(
    { close: () => undefined },
    { get: (known, name) => Reflect.get(known, name) ?? unreachable },
  );
  const parts: Partial<RouteParts> = {
    ...household,
    ingestion,
    matching: createMatching({
      database,
      items,
      libraries,
      call,
      providers: () => [],
      nameOf: (id) => id,
      fetchPicture: async () => ({ mimeType: 'image/png', bytes: new Uint8Array() }),
      refresh: ([id], viewer) => ingestion.refreshItem(id, viewer),
      now: Date.now,
      log: silentLog,
    }),
    sources: createSources({
      ...household,
      database,
      nameOf: (id) => id,
      mergeAgain: ingestion.mergeAgain,
    }),
    pictureUploads: createPictureUploads({
      items: household.items,
      entities: household.entities,
      profiles: unreachable as RouteParts['profiles'],
      makePicture: async () => null,
      looks: household.pictureLooks,
    }),
    mediaLinks: createMediaLinks({
      files,
      tokens: { create: () => ({ token: 'link', expiresAt: '2026-11-21T12:00:00.000Z' }) },
      publicUrl: null,
    }),
    marks: createMarks({ ...household, database, events: household.bus, now: Date.now }),
    ...shown,
    ...createHouseholdPlayer(household, {
      ...{ ...shown, reads },
      hasActiveLicense: () => (household as Household).license,
    }),
    home: createHome({
      ...{ ...household, database, clock: systemClock },
      playback: shown.playback,
      views: { isAsked: () => false, collect: async () => [] },
      preferences: { homeRows: async () => [] },
    }),
    views: createPluginViews({
      mayView,
      maySend: async () => true,
      callAction: async () => 'null',
      pace: { take: () => undefined },
      toPlugins: testPluginViewers().toPlugins,
      views: {
        collect: async (_name, context) => [
          {
            type: 'action',
            pluginId: 'a-plugin',
            slot: 'detail-actions',
            id: 'shown',
            label: JSON.stringify(context),
            rpcMethod: 'show',
          },
        ],
        askedFor: () => ['a-plugin'],
      },
    }),
  };
  return new Proxy(parts, {
    get: (known, name) => Reflect.get(known, name) ?? unreachable,
  }) as RouteParts;
}
