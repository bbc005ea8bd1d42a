/** A library domain over a real database, with plugins that answer as a test wants. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../kernel/index.ts';
import { type Database, type MigrationSet, type Storage } from '../../../kernel/store/index.ts';
import type { Identification, ReconcileInput, ReconcileResult } from '../../../plugin-api/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import {
  collectionMigrations,
  findCollectionItems,
} from '../../../src/viewing/collections/index.ts';
import { profileItems } from '../../../src/viewing/playback/index.ts';
import {
  createLibraryDomain,
  libraryMigrations,
  type LibraryDomain,
} from '../../../src/library/catalogue/index.ts';
import { type LibraryDomainParts } from '../../../src/library/catalogue/library-domain.ts';
import { matchingMigrations } from '../../../src/library/matching/index.ts';
import { createUuidV7 } from '../../../src/platform/uuid-v7.ts';
import { testReferences } from './references.ts';
import { newDatabase, openStorageAt } from '../storage/storage.ts';
import { testPluginViewers } from '../plugins/plugin-viewers.ts';

/** An event as it was emitted. */
export interface EmittedEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface TestLibrary extends LibraryDomain {
  readonly storage: Storage;
  readonly events: EmittedEvent[];
  /** Calls `host.library.reconcile` as the kernel does, past its schema. */
  readonly reconcile: (page: ReconcileInput) => Promise<ReconcileResult>;
  /** Deletes the database. */
  readonly close: () => Promise<void>;
}

/** What a name says to the indexer of the tests: `Title (Year)/file`, grouped by the folder. */
export function identifyByFolder(file: string): Identification {
  const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : file;
  const [, title = folder, year] = /^(.*?)(?: \((\d{4})\))?$/.exec(folder) ?? [];
  return {
    title,
    metadata: { path: file, ...(year !== undefined && { year: Number(year) }) },
    entities: { genre: [{ name: title.slice(0, 1), status: 'pending', source: 'test' }] },
  };
}

/** Opens a domain whose indexer and library plugin are `identifyByFolder`, unless told otherwise. */
export async function openTestLibrary(
  parts: Partial<LibraryDomainParts> = {},
  wrapDatabase: (database: Database) => Database = (database) => database,
  furtherMigrations: readonly MigrationSet[] = [],
): Promise<TestLibrary> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-library-'));
  const migrations = [
    ...[libraryMigrations, collectionMigrations, matchingMigrations],
    ...furtherMigrations,
  ];
  const { url, remove } = await newDatabase(folder, { migrations });
  const storage = await openStorageAt(url, { migrations });
  const events: EmittedEvent[] = [];
  const domain = createLibraryDomain({
    audit: async () => undefined,
    database: wrapDatabase(storage.database),
    call: answerByFolder,
    providers: () => ['by-folder'],
    libraryTypes: () => ['movies', 'tv', 'music', 'photos', 'books', 'audiobooks'],
    expected: () => [],
    capabilityConfigOf: () => ({}),
    usesNetwork: () => false,
    filesystemFor: () => 'disk',
    ...testReferences(),
    validateRoot: async () => ({ ok: true }),
    assertRoom: async () => undefined,
    hooks: noHooks,
    events: {
      emit: (type, data) => void events.push({ type, data: { ...data } }),
      room: async () => undefined,
    },
    scanner: { step: async () => ({ done: true }) },
    background: { waitForSlot: async () => undefined, batchSize: async (wanted) => wanted },
    onSilentChanges: () => undefined,
    onProblems: () => undefined,
    toPlugins: testPluginViewers().toPlugins,
    selectPlayback: neverPlayed,
    entityProfile: silentProfile,
    profileItems,
    findCollectionItems,
    inspectRoot: async () => ({ isEmpty: false, volume: null }),
    fingerprints: async () => new Map(),
    missingDays: 30,
    clock: systemClock,
    newId: createUuidV7({ now: Date.now }),
    now: Date.now,
    log: silentLog,
    ...parts,
  });
  const close = async (): Promise<void> => {
    await storage.close();
    await remove();
    await rm(folder, { recursive: true });
  };
  return { ...domain, storage, events, reconcile: reconcileOf(domain), close };
}

/** A profile that says nothing of entities; there are no tables of playback. */
export const silentProfile: LibraryDomainParts['entityProfile'] = {
  marks: async () => new Map(),
  isFavourite: () => ({ sql: '1 = 0', bindings: [] }),
  watched: async () => new Map(),
  plays: () => ({ sql: '(select 0 as entity_no, 0 as plays)', bindings: [] }),
};

/** What was played where nothing ever was. */
export const neverPlayed: LibraryDomainParts['selectPlayback'] = (profileId, members) => ({
  columns: {
    item_id: 'id',
    completed: 'no',
    position: 'no',
    duration: 'no',
    play_count: 'no',
    last_played_at: 'no',
    favourite_at: 'no',
    rating: 'no',
  },
  from: `items where '' = ? and id in ${members}`,
  bindings: [profileId],
});

/** Hooks that nobody subscribed to. */
export const noHooks: LibraryDomainParts['hooks'] = {
  run: async () => ({ answers: [], skipped: [] }),
};

/** Answers every method as a plugin that sees folders as items. */
export const answerByFolder: LibraryDomainParts['call'] = async (_pluginId, method, input) => {
  const { files = [] } = input as { files?: readonly { path: string }[] };
  if (method === 'indexer.supports') return true;
  if (method === 'indexer.index')
    return { results: files.map((file) => identifyByFolder(file.path)) };
  if (method === 'library.describe') return { extensions: ['mkv'] };
  if (method === 'library.group')
    return { keys: files.map((file) => path.posix.dirname(file.path)) };
  throw new Error(`Nobody answers ${method}.`);
};

function reconcileOf({ service }: LibraryDomain): TestLibrary['reconcile'] {
  const method = service.methods['reconcile'];
  if (method === undefined) throw new Error('host.library has no reconcile.');
  const run = method.run as (page: ReconcileInput, caller: object) => Promise<unknown>;
  return async (page) => (await run(page, { viewer: null })) as ReconcileResult;
}
