export { collectionMigrations } from './collection-migrations.ts';
export { collectionSorts } from './collection.ts';
export type {
  Collection,
  CollectionFields,
  CollectionOrder,
  CollectionSort,
  NewCollection,
} from './collection.ts';
export { createCollections } from './collections.ts';
export type {
  Collections,
  CollectionsPage,
  CollectionsParts,
  CollectionsQuery,
  MembersQuery,
} from './collections.ts';
export { createKeptCollections, type KeptCollectionsParts } from './kept-collections.ts';
