export { collectionMigrations } from './collection-migrations.ts';
export { collectionSorts } from './collection-sort.ts';
export type { CollectionOrder, CollectionSort } from './collection-sort.ts';
export type { Collection, CollectionFields, NewCollection } from './collection.ts';
export { createCollections } from './collections.ts';
export type {
  Collections,
  CollectionsPage,
  CollectionsParts,
  CollectionsQuery,
  MembersQuery,
} from './collections.ts';
export { collectionsOfProfiles } from './profile-collections.ts';
export { createAutoCollections, type AutoCollectionsParts } from './auto-collections.ts';
