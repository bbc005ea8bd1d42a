export { createAccess, type Access } from './access.ts';
export {
  createKnownLibraries,
  toKnown,
  type KnownLibraries,
  type KnownLibrary,
} from './known-libraries.ts';
export { libraryShowing, type RatedRow, type Scope, type ScopedLibrary } from './scope.ts';
export { entitiesToAsk, entityPartition, itemPartition } from './search-scopes.ts';
export { entityShows, isActiveItem, itemShows, type Condition } from './scope-sql.ts';
