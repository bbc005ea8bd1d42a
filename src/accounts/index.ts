export { accountMigrations } from './account-migrations.ts';
export type { ApiKey, NewApiKey } from './api-key.ts';
export { createApiKeys } from './api-keys.ts';
export type { ApiKeys, ApiKeysPage, ApiKeysParts, FreshApiKey } from './api-keys.ts';
export { createAuthenticate, type Authenticate } from './credentials.ts';
export { isAtLeast, isFullAdmin, maySeeLibrary, roles, serverViewer } from './viewer.ts';
export type { Role, Viewer } from './viewer.ts';
