export { accountMigrations } from './account-migrations.ts';
export type { ApiKey, NewApiKey } from './api-key.ts';
export { createApiKeys } from './api-keys.ts';
export type { ApiKeys, ApiKeysPage, ApiKeysParts, FreshApiKey } from './api-keys.ts';
export { createAuthenticate, type Authenticate } from './credentials.ts';
export { fullSight, narrowed, sightOfLibraries } from './sight.ts';
export type { Admission, RatingLimit, Sight } from './sight.ts';
export {
  isAtLeast,
  isFullAdmin,
  libraryIdsOf,
  maySeeLibrary,
  roles,
  serverViewer,
} from './viewer.ts';
export type { CredentialKind, Role, Viewer } from './viewer.ts';
