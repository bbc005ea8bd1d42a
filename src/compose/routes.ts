/** The routes over their domains, and the domains that only routes use. */
import { verifyAudit } from '../platform/audit/index.ts';
import { createRecentLog } from '../platform/recent-log.ts';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { createAuthorKit } from '../plugins/author-kit/index.ts';
import type { Console } from '../console/index.ts';
import { allRoutes, createResponseCache, type Readiness, type RouteParts } from '../http/index.ts';
import { createDatabaseCheck } from '../operations/integrity/index.ts';
import { createMatching, createSources } from '../library/matching/index.ts';
import { createHealth, createReadyCheck, createStats } from '../operations/health/index.ts';
import {
  createMetadataPreset,
  createPluginDirectory,
  createPluginDryRun,
  createPluginViews,
  createProfilePlugins,
  createViewerRateLimit,
  PluginAdmin,
} from '../plugins/admin/index.ts';
import { createPlaylistFiles } from '../viewing/playlist-files/index.ts';
import { createHome } from '../viewing/home/index.ts';
import { createPluginSecretsAdmin } from '../plugins/secrets/index.ts';
import { createMediaLinks } from '../viewing/streaming/index.ts';
import { createWebhooks } from '../plugins/webhooks/index.ts';
import type { Domains } from './domains.ts';
import { createExamination } from './examination.ts';
import type { Infrastructure } from './infrastructure.ts';

type Routes = ReturnType<typeof allRoutes>;

/** Every route of the server, over its domains. */
export function composeRoutes(
  infrastructure: Infrastructure,
  domains: Domains,
  {
    pages,
    readiness,
    port,
  }: {
    readonly pages: Console;
    readonly readiness: () => Readiness;
    /** Where the server listens. */
    readonly port: () => number;
  },
): Routes {
  const { audit, clock } = infrastructure;
  const { kernel, library, people, work, outboundHttp, marketplace, maintenance, feed } = domains;
  const { plugins, views } = kernel;
  const pace = createViewerRateLimit(clock);
  const forViewers = {
    maySend: domains.reach.maySend,
    toPlugins: domains.viewers.toPlugins,
    pace,
  };
  const admin = new PluginAdmin({ plugins, audit, ...forViewers });
  const ofLibrary = ofTheLibrary(infrastructure, domains);
  const pluginViews = createPluginViews({
    views,
    callAction: admin.callAction,
    mayView: library.mayView,
    ...forViewers,
  });
  return allRoutes({
    ...library,
    ...ofLibrary,
    accounts: people.accounts,
    audit,
    verifyAudit: (noted) => verifyAudit(infrastructure.database.read, noted),
    backups: maintenance.backups,
    clock,
    console: pages,
    authorKit: createAuthorKit(path.join(infrastructure.built.folder, 'kit')),
    databaseCheck: createDatabaseCheck({
      ...infrastructure,
      report: domains.problems.set,
      elapsed: () => performance.now(),
    }),
    installation: {
      settings: infrastructure.config.inUse,
      examine: createExamination(infrastructure, port),
    },
    feed,
    folders: domains.files.folders,
    groups: people.profileDomain.groups,
    home: createHome({
      ...infrastructure,
      ...library,
      ...ofLibrary,
      views: pluginViews,
      playback: domains.player.playback,
      preferences: people.profileDomain.preferences,
    }),
    identity: people.identity,
    ingestion: work.ingestion,
    invites: people,
    jobs: work.jobs,
    cache: createResponseCache(infrastructure),
    licensing: domains.licensing,
    marketplace,
    notifications: domains.notifications,
    ...domains.player,
    playlistFiles: createPlaylistFiles({
      places: library.playlistPlaces,
      items: library.items,
      texts: domains.player.texts,
    }),
    operations: ofOperators(infrastructure, domains, readiness),
    plugins: {
      plugins,
      admin,
      reach: domains.reach,
      directory: createPluginDirectory(plugins, outboundHttp.network.usage, {
        turnedAway: pace.turnedAway,
        whyRevoked: marketplace.whyRevoked,
      }),
      dryRun: createPluginDryRun({ plugins, offered: marketplace.askedBy }),
    },
    metadataPreset: createMetadataPreset({ plugins, grant: admin.grant }),
    pluginSecrets: createPluginSecretsAdmin({
      secrets: plugins.secrets,
      audit: audit.inTransaction,
      profileWord: async (pluginId, profileId, viewer) => {
        const { id } = await people.profileDomain.profiles.get(profileId, viewer);
        return domains.viewers.profileIn(pluginId, id);
      },
      isSet: async (pluginId, isNew) => {
        if (isNew) await work.indexerBackfill.askAgain(pluginId);
        await work.retryQueue.retryNow(pluginId);
      },
    }),
    preferences: people.profileDomain.preferences,
    profilePlugins: createProfilePlugins({
      settings: plugins.profileSettings,
      audit: audit.inTransaction,
      profiles: people.profileDomain.profiles,
    }),
    profiles: people.profileDomain.profiles,
    scheduler: maintenance.scheduler,
    securityTxt: {
      securityContact: infrastructure.config.securityContact,
      publicUrl: infrastructure.config.publicUrl,
      now: clock.now,
    },
    recentLog: infrastructure.built.recentLog ?? createRecentLog(),
    servers: domains.servers.list,
    updates: maintenance.updates,
    views: pluginViews,
    webhooks: createWebhooks({
      ...infrastructure,
      call: kernel.call,
      provider: plugins.providers.of,
      refusalOf: outboundHttp.network.refusalOf,
      secrets: plugins.secrets,
      audit: audit.inTransaction,
      random: randomBytes,
    }),
  });
}

type LibraryRoutes = Pick<
  RouteParts,
  'collections' | 'entries' | 'marks' | 'matching' | 'mediaLinks' | 'sources'
>;

function ofTheLibrary(infrastructure: Infrastructure, domains: Domains): LibraryRoutes {
  const { config, database, clock, log } = infrastructure;
  const { kernel, library, outboundHttp, people, work } = domains;
  const { registry } = kernel.plugins;
  const nameOf = (id: string): string => (registry.has(id) ? registry.get(id).name : id);
  const { files: libraryFiles, items, libraries } = library;
  const { now } = clock;
  return {
    ...domains.lists,
    matching: createMatching({
      database,
      items,
      libraries,
      call: kernel.call,
      providers: kernel.plugins.providers.allOf,
      nameOf,
      fetchPicture: outboundHttp.network.fetchPicture,
      refresh: work.ingestion.identifyItems,
      now,
      log,
    }),
    sources: createSources({
      ...library,
      database,
      nameOf,
      mergeAgain: work.ingestion.mergeAgain,
    }),
    mediaLinks: createMediaLinks({
      files: libraryFiles,
      tokens: people.accounts.linkTokens,
      publicUrl: config.publicUrl,
    }),
  };
}

function ofOperators(
  { config, built: { version }, metrics, clock }: Infrastructure,
  { kernel, people, work, feed, maintenance, player, problems, hostBytes }: Domains,
  readiness: () => Readiness,
): RouteParts['operations'] {
  const { bootComplete } = kernel.plugins.lifecycle;
  const { counts, list } = kernel.plugins.registry;
  const plugins = { bootComplete, counts, list };
  return {
    metrics,
    health: createHealth({
      plugins,
      refresh: problems.refresh,
      problems: problems.list,
      feedAgeSeconds: people.identity.feed.ageSeconds,
      clock,
      version,
    }),
    ready: createReadyCheck({
      roles: config.roles,
      refresh: problems.refresh,
      problems: problems.list,
      readiness,
    }),
    problems: problems.list,
    stats: createStats({
      users: people.accounts.users.count,
      plugins,
      runningJobs: async () => (await work.jobs.counts()).running,
      transcodeSessions: () => player.sessions.counts().convert,
      liveClients: feed.clients,
      scheduler: () =>
        maintenance.scheduler
          .list()
          .map(({ name, interval, lastRun }) => ({ name, interval, lastRun })),
      pluginIsolation: async () => (await kernel.isolation()).tier,
      conversion: async () => {
        const { transcoder, encodesInSoftware, maxHeight } = player.conversions;
        const found = await transcoder();
        if (found.kind === 'missing')
          return { version: null, cage: null, encoder: null, maxHeight: null, missing: found.why };
        const encoder = encodesInSoftware() ? 'software' : found.encoder.kind;
        const { version, cage } = found;
        return { version, cage: cage.tier, encoder, maxHeight: maxHeight(), missing: null };
      },
      memoryBytes: () => hostBytes() + process.memoryUsage.rss(),
      clock,
    }),
  };
}
