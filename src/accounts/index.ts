export { accountMigrations } from './account-migrations.ts';
export type { ApiKey, NewApiKey } from './api-key.ts';
export { createApiKeys } from './api-keys.ts';
export type { ApiKeys, ApiKeysPage, ApiKeysParts, FreshApiKey } from './api-keys.ts';
export type { Acting, ActingProfile, ActingRequest } from './acting.ts';
export { createAuthenticate } from './credentials.ts';
export type { Authenticate, AuthenticateParts, Caller } from './credentials.ts';
export type { CredentialHeaders, Credentials } from './credentials.ts';
export type { LibraryAccess } from './library-access.ts';
export type { Principal } from './principal.ts';
export { admits, isNoHigher, limitText, parseRatingLimit, ratingSystems } from './ratings/index.ts';
export type { RatingSystem, Rung } from './ratings/index.ts';
export { fullSight, narrowed, sightOfLibraries } from './sight.ts';
export type { Admission, RatingLimit, Sight } from './sight.ts';
export type { User, UserFollower } from './user.ts';
export type { Newcomer, NewUser, UserChanges, Users, UsersPage } from './users.ts';
export {
  isAtLeast,
  isFullAdmin,
  libraryIdsOf,
  maySeeLibrary,
  roles,
  serverViewer,
} from './viewer.ts';
export type { CredentialKind, Role, Viewer } from './viewer.ts';
