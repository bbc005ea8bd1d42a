/**
 * One life of the server's domains, without HTTP and without isolates: `node <bundle> <data> <until>`.
 * It opens the database, says what it finds there, and works: it scans by jobs, writes the store of a
 * plugin, the audit log and backups. What was acknowledged it says at once, so that the test that kills it
 * knows. With `idle` it lets the jobs end and ends itself; with `killed` it goes on until it is killed.
 */
import { mkdirSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { silentLog } from '../../kernel/index.ts';
import { openStorage, type Storage } from '../../kernel/store/index.ts';
import { createAudit } from '../../src/platform/audit/index.ts';
import { copiedDatabase, makeBackup, verifyBackup } from '../../src/operations/backups/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { migrations } from '../../src/compose/index.ts';
import { checkIntegrity } from '../../src/operations/integrity/index.ts';
import { findCollectionItems } from '../../src/viewing/collections/index.ts';
import { profileItems } from '../../src/viewing/playback/index.ts';
import { Jobs } from '../../src/work/jobs/index.ts';
import { createLibraryDomain } from '../../src/library/catalogue/index.ts';
import { createUuidV7 } from '../../src/platform/uuid-v7.ts';
import { answerByFolder, neverPlayed, silentProfile, noHooks } from '../support/library/library.ts';
import { testReferences } from '../support/library/references.ts';
import type { Acknowledgement, LifeState } from '../support/faults/killed-lives.ts';
import { testPluginViewers } from '../support/plugins/plugin-viewers.ts';

const [data = '', until = 'killed'] = process.argv.slice(2);
const root = 'file:///films';
const [pageSize, filmsPerScan, keys, backups] = [25, 100, 16, 4];
const say = (line: { state: LifeState } | { promise: Acknowledgement }): void =>
  void writeSync(1, `${JSON.stringify(line)}\n`);
const ack = (what: Acknowledgement['what'], name: string, value: number | string): void =>
  say({ promise: { what, name, value } });

// A killed process leaves nothing else for the next one.
flushCompileCache();
const databaseFile = path.join(data, 'vitrine.db');
const folder = path.join(data, 'backups');
mkdirSync(folder, { recursive: true });
const storage = await openStorage({
  url: `sqlite:${databaseFile}`,
  migrations,
  keepsCopy: true,
  log: silentLog,
});
const { database, kv } = storage;
const newId = createUuidV7({ now: Date.now });
const audit = createAudit({ database, clock: systemClock, log: silentLog });
const library = createLibraryDomain({
  database,
  audit: audit.inTransaction,
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
  events: { emit: () => undefined, room: async () => undefined },
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
  newId,
  now: Date.now,
  log: silentLog,
});

say({ state: await stateOf(storage) });
await library.libraries.open();
const libraryId = await theLibrary();
const jobs = new Jobs({
  database,
  emit: () => undefined,
  background: { waitForSlot: async () => undefined },
  clock: systemClock,
  newId,
  log: silentLog,
  libraryExists: async () => true,
});
jobs.register('scan', {
  step: async (job, checkpoint) => scanPage(Number(job.payload['films']), checkpoint),
});
await jobs.start();

if (until === 'idle') {
  await jobs.idle();
  say({ state: await stateOf(storage) });
  await jobs.stop();
  await storage.close();
} else {
  await Promise.all([scanAgain(jobs), writeStore(), writeAudit(), backUp()]);
}

async function theLibrary(): Promise<string> {
  const known = await database.read('libraries').first<{ id: string } | undefined>('id');
  if (known !== undefined) return known.id;
  return (await library.libraries.create({ type: 'movies', name: 'Films', roots: [root] })).id;
}

function uriOf(film: number): string {
  const name = `Film%20${String(film).padStart(6, '0')}`;
  return `${root}/${name}/${name}.mkv`;
}

/** One page of a scan of so many films; where the last one was killed, the next life begins with it. */
async function scanPage(films: number, checkpoint: unknown) {
  const from = typeof checkpoint === 'number' ? checkpoint : 0;
  const to = Math.min(from + pageSize, films);
  const files = Array.from({ length: to - from }, (_, at) => ({
    ...{ uri: uriOf(from + at), size: 1, modifiedAt: 1 },
  }));
  const method = library.service.methods['reconcile'];
  if (method === undefined) throw new Error('host.library has no reconcile.');
  const run = method.run as (page: object, caller: object) => Promise<unknown>;
  const page = {
    ...{ libraryId, root, files, unreadable: [] },
    after: from === 0 ? null : uriOf(from - 1),
    through: to === films ? null : uriOf(to - 1),
  };
  await run(page, { viewer: null });
  ack('films', 'films', to);
  if (to === films) return { done: true as const };
  return { done: false as const, checkpoint: to, progress: to / films };
}

async function scanAgain({ enqueue, idle }: Jobs): Promise<never> {
  for (;;) {
    await idle();
    const { length } = await database.read('files').select('no');
    await enqueue({ type: 'scan', libraryId, payload: { films: length + filmsPerScan } });
  }
}

async function writeStore(): Promise<never> {
  for (let turn = Date.now(); ; turn++) {
    const key = `key-${turn % keys}`;
    await kv.set('plugin', { key, json: String(turn) }, 100_000);
    ack('kv', key, turn);
  }
}

async function writeAudit(): Promise<never> {
  for (;;) {
    await audit.record({
      actor: 'server',
      action: 'plugin.enabled',
      change: 'event',
      target: null,
    });
    const [head] = await database.read('audit_head').pluck('seq');
    ack('audit', 'head', Number(head));
  }
}

async function backUp(): Promise<never> {
  const url = `sqlite:${databaseFile}`;
  const source = copiedDatabase({ url, read: database.read, searchPath: '', log: silentLog });
  for (let turn = 0; ; turn++) {
    const name = await makeBackup(`turn-${turn % backups}`, 'none', {
      ...{ database: source, dataFolder: data, folder },
      ...{ serverVersion: '0', nowMs: Date.now() },
    });
    ack('backup', 'last', name);
    await verifyBackup(path.join(folder, name));
  }
}

/** What is there, and what of it is not as it has to be. */
async function stateOf({ database: { read } }: Storage): Promise<LifeState> {
  const entries = await read('kv_entries').select<{ key: string; value: string }[]>('key', 'value');
  const uris = new Set(await read('files').pluck<string[]>('uri'));
  const items = new Set(
    await read('items').whereRaw(`status <> 'missing'`).pluck<string[]>('title'),
  );
  let films = 0;
  while (uris.has(uriOf(films))) films += 1;
  const [head] = await read('audit_head').pluck('seq');
  return {
    faults: (await checkIntegrity(read)).map(({ message }) => message),
    kv: Object.fromEntries(entries.map(({ key, value }) => [key, Number(value)])),
    films,
    files: uris.size,
    items: items.size,
    audit: Number(head ?? 0),
    failedJobs: (await read('jobs').where({ status: 'failed' }).pluck('id')).length,
    openJobs: (await read('jobs').whereIn('status', ['pending', 'running']).pluck('id')).length,
  };
}
