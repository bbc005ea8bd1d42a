export { findCollectionItems } from './collection-items.ts';
export { collectionMigrations } from './collection-migrations.ts';
export { Collections } from './collections.ts';
export { createEntries } from './entries.ts';
export type { Entries } from './entries.ts';
export { moveMembers, readMembersAmong } from './moved-member-store.ts';
export { collectionsOfProfiles } from './profile-collections.ts';
export { createAutoCollections } from './auto-collections.ts';
