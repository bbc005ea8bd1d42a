export {
  createLibraryDomain,
  type LibraryDomain,
  type LibraryDomainParts,
} from './library-domain.ts';
export type { Entities, EntitiesPage, EntityQuery } from './entities.ts';
export type { Entity, EntityChanges } from './entity.ts';
export type { Chapter, LibraryFile, MediaKind } from './file.ts';
export type { Asset, Files } from './files.ts';
export { itemSorts, type ItemSort, type SortOrder } from './item-list-store.ts';
export type { Item, ItemChanges, ItemDetail, ItemPlayback, LinkedEntity } from './item.ts';
export type { ItemQuery, Items, ItemsPage } from './items.ts';
export type { Libraries, ValidateRoot } from './libraries.ts';
export type { Library, LibraryChanges, NewLibrary } from './library.ts';
export { libraryMigrations } from './schema.ts';
export type { Search, SearchAnswer } from './search.ts';
export { createSearchUpkeep } from './search-upkeep.ts';
