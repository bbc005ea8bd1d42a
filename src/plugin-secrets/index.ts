export {
  createPluginSecretsAdmin,
  secretNamed,
  secretsOfUsers,
  type PluginSecretsAdmin,
  type ScopeQuery,
  type SecretValue,
} from './plugin-secrets.ts';
