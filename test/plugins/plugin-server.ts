/** A kernel's plugins with everything real around them: sandbox, database, events, hooks, views. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDispatcher, type Dispatcher } from '../../kernel/call/dispatch.ts';
import { createEventBus, type EventBus } from '../../kernel/call/events/index.ts';
import { createHookChains, type HookChains } from '../../kernel/call/hooks/index.ts';
import {
  createSandboxes,
  type Sandboxes,
  type SandboxesOptions,
} from '../../kernel/run/sandbox/index.ts';
import {
  createKvService,
  createTextIndexService,
  type Database,
  type Storage,
} from '../../kernel/store/index.ts';
import { createViewAggregator, type ViewAggregator } from '../../kernel/call/views/index.ts';
import {
  createPlugins,
  createServices,
  pluginMigrations,
  type Clock,
  type Plugins,
  type Verdict,
} from '../../kernel/run/index.ts';
import type { PackageDisk } from '../../kernel/run/installation/package-folders.ts';
import type { HostService } from '../../kernel/call/host-service.ts';
import { silentLog } from '../../kernel/log.ts';
import type { EventEnvelope } from '../../plugin-api/index.ts';
import { createSecretBox, openServerKey } from '../../src/platform/secrets/index.ts';
import { isOverPostgres, temporaryDatabase } from '../support/storage/postgres.ts';
import { openStorageAt } from '../support/storage/storage.ts';

const dist = path.resolve(import.meta.dirname, '../../dist');

/** A data folder with plugins in it. */
export interface PluginFolder {
  readonly data: string;
  readonly database: string;
  /** Writes a package; `manifest` is completed with what every manifest must have. */
  readonly add: (
    manifest: Readonly<Record<string, unknown>> & { readonly id: string },
    source: string,
    place?: 'plugins' | 'builtins',
  ) => Promise<string>;
  readonly remove: () => Promise<void>;
}

/** What runs over such a folder. */
export interface PluginServer {
  readonly plugins: Plugins;
  readonly events: EventBus;
  readonly hooks: HookChains;
  readonly views: ViewAggregator;
  readonly dispatcher: Dispatcher;
  readonly storage: Storage;
  /** What the server did with packages by itself. */
  readonly witnessed: readonly string[];
  /** Providers that were lost. */
  readonly told: readonly string[];
  /** Every event so far. */
  readonly heard: readonly EventEnvelope[];
  /** Resolves with the next event that fits, or an earlier one that does. */
  readonly until: (fits: (event: EventEnvelope) => boolean) => Promise<EventEnvelope>;
  readonly stop: () => Promise<void>;
}

/** What a test puts between the plugins and what they stand on. */
export interface ServerFaults {
  readonly database?: (database: Database) => Database;
  readonly disk?: PackageDisk;
  readonly sandboxes?: (start: Sandboxes['start']) => Sandboxes['start'];
  readonly clock?: Clock;
  readonly isolation?: Pick<SandboxesOptions, 'isolation' | 'wrappers'>;
  /** Who says what must not run. */
  readonly verdict?: Verdict;
}

/** Makes an empty data folder. */
export async function createPluginFolder(): Promise<PluginFolder> {
  const data = await mkdtemp(path.join(tmpdir(), 'vitrine-plugins-'));
  if (!isOverPostgres) return openPluginFolder(data, `sqlite:${path.join(data, 'vitrine.db')}`);
  const { url, remove } = await temporaryDatabase();
  const folder = openPluginFolder(data, url);
  return { ...folder, remove: () => folder.remove().then(remove) };
}

/** A data folder that is there already, and its database. */
export function openPluginFolder(data: string, database: string): PluginFolder {
  return {
    data,
    database,
    add: async (manifest, source, place = 'plugins') => {
      const folder = path.join(data, place, manifest.id.replaceAll('/', '+'));
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(complete(manifest)));
      await writeFile(path.join(folder, 'index.js'), source);
      return folder;
    },
    remove: () => rm(data, { recursive: true, force: true }),
  };
}

function complete(manifest: Readonly<Record<string, unknown>>): object {
  return {
    manifestVersion: 1,
    name: manifest['id'],
    version: '1.0.0',
    description: 'Written by a test.',
    author: 'A test',
    license: 'MIT',
    main: 'index.js',
    minVersion: '>=0.1.0',
    capabilities: [],
    mediaTypes: [],
    permissions: {},
    ...manifest,
  };
}

/** Starts the plugins of a folder, and waits until all have been started. */
export async function startPluginServer(
  folder: PluginFolder,
  services: readonly HostService[] = [],
  faults: ServerFaults = {},
): Promise<PluginServer> {
  const log = silentLog;
  const serverKey = openServerKey({ dataFolder: folder.data, random: randomBytes });
  const storage = await openStorageAt(folder.database, { migrations: [pluginMigrations] });
  const sandboxes = createSandboxes({
    nodePath: process.execPath,
    hostScript: path.join(dist, 'plugin-host.mjs'),
    guestRuntime: await readFile(path.join(dist, 'guest-runtime.js'), 'utf8'),
    ...faults.isolation,
    log,
  });
  const dispatcher = createDispatcher({ find: (id) => plugins.lifecycle.running(id), log });
  const events = createEventBus({
    dispatcher,
    log,
    canReceive: (id, type) => plugins.grants.canReceive(id, type),
  });
  const hooks = createHookChains({ dispatcher, log });
  const views = createViewAggregator({
    dispatcher,
    log,
    actionsOf: (id) => plugins.actions.of(id),
  });
  const registry = createServices();
  const own = [createKvService(storage.kv), createTextIndexService(storage.textIndex)];
  for (const service of [...own, ...services]) registry.provide(service);
  const witnessed: string[] = [];
  const told: string[] = [];
  const plugins = createPlugins({
    sandboxes: { start: faults.sandboxes?.(sandboxes.start) ?? sandboxes.start },
    dispatcher,
    events,
    hooks,
    views,
    database: faults.database?.(storage.database) ?? storage.database,
    packagesFolder: path.join(folder.data, 'packages'),
    ...(faults.disk && { packageDisk: faults.disk }),
    ...(faults.clock && { clock: faults.clock }),
    onPackageChange:
      ({ what, reason }) =>
      async () =>
        void witnessed.push(`${what}: ${reason}`),
    onLostProvider: ({ pluginId, keys, why, instead }) =>
      void told.push(`${pluginId} ${keys.join(' ')}: ${why}, now ${String(instead)}`),
    forgetIndex: storage.textIndex.forget,
    keptBytes: { kv: storage.kv.usedBytes, textIndex: storage.textIndex.bytes },
    services: registry,
    secretSeal: createSecretBox(serverKey, randomBytes),
    sources: [
      { folder: path.join(folder.data, 'builtins'), type: 'builtin' },
      { folder: path.join(folder.data, 'plugins'), type: 'local' },
    ],
    cacheFolder: path.join(folder.data, 'cache'),
    serverVersion: '0.1.0',
    newId: randomUUID,
    log,
  });

  const heard: EventEnvelope[] = [];
  const waiting = new Set<() => void>();
  for (const pattern of ['*.*', '*.*.*']) {
    events.listen(pattern, (event) => {
      heard.push(event);
      for (const look of waiting) look();
    });
  }

  function until(fits: (event: EventEnvelope) => boolean): Promise<EventEnvelope> {
    return new Promise((resolve) => {
      const look = () => {
        const found = heard.find(fits);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  }

  if (faults.verdict) plugins.installs.setRevocationRule(faults.verdict);
  await plugins.lifecycle.start();
  await plugins.lifecycle.booted();
  return {
    plugins,
    told,
    events,
    hooks,
    views,
    dispatcher,
    storage,
    witnessed,
    heard,
    until,
    stop: async () => {
      await plugins.lifecycle.stop();
      await sandboxes.stop();
      await storage.close();
    },
  };
}
