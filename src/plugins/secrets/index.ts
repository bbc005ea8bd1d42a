export {
  createPluginSecretsAdmin,
  secretsOfProfiles,
  secretsOfUsers,
  type AskedSecret,
  type PluginSecretsAdmin,
} from './plugin-secrets.ts';
