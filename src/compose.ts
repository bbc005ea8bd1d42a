/**
 * The composition root: the only file that knows all the parts. It builds each part once and hands
 * it on; the process and the tests start the server with it. Started last, stopped first: whatever
 * takes work from outside.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import {
  createIndexReader,
  createKernel,
  createManifestReader,
  isNewer,
  openStorage,
  pluginMigrations,
  type EventBus,
  type Kernel,
  type Log,
  type MigrationSet,
  type Storage,
  type Transaction,
} from '../kernel/index.ts';
import {
  accountMigrations,
  createAccounts,
  createAttemptGate,
  createInvites,
  createPasswords,
  createProfileDomain,
  createReachability,
  inviteMigrations,
  profileMigrations,
  serverViewer,
} from './accounts/index.ts';
import { auditMigrations, createAudit } from './audit/index.ts';
import { createBackups, stageRestore, type StagedRestore } from './backups/index.ts';
import { steadyOf, systemClock, type Clock } from './clock.ts';
import { clusterMigrations, openCluster, type Cluster, type Duty } from './cluster/index.ts';
import { createConsole } from './console/index.ts';
import {
  collectionMigrations,
  collectionsOfProfiles,
  createCollections,
  createKeptCollections,
} from './collections/index.ts';
import { touchesDataFolder } from './data-folder.ts';
import { ConfigError, type Config, type LibraryOption } from './config.ts';
import { createDisk, watchTree } from './disk/index.ts';
import { AppError } from './errors.ts';
import { createEventFeed } from './event-feed/index.ts';
import { createEventLog, createMayTell, eventLogMigrations } from './event-log/index.ts';
import {
  createDiskRoots,
  createFilesystems,
  createFsService,
  createLocalCopies,
  createLookAtRoot,
} from './filesystems/index.ts';
import { allRoutes, createHttpApp, createKeptReplies, type Readiness } from './http/index.ts';
import {
  createEveryLibraryRunner,
  createJobs,
  createJobsService,
  createPluginRunner,
  jobMigrations,
} from './jobs/index.ts';
import { createIngestion } from './ingestion/index.ts';
import {
  createLibraryDomain,
  createSearchUpkeep,
  libraryMigrations,
  type MakeFingerprints,
  type ValidateRoot,
} from './library/index.ts';
import {
  createHealth,
  createPluginAdmin,
  createPluginDirectory,
  createPluginDryRun,
  createPluginViews,
  createRefusalAudit,
  createStats,
} from './operations/index.ts';
import {
  createLaterQuestions,
  createMatching,
  createNewcomers,
  matchingMigrations,
} from './matching/index.ts';
import {
  createMarketplace,
  createPackageWitness,
  createSources,
  marketplaceMigrations,
} from './marketplace/index.ts';
import {
  createDiskCache,
  createNetwork,
  createOperatorFetch,
  createSourceFetch,
  pictureType,
} from './net/index.ts';
import {
  createDiskWatch,
  createNotifications,
  createNotificationsService,
  followEvents,
  notificationMigrations,
} from './notifications/index.ts';
import { createAuthority, createLicensing, licenseMigrations } from './license/index.ts';
import {
  createIdentity,
  identitiesOfUsers,
  identityMigrations,
  openServerIdentity,
} from './identity/index.ts';
import { createDatabaseCheck } from './integrity/index.ts';
import { createMetrics, databaseBytes, type Metrics } from './metrics/index.ts';
import { createLoadWatch, memoryUse } from './load-watch.ts';
import { createPace } from './pace.ts';
import { createPluginSecretsAdmin, secretsOfUsers } from './plugin-secrets/index.ts';
import { createPluginWakes, createScheduler, schedulerMigrations } from './scheduler/index.ts';
import { createSecretBox, openServerKey, derivedKey } from './secrets/index.ts';
import {
  createPlayback,
  createReadItemPlayback,
  playbackMigrations,
  playbackOfProfiles,
  selectItemPlayback,
} from './playback/index.ts';
import { createArtwork, createAssets, createMediaLinks, createStreams } from './streaming/index.ts';
import { createUuidV7 } from './uuid-v7.ts';
import { createUpdates, updateMigrations } from './updates/index.ts';
import { createWatching } from './watching/index.ts';
import { createWebhooks } from './webhooks/index.ts';

/** Where the built parts are. */
export interface BuiltParts {
  /** The folder with the plugin host, the guest runtime, the disk's thread and the built-ins. */
  readonly folder: string;
  readonly version: string;
}

/** A server that can be started once. */
export interface Vitrine {
  /** Resolves when it listens; the link is there as long as there is no user. */
  readonly start: () => Promise<{ readonly url: string; readonly setupUrl: string | null }>;
  /** Enqueues a scan of each library that the configuration names. */
  readonly scanLibraries: () => Promise<void>;
  /** Ends everything that was started; resolves when nothing is left. */
  readonly stop: (reason: string) => Promise<void>;
  /** An admin asked for a restore: whoever started the server ends it, and starts it with that. */
  readonly restoreAsked: Promise<StagedRestore>;
  /** For whoever shows what happens. */
  readonly events: Pick<EventBus, 'listen'>;
  readonly libraryName: (id: string) => string;
}

/** After these a search plugin may be far behind; single changes it hears of itself. */
const searchWakers = ['library.deleted', 'plugin.started', 'plugin.restarted'] as const;

/** After these entities may have lost items, or gained some. */
const entityTouchers = ['library.item.*', 'library.scan.*', 'library.deleted'] as const;

/** Of pictures that were cut out of media files, kept on the disk. */
const maxArtworkBytes = 512 * 1024 ** 2;

const libraryChanges = ['library.created', 'library.updated', 'library.deleted'] as const;

const stopTimeoutMs = 10_000;
/** How long clients of a server that ends are told so, where events take the way through PostgreSQL. */
const farewellMs = 500;
/** How long requests under way may still take; then what holds a connection, even idly, is cut. */
const requestsTimeoutMs = 3000;

/** The tables of every part, in the order in which they are made. */
export const migrations: readonly MigrationSet[] = [
  pluginMigrations,
  auditMigrations,
  accountMigrations,
  profileMigrations,
  inviteMigrations,
  jobMigrations,
  libraryMigrations,
  collectionMigrations,
  matchingMigrations,
  licenseMigrations,
  playbackMigrations,
  identityMigrations,
  marketplaceMigrations,
  notificationMigrations,
  schedulerMigrations,
  updateMigrations,
  eventLogMigrations,
  clusterMigrations,
];

/** Opens the storage and builds all parts over it. The last two are for tests. */
export async function createVitrine(
  config: Config,
  built: BuiltParts,
  log: Log,
  clock: Clock = systemClock,
  open: typeof openStorage = openStorage,
): Promise<Vitrine> {
  const metrics = createMetrics({ log });
  const storage = await open({
    url: config.database,
    ...(config.storageDriver !== 'auto' && { driver: config.storageDriver }),
    migrations,
    keepsCopy: true,
    observeWrites: metrics.write,
    log,
  });
  try {
    return await compose(config, built, { log, storage, clock, metrics });
  } catch (error) {
    await storage.close();
    throw error;
  }
}

interface ComposeParts {
  readonly log: Log;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

async function compose(
  config: Config,
  { folder, version }: BuiltParts,
  { log, storage, clock, metrics }: ComposeParts,
): Promise<Vitrine> {
  const now = clock.now;
  const steady = steadyOf(clock);
  const newId = createUuidV7({ now });
  const pace = createPace(clock);
  const { database } = storage;
  const audit = createAudit({ database, clock, log });
  const refusals = createRefusalAudit({
    record: (entry) => {
      audit
        .record(entry)
        .catch((err: unknown) => log.error({ err }, 'A refusal was not noted in the audit log.'));
    },
    clock,
  });
  const server = openServerIdentity(config.data);
  const serverKey = openServerKey({ dataFolder: config.data, random: randomBytes });
  const secrets = createSecretBox(serverKey, randomBytes);
  const cluster: Cluster | null =
    storage.shared &&
    (await openCluster({
      shared: storage.shared,
      read: database.read,
      keyPrint: derivedKey(serverKey, `vitrine cluster ${server.serverId}`).toString('hex'),
      version,
      clock,
      log,
    }));
  const kernel: Kernel = createKernel({
    storage,
    isShared: cluster !== null,
    ...(cluster && { relay: cluster.relay }),
    nodePath: process.execPath,
    hostScript: path.join(folder, 'plugin-host.mjs'),
    guestRuntime: readFileSync(path.join(folder, 'guest-runtime.js'), 'utf8'),
    pluginSources: [
      { folder: path.join(folder, 'builtin-plugins'), type: 'builtin' },
      { folder: path.join(config.data, 'plugins'), type: 'local' },
    ],
    cacheFolder: path.join(config.data, 'cache/plugins'),
    packagesFolder: path.join(config.data, 'packages'),
    witness: createPackageWitness({
      audit: audit.inTransaction,
      tell: (notice) => tell(notice),
    }),
    secretSeal: secrets,
    hasSecretScope: async (scope) =>
      'libraryId' in scope
        ? library.libraries.exists(scope.libraryId)
        : (await accounts.users.find(scope.userId)) !== undefined,
    serverVersion: version,
    observeCalls: ({ pluginId, method, name }, { kind: outcome, durationMs }) =>
      metrics.call({ pluginId, method, outcome, durationMs, ...(name !== undefined && { name }) }),
    onRefusal: (refusal) => refusals.note(refusal),
    onTextHits: (...found) => library.onTextHits(...found),
    newId,
    log,
  });
  const { events, hooks, plugins, views, call, provide } = kernel;
  /** What happens on any of the servers of the database; for what is done once for all of them. */
  const everywhere: Pick<EventBus, 'listen'> = cluster?.events ?? events;
  const isKeeper = cluster?.isKeeper ?? (() => true);
  const notifications = createNotifications({ database, emit: events.emit, clock, newId, log });
  const { tell } = notifications;
  const licensing = createLicensing({
    database,
    secrets,
    issuer: config.licenseIssuer,
    authority:
      config.licenseAuthority === null
        ? null
        : createAuthority({
            url: config.licenseAuthority,
            serverId: server.serverId,
          }),
    call,
    provider: (capability) => plugins.provider(capability),
    audit: audit.inTransaction,
    tell,
    mayConfirm: isKeeper,
    clock,
    elapsed: () => performance.now(),
    random: Math.random,
    log,
  });
  const { hasActiveLicense } = licensing;
  events.listen('plugin.started', licensing.wake);
  const { capabilityConfigOf, filesystemFor, jobRunner, providers } = plugins;

  const roots = () => library.libraries.roots();
  const disk = createDisk({
    grantedRoots: createDiskRoots({ roots, filesystemFor }),
    workerScript: path.join(folder, 'disk-worker.mjs'),
    watchTree,
    newEpoch: newId,
    log,
  });
  const filesystems = createFilesystems({
    call,
    filesystemFor,
    hasLocalFiles: (id) =>
      plugins.get(id).capabilityConfig.filesystem?.supportsLocalFileAccess ?? false,
    roots,
    disk,
  });
  const validateRoot: ValidateRoot = async (uri) => {
    const answer = await filesystems.validate(uri);
    const local = answer.ok ? await filesystems.localPath(uri) : null;
    if (local === null || !touchesDataFolder(config.data, local)) return answer;
    return { ok: false, message: 'It holds the data folder of the server, or lies in it.' };
  };
  const localCopies = createLocalCopies({
    filesystems,
    folder: path.join(config.data, 'cache/local-files'),
    limitBytes: config.localCopiesGb * 1024 ** 3,
    newId,
    log,
  });
  const fingerprints: MakeFingerprints = async (uris) => {
    const made = await filesystems.fingerprints(uris);
    return new Map(uris.flatMap((uri, index) => (made[index] ? [[uri, made[index]]] : [])));
  };
  const scanner = createPluginRunner({ jobRunner, call });
  const library = createLibraryDomain({
    database,
    audit: audit.inTransaction,
    call,
    providers,
    capabilityConfigOf,
    usesNetwork: (id) => (plugins.grantedTo(id).net ?? []).length > 0,
    filesystemFor,
    validateRoot,
    hooks,
    events: cluster ? { emit: events.emit, room: cluster.room } : events,
    readPlayback: createReadItemPlayback({ database }),
    selectPlayback: selectItemPlayback,
    lookAtRoot: createLookAtRoot(filesystems),
    assertRoom: (trx) => licensing.assertRoom('libraries', trx),
    missingDays: config.missingDays,
    fingerprints,
    removed: (trx, libraryId) => plugins.secrets.forget(trx, { libraryId }),
    scanner,
    pace,
    onUntoldChanges: () => {
      if (isKeeper()) searchUpkeep.wake();
    },
    ...(cluster && {
      entityGeneration: (trx: Transaction) => cluster.generation(trx, 'entities'),
    }),
    clock: steady,
    newId,
    now,
    log,
  });
  const jobs = createJobs({
    database,
    emit: events.emit,
    pace,
    clock,
    newId,
    ...(cluster && { owner: cluster.processId }),
    log,
    libraryExists: (id) => library.libraries.exists(id),
  });
  const later = createLaterQuestions({
    database,
    refresh: (libraryId, itemIds) => ingestion.refreshLater(libraryId, itemIds),
    isOver: async (id) => {
      const job = await jobs.get(id, serverViewer).catch(nullWhereGone);
      return job === null || !['pending', 'running'].includes(job.status);
    },
    clock,
    log,
  });
  const newcomers = createNewcomers({
    ...library,
    database,
    call,
    providers,
    later,
    booted: plugins.booted,
    clock,
    log,
  });
  const ingestion = createIngestion({
    ...library,
    later,
    hooks,
    call,
    providers,
    capabilityConfigOf,
    fingerprints,
    withLocalFiles: async (uris, work) => {
      const held = await localCopies.hold(uris);
      try {
        return await work(held.paths);
      } finally {
        await held.release();
      }
    },
    emit: events.emit,
    mayFetch: (pluginId, url) => network.mayFetch(pluginId, url),
    absentProbes: () =>
      plugins
        .list({ capability: 'probe' })
        .filter(({ enabled, state }) => enabled && (state === 'starting' || state === 'failed'))
        .map(({ id, state }) => ({ pluginId: id, isComing: state === 'starting' })),
    booted: plugins.booted,
    isAutomatic: config.ingest === 'on',
    probeMs: config.probeSeconds * 1000,
    pace,
    clock,
    log,
  });
  ingestion.attach({ jobs, events });
  library.entityUpkeep.follow(createKeptCollections({ database, newId, now }));
  const searchUpkeep = createSearchUpkeep({ call, providers, clock: steady, log });
  for (const name of searchWakers) everywhere.listen(name, () => isKeeper() && searchUpkeep.wake());
  for (const name of ['library.scan.*', 'library.item.enriched'])
    everywhere.listen(name, () => isKeeper() && searchUpkeep.wakeSoon());
  for (const name of entityTouchers) events.listen(name, library.entityUpkeep.wake);
  events.listen('library.scan.completed', library.missingUpkeep.wake);
  const ofLibraries = {
    scan: ingestion.following(library.scans),
    probe: ingestion.probes,
    refresh: ingestion.refreshes,
  };
  const libraryIds = async () => (await library.libraries.list(serverViewer)).map(({ id }) => id);
  for (const [type, runner] of Object.entries(ofLibraries))
    jobs.register(type, createEveryLibraryRunner({ runner, jobs, libraryIds }));
  jobs.fallback(scanner);

  const watching = createWatching({
    libraries: library.libraries,
    filesystems,
    canWatch: (uri) => {
      const pluginId = filesystemFor(uri.slice(0, uri.indexOf(':')));
      if (pluginId === undefined) return undefined;
      return capabilityConfigOf(pluginId).filesystem?.supportsWatch ?? false;
    },
    jobs,
    rescanMs: config.rescanMinutes * 60_000,
    tell: (notice) => tell({ ...notice, source: 'libraries' }),
    clock: steady,
    log,
  });
  for (const name of libraryChanges) everywhere.listen(name, watching.refresh);
  everywhere.listen('job.failed', ({ data }) =>
    watching.jobFailed('jobId' in data ? data.jobId : null),
  );

  provide(disk.service);
  const network = createNetwork({
    cacheFolder: path.join(config.data, 'cache'),
    allowedHosts: config.netAllow,
    version,
    ratesOf: plugins.netRatesOf,
    lanesOf: plugins.netLanesOf,
    privateHosts: plugins.privateHostsOf,
    grantedHosts: (id) => plugins.grantedTo(id).net ?? [],
    openSecret: plugins.secrets.open,
    clock,
    log,
  });
  const openAsset = createAssets({
    files: library.files,
    filesystems,
    artwork: createArtwork({
      call,
      providers,
      capabilityConfigOf,
      filesystems,
      cache: createDiskCache({
        folder: path.join(config.data, 'cache/assets'),
        maxBytes: maxArtworkBytes,
        log,
      }),
      clock,
    }),
    fetchPicture: network.fetchPicture,
  });
  provide(network.service);
  provide(createFsService(filesystems, pace, roots));
  provide(library.service);
  provide(createJobsService(jobs));

  const passwords = createPasswords();
  const people = createProfileDomain({
    database,
    clock,
    newId,
    audit: audit.inTransaction,
    passwords,
    hasLibrary: (id) => library.libraries.nameOf(id) !== undefined,
    pictureType,
    assertRoom: (trx) => licensing.assertRoom('profiles', trx),
    followers: [playbackOfProfiles, collectionsOfProfiles],
  });
  const { acting, checkReach } = people;
  const accounts = createAccounts({
    database,
    audit,
    acting,
    checkReach,
    passwords,
    assertRoom: (trx) => licensing.assertRoom('users', trx),
    followers: [...people.followers, identitiesOfUsers, secretsOfUsers(plugins.secrets)],
    identitySessions: {
      principalOf: (token) => identity.sessions.principalOf(token),
      principalOfId: (id) => identity.sessions.principalOfId(id),
      isValid: (id) => identity.sessions.isValid(id),
      end: (viewer) => identity.sessions.end(viewer),
    },
    publicUrl: () => publicUrl(),
    ...(cluster && { catchUp: cluster.catchUp }),
    linkKey: derivedKey(serverKey, 'vitrine media link 1'),
    clock,
    newId,
    log,
  });
  accounts.users.onChange(acting.forget);
  const services = createOperatorFetch();
  const identity = createIdentity({
    database,
    accounts,
    server,
    identityUrl: config.identityUrl,
    serverUrl: () => publicUrl(),
    serverName: config.serverName,
    fetch: services.fetch,
    feedSettings: {
      minutes: config.identityFeedMinutes,
      maxAgeHours: config.identityMaxFeedAgeHours,
    },
    audit: audit.inTransaction,
    mayFollow: isKeeper,
    clock,
    newId,
    log,
  });
  const reachability = createReachability({ publicUrl: config.publicUrl, clock });
  const invites = createInvites({
    ...accounts,
    database,
    clock,
    newId,
    audit: audit.inTransaction,
    checkReach,
    gate: createAttemptGate(clock),
    reachability,
    serverUrl: () => publicUrl(),
    serverName: config.serverName,
  });
  const hostBytes = (): number => kernel.hosts().reduce((sum, { rssBytes }) => sum + rssBytes, 0);
  const loadWatch = createLoadWatch({ clock: steady, memory: () => memoryUse(hostBytes), log });
  const feed = createEventFeed({
    limits: { clients: config.eventClients, clientsPerUser: config.eventClientsPerUser },
    events: cluster ? { listen: cluster.events.listenFromPast } : events,
    clock,
    feedId: cluster?.feedId ?? newId(),
    isValid: accounts.isValid,
    access: library.access,
  });
  accounts.onRevocation(({ userId, credentialIds }) =>
    feed.end((of) => of.userId === userId || credentialIds.includes(of.credentialId)),
  );
  identity.sessions.onEnd((ids) => feed.end((of) => ids.includes(of.credentialId)));
  people.onSightChange((userId) => feed.end((of) => userId === null || of.userId === userId));
  followEvents({
    events,
    tell,
    libraryName: library.libraries.nameOf,
    pluginName: (id) => plugins.get(id).name,
    awaitsGrant: (id) =>
      plugins.skipped().some((one) => one.id === id && one.reason === 'permissions-pending'),
  });
  const asked = Promise.withResolvers<StagedRestore>();
  const backups = createBackups({
    database,
    databaseUrl: config.database,
    dataFolder: config.data,
    folder: config.backupFolder,
    kept: config.backupKeep,
    serverVersion: version,
    stage: (file) =>
      stageRestore(file, {
        dataFolder: config.data,
        databaseUrl: config.database,
        migrations,
        log,
      }),
    restart: asked.resolve,
    audit: audit.inTransaction,
    clock,
    log,
  });
  const pluginState = (id: string) => plugins.list({}).find((one) => one.id === id)?.state;
  const pluginWakes = createPluginWakes({
    database,
    call,
    isRunning: (id) => pluginState(id) === 'running',
    isKnown: (id) => pluginState(id) !== undefined,
    clock,
    log,
  });
  provide(pluginWakes.service);
  for (const name of ['plugin.started', 'plugin.restarted']) events.listen(name, pluginWakes.look);
  const eventLog = createEventLog({
    database,
    events,
    call,
    isRunning: (id) => pluginState(id) === 'running',
    isKnown: (id) => pluginState(id) !== undefined,
    mayTell: createMayTell(library.access),
    folder: config.data,
    onLost: (id, count) =>
      tell({
        level: 'error',
        title: `The plugin ${plugins.get(id).name} missed events.`,
        message: `${count} waited for it that were too many. Its log may say why it does not take them.`,
        source: 'plugins',
      }),
    clock,
    newId,
    log,
  });
  provide(eventLog.service);
  for (const name of ['plugin.started', 'plugin.restarted'] as const)
    events.listen(name, ({ data }) => {
      if ('pluginId' in data && typeof data.pluginId === 'string') eventLog.look(data.pluginId);
    });
  provide(createNotificationsService(tell));
  const updates = createUpdates({
    database,
    currentVersion: version,
    url: config.updateUrl,
    key: config.updateKey,
    fetch: services.fetch,
    isNewer,
    tell,
    audit: audit.inTransaction,
    clock,
    log,
  });
  const packageNet = createSourceFetch({ allowedHosts: config.netAllow, version });
  const marketplace = createMarketplace({
    sources: createSources({
      database,
      fetch: packageNet.fetch,
      readIndex: createIndexReader(),
      audit: audit.inTransaction,
      clock,
      newId,
      log,
    }),
    installs: plugins.installs,
    exists: plugins.has,
    reader: createManifestReader(),
    fetch: packageNet.fetch,
    audit: audit.inTransaction,
    serverVersion: version,
    log,
  });
  const scheduler = createScheduler({
    database,
    audit: audit.inTransaction,
    works: [
      {
        name: 'library-scan',
        purpose: 'Scans every library, for what watching its folders may have missed.',
        intervalMs: config.scanHours * 3_600_000,
        waitsFirst: true,
        run: async () => {
          for (const id of await libraryIds()) await scan(id);
        },
      },
      {
        name: 'backup',
        purpose: 'Makes a backup, and removes the oldest of the scheduled ones that are too many.',
        intervalMs: config.database.startsWith('sqlite:') ? config.backupHours * 3_600_000 : 0,
        waitsFirst: true,
        run: backups.createScheduled,
      },
      {
        name: 'update-check',
        purpose: 'Asks whether there is a newer version; nothing is installed by itself.',
        intervalMs: config.updateUrl === null ? 0 : 24 * 3_600_000,
        run: async () => {
          await updates.check();
        },
      },
      {
        name: 'marketplace',
        purpose: 'Asks the marketplace sources what is new, and stops plugins that they revoked.',
        intervalMs: config.marketplaceMinutes * 60_000,
        run: async () => {
          await marketplace.refresh();
        },
      },
      {
        name: 'disk-space',
        purpose: 'Tells when the disk of the data folder runs out of room.',
        intervalMs: 10 * 60_000,
        isLocal: true,
        run: createDiskWatch({ folder: config.data, tell }),
      },
      {
        name: 'notifications',
        purpose: 'Forgets notifications that were read a month ago.',
        intervalMs: 24 * 3_600_000,
        run: notifications.tidy,
      },
    ],
    emit: events.emit,
    mayBegin: isKeeper,
    ...(cluster && { claim: cluster.claim }),
    clock,
    random: Math.random,
    log,
  });
  if (cluster) heedOthers(cluster);
  const states = { bootComplete: plugins.bootComplete, counts: plugins.counts, list: plugins.list };
  let readiness: Readiness = 'starting';
  const app = await createHttpApp({
    routes: allRoutes({
      accounts,
      audit,
      clock,
      feed,
      kept: createKeptReplies({ database }),
      ingestion,
      groups: people.groups,
      identity,
      invites: { invites, reachability },
      jobs,
      profiles: people.profiles,
      console: createConsole({ folder: path.join(folder, 'console') }),
      libraries: library.libraries,
      licensing,
      items: library.items,
      entities: library.entities,
      collections: createCollections({ ...library, database, newId, now }),
      playback: createPlayback({ database, items: library.items, emit: events.emit, now }),
      search: library.search,
      securityTxt: {
        securityContact: config.securityContact,
        publicUrl: config.publicUrl,
        now,
      },
      mediaLinks: createMediaLinks({
        files: library.files,
        tokens: accounts.linkTokens,
        publicUrl: config.publicUrl,
      }),
      streams: createStreams({ files: library.files, filesystems, openAsset }),
      backups,
      databaseCheck: createDatabaseCheck({
        database,
        tell,
        clock,
        elapsed: () => performance.now(),
        log,
      }),
      notifications,
      scheduler,
      updates,
      webhooks: createWebhooks({
        call,
        provider: plugins.provider,
        secrets: plugins.secrets,
        database,
        audit: audit.inTransaction,
        clock,
        random: randomBytes,
        newId,
      }),
      marketplace,
      matching: createMatching({
        database,
        items: library.items,
        libraries: library.libraries,
        call,
        providers,
        nameOf: (id) => plugins.get(id).name,
        refresh: ingestion.identifyItem,
        now,
        log,
      }),
      operations: {
        metrics,
        health: createHealth({
          plugins: states,
          ping: storage.ping,
          feedAgeSeconds: identity.feed.ageSeconds,
          clock,
          version,
        }),
        stats: createStats({
          users: accounts.users.count,
          plugins: states,
          runningJobs: async () => (await jobs.counts()).running,
          transcodeSessions: () => 0,
          liveClients: feed.clients,
          scheduler: () =>
            scheduler.list().map(({ name, interval, lastRun }) => ({ name, interval, lastRun })),
          memoryBytes: () => hostBytes() + process.memoryUsage.rss(),
          clock,
        }),
      },
      plugins: {
        plugins,
        admin: createPluginAdmin({ plugins, audit }),
        directory: createPluginDirectory(plugins, network.usage),
        dryRun: createPluginDryRun({ plugins, offered: marketplace.askedBy }),
      },
      pluginSecrets: createPluginSecretsAdmin({
        secrets: plugins.secrets,
        audit: audit.inTransaction,
      }),
      views: createPluginViews({ views, mayView: library.mayView }),
    }),
    authenticate: accounts.authenticate,
    hasActiveLicense,
    security: {
      trustedProxies: config.trustedProxies,
      corsOrigins: config.corsOrigins,
      appOrigins: () => {
        const { appOrigins } = config;
        if (appOrigins === null) return identity.isLinked() ? '*' : new Set();
        return appOrigins === '*' ? '*' : new Set(appOrigins);
      },
      connectionsPerAddress: config.connectionsPerAddress,
      publicUrl: config.publicUrl,
      readLink: accounts.linkTokens.read,
      csrfKey: derivedKey(serverKey, 'vitrine csrf 1'),
    },
    readiness: () => readiness,
    observeRequest: metrics.request,
    pace,
    excess: loadWatch.excess,
    newId,
    log,
    version,
  });

  /** What is done once, however many servers work on the database. */
  const duties: readonly Duty[] = [
    { start: later.start, stop: later.stop },
    { start: () => newcomers.start(events), stop: newcomers.stop },
    { start: identity.start, stop: identity.stop },
    { start: pluginWakes.start, stop: pluginWakes.stop },
    { start: eventLog.start, stop: eventLog.stop },
    ...(config.watch === 'on' ? [{ start: watching.start, stop: watching.stop }] : []),
  ];

  async function joinCluster({ keeps, onDeath, start }: Cluster): Promise<void> {
    for (const duty of duties) keeps(duty);
    keeps({ start: searchUpkeep.wake, stop: () => undefined });
    onDeath(jobs.takeOver);
    storage.textIndex.forgetAll();
    await start({
      deliver: events.deliver,
      room: async (timeoutMs) => {
        // A plugin that has not begun hears nothing.
        await plugins.booted();
        await events.room(timeoutMs);
      },
    });
  }

  /** What other servers change of what this one has in memory. */
  function heedOthers({ onChange }: Cluster): void {
    onChange('users', accounts.users.changedElsewhere);
    onChange('profiles', people.changedElsewhere);
    onChange('groups', () => people.changedElsewhere(null));
    onChange('unlocks', people.unlocksChangedElsewhere);
    onChange('sessions', accounts.sessions.endedElsewhere);
    onChange('api-keys', accounts.apiKeys.endedElsewhere);
    onChange('identity-sessions', (ids) => identity.sessions.ended(ids ?? []));
    onChange('identity', identity.changedElsewhere);
    onChange('libraries', async () => {
      await library.libraries.open();
      watching.refresh();
    });
    onChange('plugins', plugins.decidedElsewhere);
    onChange('packages', (ids) =>
      log.warn(
        { pluginIds: ids },
        'Another server changed which plugins are installed; this one follows when it is started with their packages.',
      ),
    );
    onChange('license', licensing.changedElsewhere);
    onChange('sources', marketplace.open);
    onChange('text-indexes', storage.textIndex.forgetAll);
    onChange('jobs', jobs.wake);
    onChange('cancelled-jobs', jobs.cancelledElsewhere);
    onChange('wakes', pluginWakes.look);
    onChange('tasks', scheduler.ranElsewhere);
    onChange('search', () => {
      if (isKeeper()) searchUpkeep.wake();
    });
    onChange('later', later.wake);
    onChange('event-log', eventLog.changedElsewhere);
  }

  const listeningUrl = (): string => urlOf(app.server.address(), config.host);
  const publicUrl = (): string => config.publicUrl ?? listeningUrl();

  async function closeHttp(): Promise<void> {
    const cut = setTimeout(() => app.server.closeAllConnections(), requestsTimeoutMs);
    await app.close();
    clearTimeout(cut);
  }

  /** The id of the library that the option names; it is made if it is not there. */
  async function ensureLibrary({ type, name, path: root }: LibraryOption): Promise<string> {
    const known = (await library.libraries.list(serverViewer)).find((one) => one.name === name);
    if (known) return known.id;
    try {
      return (await library.libraries.create({ type, name, roots: [root] })).id;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new ConfigError(`--library ${type}:${name}:${root}: ${error.message}`);
    }
  }

  /** A scan that the last run left behind is resumed; a second one is not needed. */
  async function scan(libraryId: string): Promise<void> {
    await jobs.enqueue({ type: 'scan', libraryId }).catch((error: unknown) => {
      log.debug({ libraryId, err: error }, 'No further scan was enqueued.');
    });
  }

  const named: string[] = [];

  return {
    events,
    restoreAsked: asked.promise,
    libraryName: (id) => library.libraries.nameOf(id) ?? id,
    async start() {
      kernel.warm();
      await library.libraries.open();
      const setupToken = await accounts.setup.open(config.adminToken);
      await identity.open();
      await localCopies.open();
      await marketplace.open();
      await eventLog.open();
      await kernel.start();
      await licensing.open();
      await jobs.start();
      ingestion.wake();
      library.entityUpkeep.wake();
      library.missingUpkeep.start();
      await app.listen({ host: config.host, port: config.port });
      readiness = 'ready';
      void metrics.open({
        version,
        plugins: plugins.list,
        usageOf: plugins.usage,
        jobs: jobs.counts,
        ping: storage.ping,
        databaseBytes: () => databaseBytes(config.database),
        liveClients: feed.clients,
        scheduler: scheduler.list,
        hosts: kernel.hosts,
        events,
        now,
      });
      licensing.start();
      await scheduler.start();
      if (cluster) await joinCluster(cluster);
      else for (const duty of duties) await duty.start();
      for (const option of config.libraries) named.push(await ensureLibrary(option));
      const setupUrl = setupToken === null ? null : `${publicUrl()}/setup#token=${setupToken}`;
      return { url: listeningUrl(), setupUrl };
    },
    async scanLibraries() {
      for (const id of named) await scan(id);
    },
    async stop(reason) {
      readiness = 'stopping';
      events.emit('server.shutdown', { reason });
      /** What cannot be ended in order, as when the database fails, keeps nothing else from it. */
      const end = async (works: readonly Promise<unknown>[]): Promise<void> => {
        for (const ended of await Promise.allSettled(works))
          if (ended.status === 'rejected')
            log.error(
              { err: ended.reason as unknown },
              'A part of the server did not end in order.',
            );
      };
      const orderly = (async () => {
        if (cluster) await end([cluster.settled(farewellMs)]);
        metrics.close();
        feed.close();
        loadWatch.stop();
        searchUpkeep.stop();
        watching.stop();
        eventLog.stop();
        await end([
          closeHttp(),
          jobs.stop(),
          library.entityUpkeep.stop(),
          library.missingUpkeep.stop(),
          later.stop(),
          newcomers.stop(),
          identity.stop(),
          scheduler.stop(),
          pluginWakes.stop(),
        ]);
        if (cluster) await end([cluster.retire()]);
        await end([kernel.stop(), localCopies.close()]);
        await end([eventLog.close()]);
        await end([services.close()]);
        await end([network.close()]);
        await end([packageNet.close()]);
        await end([disk.close()]);
        await end([licensing.close()]);
        await end([notifications.close()]);
        await end([identity.close()]);
        await end([accounts.close()]);
        refusals.flush();
        await end([audit.close()]);
        if (cluster) await end([cluster.stop()]);
        await end([storage.close()]);
      })();
      await Promise.race([
        orderly,
        new Promise((resolve) => setTimeout(resolve, stopTimeoutMs).unref()),
      ]);
    },
  };
}

/** What is there no more is `null`; that it could not be looked for is no answer. */
function nullWhereGone(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}

function urlOf(address: AddressInfo | string | null, host: string): string {
  if (address === null || typeof address === 'string') return `http://${host}`;
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}
