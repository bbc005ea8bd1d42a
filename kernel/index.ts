/** The only entry to the kernel. */
export { isNotGranted, isOutage, isOutageUnder, isUnhandled } from './errors.ts';
export { KernelError, type KernelErrorCode } from './errors.ts';
export { createEventBus, everyEvent, parsePattern } from './events/index.ts';
export type { EventBus, SerialisedEvent } from './events/index.ts';
export { pathText } from './foreign-text.ts';
export { closestPattern, coversHost } from './host-pattern.ts';
export type { HostCaller, HostMethod, HostService, Undo } from './host-service.ts';
export { createKernel } from './kernel.ts';
export type { CallPlugin, Kernel, KernelParts } from './kernel.ts';
export { silentLog, type Log } from './log.ts';
export type { DispatchCall } from './dispatch.ts';
export type { DispatchViewer } from './dispatch-viewer.ts';
export type { Outcome } from './outcome.ts';
export type {
  HiddenScopes,
  IncomingCall,
  Narrowed,
  OutgoingCall,
  Reach,
  ReachedScope,
  ReachPolicy,
} from './reach.ts';
export type { Interceptor } from './interceptor.ts';
export type { HookRun } from './hooks/index.ts';
export { carriedPlugins, isOwnJobType, pluginMigrations, type Alongside } from './plugins/index.ts';
export { createManifestReader, createPacker, topLevelAwait } from './plugins/index.ts';
export { isDay, moveCompatibility } from './plugins/index.ts';
export {
  byVersion,
  createIndexReader,
  departedFault,
  departureOf,
  differingFacts,
  filesOf,
  indexDigest,
  indexInForce,
  isExpired,
  isFromTheFuture,
  isNewer,
  isPrerelease,
  isRotation,
  isUsableKey,
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
} from './plugins/index.ts';
export type {
  InstallOutcome,
  Installs,
  JudgedPackage,
  PackageChange,
  PackageRecord,
  Verdict,
} from './plugins/index.ts';
export type {
  GrantingField,
  IndexPlugin,
  IndexVersion,
  KeyRotation,
  Manifest,
  ManifestReader,
  MarketplaceIndex,
  OpenedArchive,
  PackageFiles,
  ReadIndex,
  SubscribedNames,
  Signer,
} from './plugins/index.ts';
export { powersAsked, serverJobTypes } from './plugins/index.ts';
export { consentTo, placesSentence, sentenceOf, sentencesOf } from './plugins/index.ts';
export type { Consent, Decided, PermissionSentence } from './plugins/index.ts';
export type { GivenGrant } from './plugins/index.ts';
export type { LogLine, Rescan } from './plugins/index.ts';
export type { Plugin, PluginPermissions, Plugins } from './plugins/index.ts';
export type { Actions, Configuration, Grants, Lifecycle } from './plugins/index.ts';
export type { Providers, Registry, Usage } from './plugins/index.ts';
export type { PluginState, PluginUsage, SkippedPlugin } from './plugins/index.ts';
export type { DryRun, QuotaUse } from './plugins/index.ts';
export { failureKinds, type FailureKind } from './failure.ts';
export type { ExpectedPlugin, PluginRole, RefusedUse } from './plugins/index.ts';
export type { KeptPowers, OnLostProvider, ProvidedKey } from './plugins/index.ts';
export { headerText } from './plugins/index.ts';
export type { KeptSecret, NewSecret, OpenedSecret, Secrets } from './plugins/index.ts';
export { createSandboxes } from './sandbox/index.ts';
export type { IsolationMode, IsolationReport } from './sandbox/index.ts';
export { byteOrdered, createTextIndexService } from './storage/index.ts';
export { isUniqueViolation, openReadOnly, openStorage } from './storage/index.ts';
export {
  carriedTable,
  checkDatabase,
  emptiedTable,
  listMigrationBackups,
} from './storage/index.ts';
export type { CarriedRow, CarryOver } from './storage/index.ts';
export type { DatabaseFault, MigrationBackup } from './storage/index.ts';
export {
  createTrigger,
  dialectOf,
  membersOf,
  mostIndexedBytes,
  readTogether,
  sameNames,
  toMembers,
} from './storage/index.ts';
export type { Trigger } from './storage/index.ts';
export type { Queries, Selection, SharedRows, Transaction } from './storage/index.ts';
export type { AskLine, SharedDatabase, SharedLine } from './storage/index.ts';
export type { Database, Migration, MigrationSet } from './storage/index.ts';
export type { ReadOnlyStorage, Storage, StorageOptions } from './storage/index.ts';
export { pageSlots } from './views/index.ts';
export type { ShownPiece, ViewAggregator } from './views/index.ts';
