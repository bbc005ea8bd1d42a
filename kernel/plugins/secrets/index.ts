export { bringBackSecrets, keepSecrets, removeSecrets, secretMigration } from './secret-store.ts';
export { headerText, type KeptSecret, type NewSecret, type OpenedSecret } from './secret.ts';
export { createSecretsService } from './secrets-service.ts';
export { createSecrets, type HasSecretScope, type Secrets } from './secrets.ts';
