/**
 * Builds every domain once, over those that it needs. Nothing starts here. Forward dependencies are
 * passed as functions and called lazily.
 */
import type { Kernel } from '../../kernel/index.ts';
import type { EventBus } from '../../kernel/call/events/index.ts';
import type { EventFeed } from '../viewing/live-events/index.ts';
import type { LibraryDomain } from '../library/catalogue/index.ts';
import type { SearchUpkeep } from '../library/catalogue/search/index.ts';
import { createBackupRunner } from '../operations/backups/index.ts';
import type { Licensing } from '../operations/license/index.ts';
import type { Marketplace } from '../plugins/marketplace/index.ts';
import type { Notifications } from '../platform/notifications/index.ts';
import {
  createPluginReach,
  createPluginViewers,
  type PluginReach,
  type PluginViewers,
} from '../plugins/scopes/index.ts';
import { serverViewer } from '../people/viewer/index.ts';
import { createLookNotices, type LookNotices } from '../library/matching/index.ts';
import { derivedKey } from '../platform/secrets/index.ts';
import type { Watching } from '../library/watching/index.ts';
import { composePluginCallbacks, type PluginCallbacks } from './plugin-callbacks.ts';
import { composeFeed } from './feed.ts';
import { composeFiles, type MediaFiles } from './files.ts';
import type { Infrastructure } from './infrastructure.ts';
import { composeKernel } from './kernel.ts';
import { composeLists, type Lists } from './lists.ts';
import { composeLibrary, type LibraryParts } from './library.ts';
import { composeLicensing } from './licensing.ts';
import { composeMarketplace } from './marketplace.ts';
import { composeOutboundHttp, type OutboundHttp } from './outbound-http.ts';
import { composeNotifications } from './notifications.ts';
import { composeProblems, type ProblemTable } from './problems.ts';
import { composePeople, type People } from './people.ts';
import { composePlayer, type Player } from './player.ts';
import { composeReferences } from './references.ts';
import { composeMaintenance, type Maintenance } from './maintenance.ts';
import { composeServers, type Servers } from './servers.ts';
import { composeWatching } from './watching.ts';
import { composeWork, type Work } from './work.ts';

/** The domains of a server. */
export interface Domains extends PluginCallbacks {
  readonly kernel: Kernel;
  /** What plugins may access of the libraries. */
  readonly reach: PluginReach;
  /** The viewers for whom plugins work. */
  readonly viewers: PluginViewers;
  readonly notifications: Notifications;
  readonly problems: ProblemTable;
  readonly licensing: Licensing;
  readonly files: MediaFiles;
  readonly outboundHttp: OutboundHttp;
  readonly library: LibraryDomain;
  readonly searchUpkeep: SearchUpkeep;
  readonly work: Work;
  readonly lookNotices: LookNotices;
  readonly watching: Watching;
  readonly people: People;
  readonly player: Player;
  readonly lists: Lists;
  readonly feed: EventFeed;
  readonly marketplace: Marketplace;
  readonly maintenance: Maintenance;
  readonly servers: Servers;
  /** The memory of the plugin processes, in bytes. */
  readonly hostBytes: () => number;
}

/** Builds the domains. The addresses are read once the server listens. */
export function composeDomains(
  infrastructure: Infrastructure,
  { publicUrl, url }: { readonly publicUrl: () => string; readonly url: () => string },
): Domains {
  const servers = composeServers(infrastructure, url);
  const viewers = createPluginViewers(
    derivedKey(infrastructure.serverKey, 'vitrine plugin viewer 1'),
  );
  const reach = createPluginReach({
    locations: {
      libraries: () => library.locations.libraries(),
      isHidden: (id) => library.locations.isHidden(id),
      ofItems: (ids) => library.locations.ofItems(ids),
      named: (ids) => library.locations.named(ids),
    },
    visibility: {
      seesAll: (viewer) => library.visibility.seesAll(viewer),
      showsHidden: (viewer) => library.visibility.showsHidden(viewer),
      visibilityIn: (viewer, id) => library.visibility.visibilityIn(viewer, id),
      visibilityOf: (viewer, ids) => library.visibility.visibilityOf(viewer, ids),
      seesFile: (viewer, uri) => library.visibility.seesFile(viewer, uri),
      seesNamed: (viewer, ids) => library.visibility.seesNamed(viewer, ids),
    },
    personOf: (profileId) => people.profileDomain.personOf(profileId),
    ownsSessions: async (viewer, ids) =>
      (await player.sessions.areOwn(viewer, ids)) &&
      (await people.accounts.sessions.areOwn(viewer, ids)) &&
      people.identity.sessions.areOwn(viewer, ids),
    viewers,
    inspect: (uri) => files.filesystems.validate(uri),
    runsJobs: (id, type) =>
      !work.jobs.hasRunner(type) && kernel.plugins.providers.jobRunner(type) === id,
    authors: {
      withSlug: (slug) => kernel.plugins.registry.withSlug(slug),
      runnerOf: (type) => kernel.plugins.providers.jobRunner(type),
      reachOf: (id) => (kernel.plugins.registry.has(id) ? kernel.plugins.grants.reachOf(id) : null),
      isOwn: (id) => kernel.plugins.registry.isOwn(id),
    },
  });
  const kernel: Kernel = composeKernel(infrastructure, {
    judge: reach,
    profileIn: viewers.profileIn,
    hasSecretScope: async (scope) =>
      'libraryId' in scope
        ? library.libraries.exists(scope.libraryId)
        : (await people.accounts.users.find(scope.userId)) !== undefined,
    notify: (notice) => notify(notice),
    end: (about) => notifications.end(about),
    onOftenFailing: (failing) => problems.pluginFailsOften(failing),
  });
  const everywhere: Pick<EventBus, 'listen'> = infrastructure.cluster?.events ?? kernel.events;
  const notifications: Notifications = composeNotifications(infrastructure, kernel, {
    libraryName: (id) => library.libraries.nameOf(id),
    hidden: reach.hidden,
  });
  const { notify } = notifications;
  const problems: ProblemTable = composeProblems(infrastructure, {
    kernel,
    everywhere,
    notifications,
    library: () => library,
    licensing: () => licensing,
    marketplace: () => marketplace,
    tasks: () => maintenance.scheduler.list(),
    servers: servers.list,
  });
  const licensing = composeLicensing(infrastructure, kernel, notify);
  const files: MediaFiles = composeFiles(infrastructure, kernel, {
    roots: () => library.libraries.roots(),
    folders: () => library.libraries.folders(),
    reach,
  });
  const outboundHttp = composeOutboundHttp(infrastructure, kernel);
  const { network, operatorFetch, sourceFetch } = outboundHttp;
  const references = composeReferences(kernel, {
    roots: () => library.libraries.roots(),
    reach,
    filesystems: files.filesystems,
    network,
  });
  const { library, searchUpkeep, pluginRunner }: LibraryParts = composeLibrary(infrastructure, {
    kernel,
    everywhere,
    files,
    licensing,
    reach,
    viewers,
    references,
    onProblems: () => problems.lookAtLibraries(),
  });
  const work: Work = composeWork(infrastructure, {
    kernel,
    library,
    pluginRunner,
    files,
    references,
    network,
  });
  const lookNotices = createLookNotices({
    ...infrastructure,
    events: everywhere,
    libraryIds: async () => (await library.libraries.list(serverViewer)).map(({ id }) => id),
    libraryName: (id) => library.libraries.nameOf(id),
    notifications,
  });
  const watching = composeWatching(infrastructure, {
    kernel,
    everywhere,
    library,
    files,
    jobs: work.jobs,
    problems,
  });
  const people: People = composePeople(infrastructure, {
    kernel,
    library,
    licensing,
    viewers,
    operatorFetch,
    publicUrl,
  });
  const marketplace: Marketplace = composeMarketplace(infrastructure, kernel, {
    reach,
    fetch: sourceFetch,
    givenTexts: library.givenTexts,
    onRefresh: () => problems.lookAtIndexes(),
  });
  const maintenance: Maintenance = composeMaintenance(infrastructure, {
    emit: kernel.events.emit,
    operatorFetch,
    notifications,
    problems,
    marketplace,
    scanAll: work.scanAll,
    tidyJobs: work.jobs.tidy,
    startMediaJobs: () => player.mediaJobs.startAll(),
  });
  const player: Player = composePlayer(infrastructure, {
    kernel,
    library,
    files,
    people,
    licensing,
    outboundHttp,
    jobs: work.jobs,
    notify,
  });
  work.jobs.register('backup', createBackupRunner(maintenance.backups));
  return {
    kernel,
    reach,
    viewers,
    notifications,
    problems,
    licensing,
    files,
    outboundHttp,
    library,
    searchUpkeep,
    work,
    lookNotices,
    watching,
    people,
    marketplace,
    ...composePluginCallbacks(infrastructure, kernel, { library, reach, notify }),
    player,
    lists: composeLists(infrastructure, { kernel, library, player, reach }),
    feed: composeFeed(infrastructure, kernel, { library, people }),
    maintenance,
    servers,
    hostBytes: () => kernel.hosts().reduce((sum, { rssBytes }) => sum + rssBytes, 0),
  };
}
