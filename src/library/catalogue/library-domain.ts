import type { CallPlugin, DispatchViewer, HostService, Log } from '../../../kernel/index.ts';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import type { ExpectedPlugin, PluginRole } from '../../../kernel/run/index.ts';
import type { CapabilityConfig, ServedKey } from '../../../plugin-api/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { JobRunner } from '../../work/jobs/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import { steadyOf, type Clock } from '../../platform/clock.ts';
import type { BackgroundScheduler } from '../../platform/background-scheduler.ts';
import type { Claims, CheckReference } from '../../files/references/index.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import { createAccess, createKnownLibraries, type Access } from './access/index.ts';
import { createChangeFeed } from './libraries/change-feed.ts';
import type { FeedFor } from './tables/feed-filter.ts';
import { createItemVisibility, type ItemVisibility } from './items/item-visibility.ts';
import { Entities } from './entities/entities.ts';
import type { EntityProfile } from './entities/entity-profile.ts';
import { EntityRegistry } from './entities/entity-registry.ts';
import { createEntityUpkeep, type EntityUpkeep } from './entities/entity-upkeep.ts';
import { createFiles, type Files } from './items/files.ts';
import { createGivenTexts, type GivenTexts } from './texts/given-texts.ts';
import { createIdentifier, type Identifier } from './commit/identifier.ts';
import { createIndexers, type Indexers } from './commit/indexers.ts';
import { createIngests, type Ingests } from './commit/ingests.ts';
import type { RegroupParts } from './commit/regroup.ts';
import { createItemLocations, type ItemLocations } from './items/item-locations.ts';
import type { SelectItemPlayback } from './items/item-playback.ts';
import { createItems, type Items } from './items/items.ts';
import { createLibraries, type Libraries, type ValidateRoot } from './libraries/libraries.ts';
import type { FindCollectionItems, ProfileItems } from './items/profile-items.ts';
import { createPictureLooks, type PictureLooks } from './items/picture-looks.ts';
import { createWantedPictures, type WantedPictures } from './items/wanted-pictures.ts';
import type { EmitLibraryEvent } from './tables/library-events.ts';
import { createHeld, type Held } from './libraries/held.ts';
import { createPlaylistPlaces, type PlaylistPlaces } from './media/playlist-places.ts';
import { createLibraryService } from './libraries/library-service.ts';
import type { MediaScopeFor } from './media/media-scope.ts';
import { createMediaService } from './media/media-service.ts';
import { createMayView, type MayView } from './items/may-view.ts';
import { createMissingUpkeep, type MissingUpkeep } from './scan/missing-upkeep.ts';
import type { MakeFingerprints } from './scan/move-evidence.ts';
import { createReconcile } from './scan/reconcile.ts';
import { createRootCheck, type RootCheck } from './scan/root-check.ts';
import { createRootHealth, type InspectRoot } from './scan/root-health.ts';
import { createScanDoubts } from './scan/scan-doubt.ts';
import { createScanPreparation, type ScanHookChain } from './scan/scan-preparation.ts';
import { createScanRunner } from './scan/scan-runner.ts';
import { createScanTally } from './scan/scan-tally.ts';
import { createPageDigests } from './scan/page-digests.ts';
import { SearchProgress, type SharedProgress } from './search/search-progress.ts';
import { lastNumber } from './tables/counter-store.ts';
import { createSearch, type Search } from './search/search.ts';
import { createStudiedFiles, type StudiedFiles } from './studies/studied-files.ts';

export interface LibraryDomainParts {
  readonly database: Database;
  /** Calls one plugin; rejects when it does not run, fails, or takes too long. */
  readonly call: CallPlugin;
  /** Ids of the running plugins that provide a capability, the preferred one first. */
  readonly providers: (key: ServedKey) => readonly string[];
  /** The types of libraries that plugins find files for, in alphabetical order. */
  readonly libraryTypes: () => readonly string[];
  /** All plugins that should answer for a library, also those that are not running. */
  readonly expected: (role: PluginRole, libraryId: string) => readonly ExpectedPlugin[];
  /** The `capabilityConfig` of a running plugin's manifest. */
  readonly capabilityConfigOf: (pluginId: string) => CapabilityConfig;
  /** Whether a plugin may reach the network. */
  readonly usesNetwork: (pluginId: string) => boolean;
  readonly filesystemFor: (scheme: string) => string | undefined;
  /** The rules for files and addresses that plugins may name: when written, and when read. */
  readonly claims: Claims;
  readonly checkReference: CheckReference;
  /** Whether a plugin may write metadata. */
  readonly mayWrite: (pluginId: string) => boolean;
  readonly validateRoot: ValidateRoot;
  /** Throws when the license allows no further library. */
  readonly assertRoom: (trx: Transaction) => Promise<void>;
  readonly hooks: ScanHookChain;
  readonly events: {
    readonly emit: EmitLibraryEvent;
    readonly room: (timeoutMs: number) => Promise<void>;
  };
  readonly selectPlayback: SelectItemPlayback;
  /** What profiles say of entities. */
  readonly entityProfile: EntityProfile;
  /** What lists of items ask of profiles and collections. */
  readonly profileItems: ProfileItems;
  readonly findCollectionItems: FindCollectionItems;
  readonly inspectRoot: InspectRoot;
  /** Computes fingerprints, which distinguish files by their content. */
  readonly fingerprints: MakeFingerprints;
  /** How many days a missing file is kept; 0 = until the end of the next whole scan. */
  readonly missingDays: number;
  /** Runs one step of the plugin that provides scans. */
  readonly scanner: JobRunner;
  readonly background: Pick<BackgroundScheduler, 'waitForSlot' | 'batchSize'>;
  /**
   * Changes whenever another server deleted or merged entities; absent when there is no other
   * server.
   */
  readonly entityGeneration?: (trx: Transaction) => Promise<number>;
  /** How far search plugins are, as all servers know it; absent when there is no other server. */
  readonly searchProgress?: SharedProgress;
  /** The change feed has grown by a change for which no event is emitted. */
  readonly onSilentChanges: () => void;
  /** Deletes what other parts store for a library, in the same transaction. */
  readonly removed?: (trx: Transaction, libraryId: string) => Promise<void>;
  /** Keeps what other parts store for an item that is merged into another one, in that transaction. */
  readonly joined?: RegroupParts['joined'];
  /** Called when the stored problems of a library may have changed. */
  readonly onProblems: () => void;
  /** Converts a viewer for calls of plugins. */
  readonly toPlugins: (viewer: Viewer) => DispatchViewer;
  /** The filter of the change feed for a plugin; when absent, the feed is empty. */
  readonly feedFor?: FeedFor;
  /** What `host.media` shows to a plugin; when absent, nothing. */
  readonly mediaScopeFor?: MediaScopeFor;
  readonly audit: RecordAudit;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly now: () => number;
  readonly log: Log;
}

export interface LibraryDomain {
  readonly access: Access;
  readonly libraries: Libraries;
  /** What the libraries hold and do not show. */
  readonly held: Held;
  readonly playlistPlaces: PlaylistPlaces;
  /** Locations of items and libraries, for checking what a plugin was granted. */
  readonly locations: ItemLocations;
  /** What a viewer may see, for limiting a plugin that works for that viewer. */
  readonly visibility: ItemVisibility;
  readonly items: Items;
  readonly files: Files;
  /** The content of the text tracks that plugins gave. */
  readonly givenTexts: GivenTexts;
  /** Colours and thumbhashes of pictures, as tiles show them. */
  readonly pictureLooks: PictureLooks;
  readonly wantedPictures: WantedPictures;
  readonly entities: Entities;
  readonly entityUpkeep: EntityUpkeep;
  readonly missingUpkeep: MissingUpkeep;
  readonly search: Search;
  /** What the media jobs look at, and what they found. */
  readonly studied: StudiedFiles;
  readonly mayView: MayView;
  /** `host.library`. */
  readonly service: HostService;
  /** `host.media`. */
  readonly mediaService: HostService;
  /** Checks the roots of a library, and stores their problems. */
  readonly checkRoots: RootCheck;
  /** Runs jobs of the type `scan`. */
  readonly scans: JobRunner;
  /** The plugins that identify files. */
  readonly indexers: Indexers;
  readonly identifier: Identifier;
  /** What an ingest reads and writes of the libraries. */
  readonly ingests: Ingests;
}

export function createLibraryDomain(parts: LibraryDomainParts): LibraryDomain {
  const { emit, room } = parts.events;
  const known = createKnownLibraries();
  const access = createAccess({ database: parts.database, known });
  const registry = new EntityRegistry(parts);
  const tally = createScanTally();
  const doubts = createScanDoubts();
  const rootHealth = createRootHealth(parts);
  const rootsOf = (id: string): readonly string[] => known.find(id)?.roots ?? [];
  const indexers = createIndexers({ ...parts, rootsOf });
  const identifier = createIdentifier({ ...parts, indexers });
  const pageDigests = createPageDigests(parts.database);
  const reconcile = createReconcile({
    ...parts,
    pageDigests,
    emit,
    room,
    tally,
    doubts,
    rootHealth,
    entities: registry,
    identifier,
  });
  const feed = createChangeFeed(parts);
  const libraries = createLibraries({
    ...parts,
    access,
    known,
    emit,
    room,
    reconcile,
    entities: registry,
  });
  const items = createItems({ ...parts, access, emit, registry });
  const progress = new SearchProgress({
    providers: parts.providers,
    lastNumber: () => lastNumber(parts.database.read),
    shared: parts.searchProgress,
    clock: steadyOf(parts.clock),
  });
  const search = createSearch({ ...parts, access, reach: (change) => progress.reach(change) });
  return {
    access,
    items,
    entities: new Entities({ ...parts, access, registry }),
    search,
    studied: createStudiedFiles({ ...parts, emit }),
    libraries,
    held: createHeld({ ...parts, access, pageDigests }),
    playlistPlaces: createPlaylistPlaces({ ...parts, access }),
    locations: createItemLocations({ ...parts, known }),
    visibility: createItemVisibility({ ...parts, access }),
    files: createFiles({ ...parts, access }),
    givenTexts: createGivenTexts(parts.database),
    pictureLooks: createPictureLooks(parts),
    wantedPictures: createWantedPictures(parts),
    entityUpkeep: createEntityUpkeep({
      ...parts,
      entities: registry,
      onLeft: parts.onSilentChanges,
    }),
    missingUpkeep: createMissingUpkeep(parts),
    mayView: createMayView({ ...parts, access }),
    service: createLibraryService({ ...parts, feed, reconcile, pageDigests, progress }),
    mediaService: createMediaService({
      items,
      search,
      librariesOf: async (viewer) => (await access.scopeOf(viewer)).libraries,
      scopeFor: parts.mediaScopeFor ?? (() => null),
      servesSearch: (pluginId) => parts.providers('search')[0] === pluginId,
    }),
    checkRoots: createRootCheck({ ...parts, rootHealth }),
    scans: createScanRunner({
      ...parts,
      emit,
      tally,
      doubts,
      rootHealth,
      prepare: createScanPreparation(parts),
    }),
    indexers,
    identifier,
    ingests: createIngests({ ...parts, emit, entities: registry, identifier }),
  };
}
