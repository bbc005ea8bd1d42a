export { carriedLibraries } from './carried-libraries.ts';
export {
  createLibraryDomain,
  type LibraryDomain,
  type LibraryDomainParts,
} from './library-domain.ts';
export {
  entityShows,
  isActiveItem,
  itemShows,
  libraryShowing,
  type Access,
  type Scope,
} from './access/index.ts';
export type { Entities, EntitiesPage, EntityItemsQuery, EntityQuery } from './entities.ts';
export type { Entity, EntityChanges, EntityDetail } from './entity.ts';
export type { EntityCensus, EntityFollower, EntityUpkeep, ItemCount } from './entity-upkeep.ts';
export type { Chapter } from './chapter.ts';
export type { FileContent, LibraryFile, MediaKind } from './file.ts';
export type { Asset, Files } from './files.ts';
export type { IngestedChapter } from './extras-store.ts';
export type { Identifier } from './identifier.ts';
export type { IndexedLibrary, Indexers } from './indexers.ts';
export type { IngestedFile, IngestedItem, IngestOutcome } from './ingest-commit.ts';
export type { IngestFile, IngestSidecar, IngestSubject } from './ingest-subjects.ts';
export type { Ingests } from './ingests.ts';
export { itemSorts, type ItemSort, type SortOrder } from './item-list-store.ts';
export type { Item, ItemChanges, ItemDetail, ItemIngest, ItemPlayback } from './item.ts';
export { toPlayback, type SelectItemPlayback } from './item-playback.ts';
export type { LinkedEntity } from './item.ts';
export type { ItemQuery, Items, ItemsPage } from './items.ts';
export { relativePath } from './file-uri.ts';
export { emptyFeed, type FeedFilter, type FeedFor } from './feed-filter.ts';
export type { ItemLocation, NamedPlaces, ItemLocations } from './item-locations.ts';
export type { ItemVisibility } from './item-visibility.ts';
export { toRootUri } from './root-uri.ts';
export type { Libraries, ValidateRoot } from './libraries.ts';
export { createLibraryService, rootsIn } from './library-service.ts';
export type { Library, LibraryChanges, NewLibrary } from './library.ts';
export type { LibraryRow } from './library-store.ts';
export { markItems } from './pending-store.ts';
export type { MakeFingerprints } from './move-evidence.ts';
export type { InspectRoot, RootProblem } from './root-health.ts';
export { libraryMigrations } from './schema.ts';
export type { Search, SearchAnswer } from './search.ts';
export { createSearchUpkeep, type SearchUpkeep } from './search-upkeep.ts';
