/** The routes over their domains, and the domains that only routes use. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { createCollections } from '../collections/index.ts';
import { createConsole } from '../console/index.ts';
import { allRoutes, createKeptReplies, type RouteParts } from '../http/index.ts';
import { createDatabaseCheck } from '../integrity/index.ts';
import { createMatching } from '../matching/index.ts';
import {
  createActionAudit,
  createHealth,
  createPluginAdmin,
  createPluginDirectory,
  createPluginDryRun,
  createPluginViews,
  createStats,
  createViewerPace,
} from '../operations/index.ts';
import { createPlayback } from '../playback/index.ts';
import { createPluginSecretsAdmin } from '../plugin-secrets/index.ts';
import { createMediaLinks, createStreams } from '../streaming/index.ts';
import { createWebhooks } from '../webhooks/index.ts';
import { composeAssets } from './assets.ts';
import type { Domains } from './domains.ts';
import type { Ground } from './infrastructure.ts';

type Routes = ReturnType<typeof allRoutes>;

/** Every route of the server, over its domains. */
export function composeRoutes(ground: Ground, domains: Domains): Routes {
  const { audit, built, clock } = ground;
  const { kernel, library, people, work, waysOut, marketplace, upkeep, feed } = domains;
  const { plugins, views } = kernel;
  const pace = createViewerPace(clock);
  const forViewers = {
    maySend: domains.reach.maySend,
    toPlugins: domains.viewers.toPlugins,
    pace,
    noteAction: createActionAudit(audit, clock),
  };
  const admin = createPluginAdmin({ plugins, audit, ...forViewers });
  return allRoutes({
    ...library,
    ...ofTheLibrary(ground, domains),
    accounts: people.accounts,
    audit,
    backups: upkeep.backups,
    clock,
    console: createConsole({ folder: path.join(built.folder, 'console') }),
    databaseCheck: createDatabaseCheck({
      ...ground,
      tell: domains.notifications.tell,
      elapsed: () => performance.now(),
    }),
    feed,
    groups: people.profileDomain.groups,
    identity: people.identity,
    ingestion: work.ingestion,
    invites: people,
    jobs: work.jobs,
    kept: createKeptReplies(ground),
    licensing: domains.licensing,
    marketplace,
    notifications: domains.notifications,
    operations: ofOperators(ground, domains),
    plugins: {
      plugins,
      admin,
      reach: domains.reach,
      directory: createPluginDirectory(plugins, waysOut.network.usage, pace.turnedAway),
      dryRun: createPluginDryRun({ plugins, offered: marketplace.askedBy }),
    },
    pluginSecrets: createPluginSecretsAdmin({
      secrets: plugins.secrets,
      audit: audit.inTransaction,
      profileWord: async (pluginId, profileId, viewer) => {
        const { id } = await people.profileDomain.profiles.get(profileId, viewer);
        return domains.viewers.profileIn(pluginId, id);
      },
    }),
    profiles: people.profileDomain.profiles,
    scheduler: upkeep.scheduler,
    securityTxt: {
      securityContact: ground.config.securityContact,
      publicUrl: ground.config.publicUrl,
      now: clock.now,
    },
    updates: upkeep.updates,
    views: createPluginViews({
      ...{ views, callAction: admin.callAction, mayView: library.mayView },
      ...forViewers,
    }),
    webhooks: createWebhooks({
      ...ground,
      call: kernel.call,
      provider: plugins.provider,
      secrets: plugins.secrets,
      audit: audit.inTransaction,
      random: randomBytes,
    }),
  });
}

type LibraryRoutes = Pick<
  RouteParts,
  'collections' | 'matching' | 'mediaLinks' | 'playback' | 'streams'
>;

function ofTheLibrary(ground: Ground, domains: Domains): LibraryRoutes {
  const { config, database, clock, newId, log } = ground;
  const { kernel, library, files, people, work } = domains;
  const { files: libraryFiles, items, libraries } = library;
  const { now } = clock;
  return {
    collections: createCollections({ ...library, database, newId, now }),
    matching: createMatching({
      database,
      items,
      libraries,
      call: kernel.call,
      providers: kernel.plugins.providers,
      nameOf: (id) => kernel.plugins.get(id).name,
      refresh: work.ingestion.identifyItem,
      now,
      log,
    }),
    mediaLinks: createMediaLinks({
      files: libraryFiles,
      tokens: people.accounts.linkTokens,
      publicUrl: config.publicUrl,
    }),
    playback: createPlayback({ database, items, emit: kernel.events.emit, now }),
    streams: createStreams({
      files: libraryFiles,
      filesystems: files.filesystems,
      openAsset: composeAssets(ground, domains),
    }),
  };
}

function ofOperators(
  { built: { version }, storage, metrics, clock }: Ground,
  { kernel, people, work, feed, upkeep, marketplace, hostBytes }: Domains,
): RouteParts['operations'] {
  const { bootComplete, counts, list } = kernel.plugins;
  const plugins = { bootComplete, counts, list };
  return {
    metrics,
    health: createHealth({
      plugins,
      ping: storage.ping,
      feedAgeSeconds: people.identity.feed.ageSeconds,
      expiredSources: marketplace.expiredSources,
      clock,
      version,
    }),
    stats: createStats({
      users: people.accounts.users.count,
      plugins,
      runningJobs: async () => (await work.jobs.counts()).running,
      transcodeSessions: () => 0,
      liveClients: feed.clients,
      scheduler: () =>
        upkeep.scheduler.list().map(({ name, interval, lastRun }) => ({ name, interval, lastRun })),
      pluginIsolation: async () => (await kernel.isolation()).tier,
      memoryBytes: () => hostBytes() + process.memoryUsage.rss(),
      clock,
    }),
  };
}
