/**
 * Builds every domain once, over those that it needs. Nothing starts here. Forward dependencies are
 * passed as functions and called lazily.
 */
import type { EventBus, Kernel } from '../../kernel/index.ts';
import type { EventFeed } from '../event-feed/index.ts';
import type { LibraryDomain, SearchUpkeep } from '../library/index.ts';
import type { Licensing } from '../license/index.ts';
import type { Marketplace } from '../marketplace/index.ts';
import type { Notifications } from '../notifications/index.ts';
import {
  createPluginReach,
  createPluginViewers,
  type PluginReach,
  type PluginViewers,
} from '../plugin-reach/index.ts';
import { derivedKey } from '../secrets/index.ts';
import type { Watching } from '../watching/index.ts';
import { composeCallsToPlugins, type CallsToPlugins } from './plugin-callbacks.ts';
import { composeFeed } from './feed.ts';
import { composeFiles, type MediaFiles } from './files.ts';
import type { Ground } from './infrastructure.ts';
import { composeKernel } from './kernel.ts';
import { composeLibrary, type LibraryParts } from './library.ts';
import { composeLicensing } from './licensing.ts';
import { composeMarketplace } from './marketplace.ts';
import { composeWaysOut, type WaysOut } from './outbound-http.ts';
import { composeNotifications } from './notifications.ts';
import { composePeople, type People } from './people.ts';
import { composeReferences } from './references.ts';
import { composeUpkeep, type Upkeep } from './maintenance.ts';
import { composeWatching } from './watching.ts';
import { composeWork, type Work } from './work.ts';

/** The domains of a server. */
export interface Domains extends CallsToPlugins {
  readonly kernel: Kernel;
  /** What plugins may access of the libraries. */
  readonly reach: PluginReach;
  /** The viewers for whom plugins work. */
  readonly viewers: PluginViewers;
  readonly notifications: Notifications;
  readonly licensing: Licensing;
  readonly files: MediaFiles;
  readonly waysOut: WaysOut;
  readonly library: LibraryDomain;
  readonly searchUpkeep: SearchUpkeep;
  readonly work: Work;
  readonly watching: Watching;
  readonly people: People;
  readonly feed: EventFeed;
  readonly marketplace: Marketplace;
  readonly upkeep: Upkeep;
  /** The memory of the plugin processes, in bytes. */
  readonly hostBytes: () => number;
}

/** Builds the domains. `publicUrl` is called once the server listens. */
export function composeDomains(ground: Ground, publicUrl: () => string): Domains {
  const viewers = createPluginViewers(derivedKey(ground.serverKey, 'vitrine plugin viewer 1'));
  const reach = createPluginReach({
    places: {
      libraries: () => library.places.libraries(),
      isHidden: (id) => library.places.isHidden(id),
      ofItems: (ids) => library.places.ofItems(ids),
      named: (ids) => library.places.named(ids),
    },
    sight: {
      seesAll: (viewer) => library.sight.seesAll(viewer),
      showsHidden: (viewer) => library.sight.showsHidden(viewer),
      sightInto: (viewer, id) => library.sight.sightInto(viewer, id),
      sightOfItems: (viewer, ids) => library.sight.sightOfItems(viewer, ids),
      seesFile: (viewer, uri) => library.sight.seesFile(viewer, uri),
      seesNamed: (viewer, ids) => library.sight.seesNamed(viewer, ids),
    },
    ownsSessions: async (viewer, ids) =>
      (await people.accounts.sessions.areOwn(viewer, ids)) &&
      people.identity.sessions.areOwn(viewer, ids),
    viewers,
    lookAt: (uri) => files.filesystems.validate(uri),
    runsJobs: (id, type) => !work.jobs.hasRunner(type) && kernel.plugins.jobRunner(type) === id,
    authors: {
      withSlug: (slug) => kernel.plugins.withSlug(slug),
      runnerOf: (type) => kernel.plugins.jobRunner(type),
      reachOf: (id) => (kernel.plugins.has(id) ? kernel.plugins.reachOf(id) : null),
      isOwn: (id) => kernel.plugins.isOwn(id),
    },
  });
  const kernel: Kernel = composeKernel(ground, {
    judge: reach,
    hasSecretScope: async (scope) =>
      'libraryId' in scope
        ? library.libraries.exists(scope.libraryId)
        : (await people.accounts.users.find(scope.userId)) !== undefined,
    onTextHits: (...found) => library.onTextHits(...found),
    tell: (notice) => tell(notice),
  });
  const everywhere: Pick<EventBus, 'listen'> = ground.cluster?.events ?? kernel.events;
  const notifications: Notifications = composeNotifications(ground, kernel, {
    libraryName: (id) => library.libraries.nameOf(id),
    hidden: reach.hidden,
  });
  const { tell } = notifications;
  const licensing = composeLicensing(ground, kernel, tell);
  const files: MediaFiles = composeFiles(ground, kernel, {
    roots: () => library.libraries.roots(),
    reach,
  });
  const waysOut = composeWaysOut(ground, kernel);
  const { network, askService, askSource } = waysOut;
  const references = composeReferences(kernel, {
    roots: () => library.libraries.roots(),
    reach,
    filesystems: files.filesystems,
    network,
  });
  const { library, searchUpkeep, pluginRunner }: LibraryParts = composeLibrary(ground, {
    ...{ kernel, everywhere, files, licensing, reach, viewers, references },
  });
  const work: Work = composeWork(ground, {
    ...{ kernel, library, pluginRunner, files, references },
  });
  const watching = composeWatching(ground, {
    ...{ kernel, everywhere, library, files, jobs: work.jobs, tell },
  });
  const people: People = composePeople(ground, {
    ...{ kernel, library, licensing, viewers, askService, publicUrl },
  });
  const marketplace = composeMarketplace(ground, kernel, {
    ...{ reach, fetch: askSource, tell },
  });
  return {
    ...{
      kernel,
      reach,
      viewers,
      notifications,
      licensing,
      files,
      waysOut,
      library,
      searchUpkeep,
      work,
      watching,
    },
    ...{ people, marketplace },
    ...composeCallsToPlugins(ground, kernel, { library, reach, tell }),
    feed: composeFeed(ground, kernel, { library, people }),
    upkeep: composeUpkeep(ground, {
      emit: kernel.events.emit,
      askService,
      notifications,
      marketplace,
      scanAll: work.scanAll,
    }),
    hostBytes: () => kernel.hosts().reduce((sum, { rssBytes }) => sum + rssBytes, 0),
  };
}
