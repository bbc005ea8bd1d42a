export { carriedPlugins } from './carried-plugins.ts';
export { isDay, moveCompatibility } from './manifest/compatibility.ts';
export type { Clock } from './plugin/clock.ts';
export { consentTo, type Consent, type Decided } from './powers/consent.ts';
export { powersAsked, serverJobTypes } from './powers/powers-asked.ts';
export { createManifestReader } from './manifest/manifest.ts';
export type { ManifestReader } from './manifest/manifest.ts';
export type { LogLine } from './usage/plugin-log.ts';
export type { SecretSeal } from './settings/plugin-secrets.ts';
export { pluginMigrations } from './plugin-migrations.ts';
export type { Alongside } from './settings/plugin-store.ts';
export type {
  HasSecretScope,
  KeptSecret,
  NewSecret,
  OpenedSecret,
  Secrets,
} from './secrets/index.ts';
export { headerText } from './secrets/index.ts';
export type { Plugin } from './plugin/plugin.ts';
export type { PluginUsage, QuotaUse } from './usage/plugin-usage.ts';
export type { SkippedPlugin } from './plugin/skipped-plugin.ts';
export type { DryRun } from './usage/dry-run.ts';
export { placesSentence, sentenceOf, sentencesOf } from './powers/permission-sentences.ts';
export type { PermissionSentence } from './powers/permission-sentences.ts';
export { isOwnJobType } from './powers/powers-asked.ts';
export { createPlugins } from './plugins.ts';
export type { GivenGrant } from './permissions/grant.ts';
export type { Plugins } from './plugins.ts';
export type { Actions } from './lifecycle/actions.ts';
export type { Lifecycle, Rescan } from './lifecycle/lifecycle.ts';
export type { Grants, PluginPermissions } from './permissions/grants.ts';
export type { Registry } from './registry/registry.ts';
export type { Configuration } from './settings/configuration.ts';
export type { Usage } from './usage/usage.ts';
export type {
  InstallOutcome,
  Installs,
  JudgedPackage,
  PackageChange,
  Verdict,
} from './installation/install.ts';
export { realDisk, type PackageDisk } from './installation/package-folders.ts';
export type { PackageRecord } from './packages/package-store.ts';
export type { KeptPowers } from './powers/grant-upgrade.ts';
export type { FailingPlugin } from './usage/failure-log.ts';
export type { RefusedUse } from './usage/power-log.ts';
export { discover } from './packages/discovery.ts';
export type { Discovery, PluginSource } from './packages/discovery.ts';
export type { ExpectedPlugin, PluginRole } from './providers/expected-plugins.ts';
export type { OnLostProvider } from './providers/lost-provider.ts';
export type { ProvidedKey, Providers } from './providers/providers.ts';
export type { PluginState } from './plugin/plugin.ts';
export { createPacker, topLevelAwait } from './scripts/packer.ts';
export { indexInForce } from './powers/removed-powers.ts';
export { createServices } from './permissions/services.ts';
export {
  byVersion,
  createIndexReader,
  departedFault,
  departureOf,
  differingFacts,
  filesOf,
  indexDigest,
  isExpired,
  isFromTheFuture,
  isNewer,
  isPrerelease,
  isRotation,
  leadsTo,
  longestIndex,
  longestIndexDays,
  longestPackage,
  makeArchive,
  manifestIn,
  openArchive,
  packed,
  pluginFacts,
  readSource,
  rotateKey,
  runsOn,
  signatureFile,
  signIndex,
  versionFacts,
} from './packages/index.ts';
export type {
  GrantingField,
  IndexPlugin,
  IndexVersion,
  KeyRotation,
  MarketplaceIndex,
  OpenedArchive,
  PackageFiles,
  ReadIndex,
  SubscribedNames,
} from './packages/index.ts';
export { isUsableKey, type Signer } from './packages/signature.ts';
export type { Manifest } from '../../plugin-api/index.ts';
