import type { HostCaller, Kernel } from '../../kernel/index.ts';
import type { EventBus } from '../../kernel/call/events/index.ts';
import type { Transaction } from '../../kernel/store/index.ts';
import {
  createAutoCollections,
  findCollectionItems,
  moveMembers,
} from '../viewing/collections/index.ts';
import { createInspectRoot } from '../files/filesystems/index.ts';
import { createPluginRunner } from '../work/jobs/index.ts';
import { createLibraryDomain } from '../library/catalogue/index.ts';
import { createSearchUpkeep, sharedProgress } from '../library/catalogue/search/index.ts';
import type { Licensing } from '../operations/license/index.ts';
import {
  entityProfile,
  profileItems,
  selectItemPlayback,
  watchedCounts,
  moveStates,
} from '../viewing/playback/index.ts';
import type { PluginReach, PluginViewers } from '../plugins/scopes/index.ts';
import type { MediaFiles } from './files.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { References } from './references.ts';

/** The library, and what keeps search plugins up to date. */
export type LibraryParts = ReturnType<typeof composeLibrary>;

export interface LibraryNeeds {
  readonly kernel: Kernel;
  /** The events of all servers on the database. */
  readonly everywhere: Pick<EventBus, 'listen'>;
  readonly files: MediaFiles;
  readonly licensing: Licensing;
  readonly reach: Pick<PluginReach, 'feedFor' | 'mediaScopeFor' | 'hidden'>;
  readonly viewers: Pick<PluginViewers, 'toPlugins'>;
  readonly references: References;
  /** Called when the stored problems of a library may have changed. */
  readonly onProblems: () => void;
}

/** After these events a search plugin may be far behind; it receives single changes itself. */
const searchWakers = ['library.deleted', 'plugin.started', 'plugin.restarted'] as const;
/** These events come by the thousand. */
const searchNudgers = ['library.scan.*', 'library.item.enriched'] as const;
/** After these events entities may have lost or gained items. */
const entityTouchers = ['library.item.*', 'library.scan.*', 'library.deleted'] as const;

const typeKey = 'library:';
/** The library types among served keys. */
const typesIn = (keys: readonly string[]): readonly string[] =>
  keys.flatMap((key) => (key.startsWith(typeKey) ? key.slice(typeKey.length) : []));

/** Builds the library, and connects its upkeep to events. */
export function composeLibrary(infrastructure: Infrastructure, needs: LibraryNeeds) {
  const { database, cluster, isLeader, audit, clock, steady, newId, log } = infrastructure;
  const { kernel, everywhere, files, licensing, reach, viewers, references } = needs;
  const { call, events, hooks, plugins, provide } = kernel;
  const { allOf: providers, expected, filesystemFor, jobRunner, jobTypes } = plugins.providers;
  const { now } = clock;
  const searchUpkeep = createSearchUpkeep({ call, providers, clock: steady, log });
  const whereKept = (run: () => void) => () => {
    if (isLeader()) run();
  };
  /** A grant of all libraries does not include hidden ones, except for plugins of the server. */
  const withoutHidden = <Caller extends Pick<HostCaller, 'pluginId' | 'reach'>>(
    caller: Caller,
  ): Caller =>
    plugins.registry.isOwn(caller.pluginId)
      ? caller
      : { ...caller, reach: reach.hidden.shownOf(caller.reach) };
  const pluginRunner = createPluginRunner({ jobRunner, jobTypes, call });
  const library = createLibraryDomain({
    ...infrastructure,
    ...references,
    audit: audit.inTransaction,
    call,
    providers,
    libraryTypes: () => typesIn(plugins.providers.list().map(({ key }) => key)),
    expected,
    capabilityConfigOf: plugins.registry.capabilityConfigOf,
    usesNetwork: (id) => (plugins.grants.powersOf(id).net ?? []).length > 0,
    filesystemFor,
    validateRoot: files.validateRoot,
    hooks,
    events: cluster ? { emit: events.emit, room: cluster.room } : events,
    selectPlayback: selectItemPlayback,
    entityProfile,
    profileItems,
    findCollectionItems,
    inspectRoot: createInspectRoot(files.filesystems),
    assertRoom: (trx) => licensing.assertRoom('libraries', trx),
    missingDays: infrastructure.config.missingDays,
    fingerprints: files.fingerprints,
    feedFor: (caller) => reach.feedFor(withoutHidden(caller)),
    mediaScopeFor: (caller) => reach.mediaScopeFor(withoutHidden(caller)),
    toPlugins: viewers.toPlugins,
    joined: async (trx, pair) => {
      await moveStates(trx, pair);
      await moveMembers(trx, pair);
    },
    removed: (trx, libraryId) => plugins.secrets.forget(trx, { libraryId }),
    onProblems: needs.onProblems,
    scanner: pluginRunner,
    onSilentChanges: whereKept(searchUpkeep.wake),
    ...(cluster && {
      entityGeneration: (trx: Transaction) => cluster.generation(trx, 'entities'),
      searchProgress: sharedProgress(cluster.ask, database.read),
    }),
    clock,
    now,
  });
  provide(library.service);
  provide(library.mediaService);
  library.entityUpkeep.follow(watchedCounts);
  library.entityUpkeep.follow(createAutoCollections({ database, newId, now }));
  for (const name of searchWakers) everywhere.listen(name, whereKept(searchUpkeep.wake));
  for (const name of searchNudgers) everywhere.listen(name, whereKept(searchUpkeep.wakeSoon));
  for (const name of entityTouchers) events.listen(name, library.entityUpkeep.wake);
  events.listen('library.scan.completed', library.missingUpkeep.wake);
  return {
    library,
    searchUpkeep /**
     * Runs jobs through plugins: those of the scanner, and those of all types without another
     * runner.
     */,
    pluginRunner,
  };
}
