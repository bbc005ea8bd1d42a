export { definePlugin } from './define-plugin.ts';
export type { ExportCall, Handler, PluginDefinition } from './define-plugin.ts';
export type {
  Bundle,
  BundleAsset,
  BundleAuxiliaryFile,
  BundleChapter,
  BundleDelta,
  BundleEntity,
  BundleMediaFile,
  BundleSubtitle,
  IdValue,
} from './bundle.ts';
export { eventNames } from './events.ts';
export type {
  AdminPipelineEventData,
  CollectionEventData,
  EntityMarkEventData,
  EventCatalogue,
  EventEnvelope,
  EventName,
  EventPattern,
  EventsOf,
  ItemEventData,
  JobEventData,
  LibraryEventData,
  MarkEventData,
  PipelineItemEventData,
  PipelineStepEventData,
  PlaybackEventData,
  PluginEventData,
  ScanEventData,
  TranscodeEventData,
} from './events.ts';
export type { ConfigInput } from './config-input.ts';
export { createDigest } from './digest.ts';
export type { Digest } from './digest.ts';
export { createIgnoredNames } from './ignored-name.ts';
export type { IsIgnored } from './ignored-name.ts';
export { hookNames } from './hooks.ts';
export { languageForms, languageRows } from './language-table.ts';
export {
  findLanguage,
  findLanguageForm,
  languageOfCode,
  longestLanguageName,
  toLanguageTag,
} from './languages.ts';
export { nameOfWork } from './name-of-work.ts';
export { splitRanges } from './ranges.ts';
export { ReaderError } from './reader-error.ts';
export type { ReaderFault } from './reader-error.ts';
export { createReaders, readerBlockBytes } from './reader.ts';
export type { FileReader, ReaderBudget, Readers, ReadersParts } from './reader.ts';
export type {
  HookCatalogue,
  HookName,
  ItemHookInput,
  ScanPrepareDelta,
  ScanPrepareInput,
} from './hooks.ts';
export type {
  ActionDeclaration,
  Capability,
  CapabilityConfig,
  ConfigField,
  DataSchema,
  DataType,
  ExportedMethod,
  HookSubscription,
  Manifest,
  ServedKey,
  Subscriptions,
} from './manifest.ts';
export type {
  Identification,
  IndexCandidate,
  IndexFile,
  IndexInput,
  IndexResult,
  IndexSearchInput,
  IndexSearchResult,
  IndexStage,
} from './indexing.ts';
export type { LicenseClaims, LicenseState, LicenseVerdict } from './license-verdict.ts';
export type {
  ArtworkInput,
  EmbeddedArtwork,
  MediaStream,
  MediaDisc,
  MediaPlace,
  MediaTags,
  ProbeFailure,
  ProbeFile,
  ProbeInput,
  ProbeOutcome,
  ProbeReport,
  ReplayGain,
  ProbeResult,
} from './probe.ts';
export type {
  PictureFailure,
  PictureFile,
  PictureFormat,
  PictureInput,
  PictureResult,
} from './pictures.ts';
export type {
  EmbeddedFonts,
  EmbeddedSubtitle,
  EmbeddedSubtitleInput,
  EmbeddedTextInput,
  LyricsInput,
  LyricsResult,
  TextFailure,
  TextFailureCode,
  TextInput,
  TextSource,
} from './texts.ts';
export type {
  AudioRecipe,
  ConversionRecipe,
  PlaybackClient,
  PlaybackReason,
  PlaybackStream,
  SegmentPiece,
  SegmentPlan,
  TrackWay,
  TranscodeDecideInput,
  TranscodeDecision,
  TranscodeFailure,
  TranscodeFailureCode,
  TranscodeIndex,
  TranscodeIndexInput,
  TranscodeInitInput,
  TranscodeSegmentInput,
  TranscodeTrack,
  VideoRecipe,
  FrameTimes,
} from './transcode.ts';
export type {
  DeliveredNotification,
  GroupInput,
  GroupResult,
  JobRunInput,
  JobRunResult,
  LibraryDescription,
  MethodCatalogue,
  MethodName,
  SearchQueryInput,
  SearchQueryResult,
} from './methods.ts';
export type { FieldTexts, LocaleFile, PluralTexts } from './locale.ts';
export type { EventGroup, PermissionName, Permissions } from './permissions.ts';
export { uiSlots, viewContextKeys, viewNames } from './views.ts';
export type {
  UIAction,
  UIActionAnswer,
  UIFact,
  UIForm,
  UIFormField,
  UIMetadata,
  UISchema,
  UISlot,
  UIText,
  ViewCatalogue,
  ViewName,
} from './views.ts';
export type { ConfigService, ConfigurationValues } from './host/config.ts';
export type { CryptoBytes, CryptoEncoding, CryptoService, HashName } from './host/crypto.ts';
export type { DiskEntry, DiskErrorCode, DiskFolder, DiskService } from './host/disk.ts';
export type { EventLogService, LoggedEvent } from './host/event-log.ts';
export type { EventsService } from './host/events.ts';
export type {
  DiskChanges,
  FileEntry,
  FileListing,
  FileProblem,
  FsService,
  KnownFilesPage,
  ListFilesInput,
  PageStretch,
  ReadFileInput,
  ReadRangesInput,
} from './host/fs.ts';
export type { Host, HostError, Viewer } from './host/host.ts';
export type { JobsService } from './host/jobs.ts';
export type { ScheduleService, Wake, WakeInput } from './host/schedule.ts';
export type { SecretDescription, SecretName, SecretScope, SecretsService } from './host/secrets.ts';
export type { KvEntry, KvService } from './host/kv.ts';
export type { PluginsService } from './host/plugins.ts';
export type { NotificationsService } from './host/notifications.ts';
export type {
  IndexedItem,
  LibraryChange,
  LibraryInfo,
  LibraryService,
  ReconcileInput,
  ReconcileResult,
  ScannedFile,
} from './host/library.ts';
export type {
  MediaCounts,
  MediaFile,
  MediaFilters,
  MediaFound,
  MediaItem,
  MediaPage,
  MediaQuery,
  MediaService,
  MediaTile,
  MediaWatched,
} from './host/media.ts';
export { toFetchedBytes } from './host/net.ts';
export type {
  FetchBytesInput,
  FetchedBytes,
  FetchInput,
  FetchResult,
  NetService,
} from './host/net.ts';
export type {
  TextDocument,
  TextHit,
  TextHits,
  TextIndexService,
  TextTerm,
} from './host/text-index.ts';
export type {
  ViewingEntry,
  ViewingList,
  ViewingPageQuery,
  ViewingService,
  ViewingState,
} from './host/viewing.ts';
export type {
  DeliveriesInput,
  DeliveriesPage,
  DeliveryStatus,
  Webhook,
  WebhookChanges,
  WebhookDelivery,
} from './webhooks.ts';
