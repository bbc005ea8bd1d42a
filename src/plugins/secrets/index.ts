export {
  createPluginSecretsAdmin,
  secretsOfProfiles,
  secretsOfUsers,
  type AskedSecret,
  type PluginSecretsAdmin,
  type ScopeQuery,
  type SecretValue,
} from './plugin-secrets.ts';
