export { carriedPlugins } from './carried-plugins.ts';
export { systemClock } from './clock.ts';
export { isChangedFor, isDay, moveCompatibility } from './manifest/compatibility.ts';
export type { CompatibilityMove } from './manifest/compatibility.ts';
export type { CompatibilityChange, JsonObject } from './manifest/compatibility-changes.ts';
export type { Clock } from './clock.ts';
export { maskedSecret } from './configuration.ts';
export type { ConfigValues } from './configuration.ts';
export { consentTo, type Consent, type Decided } from './permissions/consent.ts';
export { asksForNothing, powersAsked, serverJobTypes } from './permissions/powers-asked.ts';
export type { Asking } from './permissions/powers-asked.ts';
export { createManifestReader } from './manifest/manifest.ts';
export type { ManifestReader, Parsed } from './manifest/manifest.ts';
export type { Rescan } from './installation/local-folders.ts';
export type { LogLine } from './lifecycle/plugin-log.ts';
export type { SecretSeal } from './plugin-secrets.ts';
export { pluginMigrations, type Alongside } from './plugin-store.ts';
export type {
  HasSecretScope,
  KeptSecret,
  NewSecret,
  OpenedSecret,
  Secrets,
} from './secrets/index.ts';
export { headerText } from './secrets/index.ts';
export type { Plugin, PluginType, PluginUsage, QuotaUse } from './plugin.ts';
export type { SkippedPlugin, SkippedReason } from './plugin.ts';
export type { DryRun, JudgedCall } from './usage/dry-run.ts';
export { isRefusal } from './usage/power-log.ts';
export type { PowerCount, Refusal } from './usage/power-log.ts';
export type { UsagePoint } from './usage/usage-chart.ts';
export { placesSentence, sentenceOf, sentencesOf } from './permissions/permission-sentences.ts';
export type { PermissionSentence } from './permissions/permission-sentences.ts';
export { isOwnJobType } from './permissions/powers-asked.ts';
export { createPlugins } from './plugins.ts';
export type { GivenGrant } from './permissions/grant.ts';
export type {
  GrantOptions,
  PluginCounts,
  PluginFilter,
  PluginPermissions,
  Plugins,
} from './plugins.ts';
export type {
  InstallFault,
  InstallOutcome,
  Installs,
  JudgedPackage,
  PackageChange,
  PlaceOptions,
  Verdict,
} from './installation/install.ts';
export { realDisk, type PackageDisk } from './installation/package-folders.ts';
export type { PackageRecord } from './installation/package-store.ts';
export type { FailureCounts, HandlerFailures, OftenFailing } from './lifecycle/failure-log.ts';
export type { FailingPlugin, KeptPowers, PluginsParts, RefusedUse } from './plugins-parts.ts';
export { discover } from './installation/discovery.ts';
export type { Discovery, PluginPackage, PluginSource } from './installation/discovery.ts';
export type { ExpectedPlugin, PluginRole } from './lifecycle/expected-plugins.ts';
export type { LostProvider, OnLostProvider } from './lifecycle/lost-provider.ts';
export type { ProvidedKey, Providers } from './lifecycle/providers.ts';
export type { PluginState } from './lifecycle/lifecycle.ts';
export { createPacker, topLevelAwait } from './installation/packer.ts';
export type { Packer } from './installation/packer.ts';
export type { FindPosition, ScriptPosition } from './lifecycle/script-positions.ts';
export { indexInForce } from './permissions/removed-powers.ts';
export { createServices } from './permissions/services.ts';
export type { Services } from './permissions/services.ts';
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
  PackageFault,
  PackageFiles,
  ReadIndex,
  SubscribedNames,
} from './packages/index.ts';
export { isUsableKey, sameJson, type Signer } from './signature.ts';
export type { Manifest } from '../../plugin-api/index.ts';
