/**
 * The composition root: the only folder that knows all parts. It builds each once (`infrastructure.ts`,
 * then `domains.ts`) and passes it on; the process and the tests start the server with it. `stages`
 * is the order of starting and, backwards, of stopping: parts that accept work from outside start
 * last and stop first.
 */
import type { Log } from '../../kernel/index.ts';
import type { EventBus } from '../../kernel/call/events/index.ts';
import { openStorage } from '../../kernel/store/index.ts';
import { createPasswords, type Passwords } from '../people/credentials/index.ts';
import { serverViewer } from '../people/viewer/index.ts';
import { clearLeftovers, type WantedRestore } from '../operations/backups/index.ts';
import { keptBlob } from '../platform/internal/index.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { composeClusterParts } from './cluster.ts';
import { ensureLibrary } from './configured-libraries.ts';
import { composeDomains, type Domains } from './domains.ts';
import { openInfrastructure, type BuiltParts, type Infrastructure } from './infrastructure.ts';
import { composeHttp, type Http } from './http.ts';
import { createLifetime, type Lifetime } from './lifetime.ts';
import { composeMetrics } from './metrics.ts';

export type { BuiltParts } from './infrastructure.ts';
export { carryOvers } from './carry-overs.ts';
export { migrations } from './migrations.ts';

/** A server that can be started once. */
export interface Vitrine {
  /** Resolves when it listens; the setup link is null once there is a user. */
  readonly start: () => Promise<{ readonly url: string; readonly setupUrl: string | null }>;
  /** Enqueues a scan of each library that the configuration names. */
  readonly scanLibraries: () => Promise<void>;
  /** Stops everything; resolves when that is done. */
  readonly stop: (reason: string) => Promise<void>;
  /** An admin requested a restore: the caller stops this server and starts another one with it. */
  readonly restoreRequested: Promise<WantedRestore>;
  /** For showing progress. */
  readonly events: Pick<EventBus, 'listen'>;
  readonly libraryName: (id: string) => string;
}

const stopTimeoutMs = 10_000;

/** Opens the storage and builds all parts over it. The last three are for tests. */
export async function createVitrine(
  config: Config,
  built: BuiltParts,
  log: Log,
  clock: Clock = systemClock,
  open: typeof openStorage = openStorage,
  passwords: Passwords = createPasswords(),
): Promise<Vitrine> {
  const lifetime = createLifetime(log);
  const { holds } = lifetime;
  try {
    const infrastructure = await openInfrastructure({
      config,
      built,
      clock,
      open,
      passwords,
      holds,
      log,
    });
    return await compose(infrastructure, lifetime);
  } catch (error) {
    await lifetime.stop(stopTimeoutMs);
    throw error;
  }
}

/** The server, with values from its start. */
interface Server {
  readonly infrastructure: Infrastructure;
  readonly domains: Domains;
  readonly http: Http;
  /** For the first user; `null` = there is one. */
  setupToken: string | null;
  /** The libraries that the configuration names. */
  readonly named: string[];
}

async function compose(infrastructure: Infrastructure, lifetime: Lifetime): Promise<Vitrine> {
  const { config } = infrastructure;
  const publicUrl = (): string => config.publicUrl ?? http.url();
  const domains = composeDomains(infrastructure, { publicUrl, url: () => http.url() });
  const http: Http = await composeHttp(infrastructure, domains);
  const server: Server = { infrastructure, domains, http, setupToken: null, named: [] };
  stages(server, lifetime);
  const { kernel, library, maintenance, work } = domains;

  return {
    events: kernel.events,
    restoreRequested: maintenance.restoreRequested,
    libraryName: (id) => library.libraries.nameOf(id) ?? id,
    start: async () => {
      kernel.warm();
      void kernel.isolation();
      await lifetime.start();
      const { setupToken } = server;
      const setupUrl = setupToken === null ? null : `${publicUrl()}/setup#token=${setupToken}`;
      return { url: http.url(), setupUrl };
    },
    scanLibraries: async () => {
      // Servers that run beside this one have watched them.
      const isAlone = (await infrastructure.cluster?.isAlone()) ?? true;
      for (const { id, lastScanAt } of await library.libraries.list(serverViewer))
        if (server.named.includes(id) && (isAlone || lastScanAt === null)) await work.scan(id);
    },
    stop: async (reason) => {
      const drained = http.drain();
      kernel.events.emit('server.shutdown', { reason });
      // Another server leads before this one closes its port.
      if (http.isDraining()) await infrastructure.cluster?.resign();
      await drained;
      http.setReadiness('stopping');
      await lifetime.stop(stopTimeoutMs + http.filesMs);
    },
  };
}

/**
 * The order of starting. Resources that domains hold from their creation are closed after these.
 */
function stages(server: Server, { stage }: Lifetime): void {
  const { infrastructure, domains, http } = server;
  const { kernel, licensing, files, library, searchUpkeep, work, watching } = domains;
  const { people, feed, pluginWakes, eventLog, marketplace, maintenance } = domains;
  const { config } = infrastructure;
  const { leaderOnly, singletons, membership } = composeClusterParts(infrastructure, domains);

  const openInternal = (): Promise<void> | undefined =>
    infrastructure.internal?.open({
      health: () => infrastructure.cluster?.processId ?? '',
      segment: domains.player.conversions.forOther,
      begin: domains.player.conversions.beginForOther,
      blob: (wanted) => keptBlob(config.data, wanted),
    });

  const isAlone = async () => (await infrastructure.cluster?.isAlone()) ?? true;

  // What plugins and requests need.
  stage(
    { start: library.libraries.open },
    { start: () => files.assertNoOverlap(library.libraries.folders()) },
    {
      start: async () => {
        server.setupToken = await people.accounts.setup.open(config.adminToken);
      },
    },
    { start: people.identity.open },
    { start: marketplace.open },
    {
      start: async () => {
        // Servers may share the folder, and another one may be making a backup.
        if (await isAlone()) await clearLeftovers(config.backupFolder);
      },
    },
  );
  stage({ start: eventLog.open, stop: eventLog.close });

  // The plugins.
  stage(
    { start: files.localCopies.open, stop: files.localCopies.close },
    { start: kernel.start, stop: kernel.stop },
  );
  stage({ start: licensing.open });
  stage(singletons);

  // Parts that accept work, from outside and from the clock.
  stage(
    { ...(config.roles.includes('jobs') && { start: work.jobs.start }), stop: work.jobs.stop },
    { start: work.ingestion.wake },
    { start: library.entityUpkeep.wake, stop: library.entityUpkeep.stop },
    library.missingUpkeep,
    { start: openInternal, stop: () => infrastructure.internal?.close() },
    { start: http.listen, stop: http.close },
    { stop: feed.close },
    {
      start: () => domains.player.movedItems.start(kernel.events),
      stop: domains.player.movedItems.stop,
    },
    { stop: domains.player.sessions.close },
    { stop: domains.player.conversions.close },
    composeMetrics(infrastructure, domains),
    { start: licensing.start },
    maintenance.scheduler,
    domains.problems.part,
    leaderOnly(work.retryQueue),
    leaderOnly({
      start: () => work.indexerBackfill.start(kernel.events),
      stop: work.indexerBackfill.stop,
    }),
    // It would read the files that wait for a request.
    ...(config.ingest === 'on'
      ? [
          leaderOnly({
            start: () => work.hookBackfill.start(kernel.events),
            stop: work.hookBackfill.stop,
          }),
        ]
      : []),
    leaderOnly(domains.lookNotices),
    leaderOnly({
      start: () => domains.player.keptPictures.start(kernel.events),
      stop: domains.player.keptPictures.stop,
    }),
    leaderOnly({
      start: () => domains.player.stillsSoon.start(kernel.events),
      stop: domains.player.stillsSoon.stop,
    }),
    leaderOnly(infrastructure.blobs.sweep),
    leaderOnly(people.identity),
    leaderOnly(pluginWakes),
    leaderOnly(eventLog),
    ...(config.watch === 'on' ? [leaderOnly(watching)] : []),
    { stop: searchUpkeep.stop },
  );
  stage(membership);

  // The libraries that the configuration names, and then requests.
  stage(
    {
      start: async () => {
        for (const option of config.libraries)
          server.named.push(await ensureLibrary(library, option, infrastructure.log));
      },
    },
    { start: () => http.setReadiness('ready') },
  );
}
