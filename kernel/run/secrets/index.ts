export { countedSecrets } from './counted-secrets.ts';
export { restoreSecrets, backUpSecrets, removeSecrets } from './secret-store.ts';
export { headerText } from './secret.ts';
export type { KeptSecret, NewSecret, OpenedSecret } from './secret.ts';
export { createSecretsService } from './secrets-service.ts';
export {
  createSecrets,
  type HasSecretScope,
  type OwnSecrets,
  type SecretChange,
  type Secrets,
} from './secrets.ts';
