export { collectionMigrations } from './collection-migrations.ts';
export { collectionKinds, collectionSorts } from './collection-sort.ts';
export type { Collection } from './collection.ts';
export { createCollections } from './collections.ts';
export type { Collections, CollectionsPage } from './collections.ts';
export { createEntries } from './entries.ts';
export type { Entries, EntriesPage, Entry } from './entries.ts';
export { collectionsOfProfiles } from './profile-collections.ts';
export { createAutoCollections } from './auto-collections.ts';
