import type {
  DiskChanges,
  FileEntry,
  FileListing,
  ListFilesInput,
  ReadFileInput,
} from './host/fs.ts';
import type { WakeInput } from './host/schedule.ts';
import type {
  Identification,
  IndexInput,
  IndexResult,
  IndexSearchInput,
  IndexSearchResult,
} from './indexing.ts';
import type { LicenseClaims, LicenseState, LicenseVerdict } from './license-verdict.ts';
import type { PictureInput, PictureResult } from './pictures.ts';
import type { ArtworkInput, ProbeFile, ProbeInput, ProbeResult } from './probe.ts';
import type {
  EmbeddedFonts,
  EmbeddedSubtitle,
  EmbeddedSubtitleInput,
  EmbeddedTextInput,
  LyricsInput,
  LyricsResult,
  TextFailure,
  TextInput,
} from './texts.ts';
import type {
  SegmentPlan,
  TranscodeDecideInput,
  TranscodeDecision,
  TranscodeFailure,
  TranscodeIndex,
  TranscodeIndexInput,
  TranscodeInitInput,
  TranscodeSegmentInput,
} from './transcode.ts';
import type {
  DeliveriesInput,
  DeliveriesPage,
  Webhook,
  WebhookChanges,
  WebhookDelivery,
} from './webhooks.ts';

/** A notification, as the server stores it. */
export interface DeliveredNotification {
  readonly id: string;
  /** For information, needs attention soon, does not work. */
  readonly level: 'info' | 'warning' | 'error';
  /** One sentence in plain text, 300 characters at most. */
  readonly title: string;
  /** Details and what to do: 2000 characters at most, or empty. */
  readonly message: string;
  /** The sender: `jobs`, `storage`, or `plugin <id>`. */
  readonly source: string;
  readonly createdAt: string;
}

/** Input of `library.group`: which files belong together. */
export interface GroupInput {
  readonly libraryId: string;
  readonly libraryType: string;
  readonly files: readonly {
    readonly path: string;
    readonly identification: Identification | null;
  }[];
}

/**
 * Answer of `library.group`: one key per file, in the order of the input. Files with the same key are
 * one item, also across batches and scans, so a key must depend on names only.
 */
export interface GroupResult {
  readonly keys: readonly string[];
}

/**
 * Answer of `library.describe`: extensions (without dot) that are media in such a library. While the
 * plugin does not answer, or throws, the files that only it lists stay in the library.
 */
export interface LibraryDescription {
  readonly extensions: readonly string[];
  /** Extensions of files that belong to media beside them: subtitles, pictures, NFO. */
  readonly auxiliary?: readonly string[];
}

/** Input of `job.run`, which is called until it returns `done`. */
export interface JobRunInput {
  readonly jobId: string;
  readonly type: string;
  readonly libraryId: string | null;
  /** The parameters of the job. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The checkpoint of the last step; `null` in the first step. */
  readonly checkpoint: unknown;
}

/**
 * Answer of `job.run`: one step of work, 60 s at most, typically half a second. The checkpoint is
 * stored before the next step, which may run in another process after a crash, so a step must be safe
 * to repeat. Progress is 0 to 1.
 */
export type JobRunResult =
  | { readonly done: false; readonly checkpoint: unknown; readonly progress: number }
  | { readonly done: true; readonly result?: Readonly<Record<string, unknown>> };

/**
 * One query to a search plugin. It must count and return only what is in the given partitions: this
 * hides restricted items from people who may not see them.
 */
export interface SearchQueryInput {
  readonly q: string;
  /** The most items. */
  readonly limit: number;
  /** Only these partitions (`IndexedItem.scope`); `null` = all. */
  readonly scopes: readonly string[] | null;
  /** The most entities, up to 200; 20 when absent. */
  readonly entityLimit?: number;
}

/** Answer of `search.query`: ids in the order of rank, confidence 0 to 1. */
export interface SearchQueryResult {
  readonly items: readonly { readonly id: string; readonly confidence: number }[];
  /** All matching items, not only those returned. */
  readonly itemsTotal: number;
  readonly entities: readonly { readonly id: string; readonly confidence: number }[];
}

/** Methods that the kernel calls on plugins with a capability. */
export interface MethodCatalogue {
  readonly 'filesystem.validate': {
    readonly input: { readonly uri: string };
    readonly output: { readonly ok: boolean; readonly message?: string };
  };
  readonly 'filesystem.list': { readonly input: ListFilesInput; readonly output: FileListing };
  readonly 'filesystem.stat': {
    readonly input: { readonly uri: string };
    readonly output: FileEntry;
  };
  readonly 'filesystem.read': { readonly input: ReadFileInput; readonly output: Uint8Array };
  readonly 'filesystem.watch': {
    readonly input: {
      readonly uri: string;
      readonly cursor: string | null;
      readonly waitMs: number;
    };
    readonly output: DiskChanges;
  };
  readonly 'filesystem.unwatch': {
    readonly input: { readonly uri: string };
    readonly output: null;
  };
  readonly 'filesystem.getLocalPath': {
    readonly input: { readonly uri: string };
    /** `null` when the file is not on this machine's disk. */
    readonly output: { readonly path: string } | null;
  };
  /**
   * The same for up to 64 files at once, in the order of the input; links in a path need not be
   * resolved. Without it, the plugin is called once per file.
   */
  readonly 'filesystem.getLocalPaths': {
    readonly input: { readonly uris: readonly string[] };
    readonly output: { readonly paths: readonly (string | null)[] };
  };
  readonly 'indexer.supports': {
    readonly input: { readonly libraryType: string };
    readonly output: boolean;
  };
  readonly 'indexer.index': { readonly input: IndexInput; readonly output: IndexResult };
  readonly 'indexer.search': {
    readonly input: IndexSearchInput;
    readonly output: IndexSearchResult;
  };
  readonly 'probe.probe': { readonly input: ProbeInput; readonly output: ProbeResult };
  readonly 'probe.artwork': { readonly input: ArtworkInput; readonly output: Uint8Array };
  /** The text of a stream, or the lyrics of a file. 40 s. */
  readonly 'probe.text': {
    readonly input: EmbeddedTextInput;
    readonly output: Uint8Array | TextFailure;
  };
  /** A part of a subtitle that is pictures. 40 s. */
  readonly 'probe.subtitle': {
    readonly input: EmbeddedSubtitleInput;
    readonly output: EmbeddedSubtitle | TextFailure;
  };
  readonly 'probe.fonts': {
    readonly input: { readonly file: ProbeFile };
    readonly output: EmbeddedFonts;
  };
  /** Makes a picture in another size and format. 5 s. */
  readonly 'pictures.make': { readonly input: PictureInput; readonly output: PictureResult };
  /** Converts a text track: UTF-8, at most 6 MiB. 15 s. */
  readonly 'texts.convert': {
    readonly input: TextInput;
    readonly output: Uint8Array | TextFailure;
  };
  /** The lines of lyrics. 15 s. */
  readonly 'texts.lyrics': {
    readonly input: LyricsInput;
    readonly output: LyricsResult | TextFailure;
  };
  /**
   * The tracks of a file and where it is cut. 40 s; a file without an index is walked in several
   * calls, each of them some seconds long.
   */
  readonly 'transcode.index': {
    readonly input: TranscodeIndexInput;
    readonly output: TranscodeIndex | TranscodeFailure;
  };
  /** The init segment of a track (`EXT-X-MAP`). 10 s. */
  readonly 'transcode.init': {
    readonly input: TranscodeInitInput;
    readonly output: SegmentPlan | TranscodeFailure;
  };
  /**
   * One segment of a track. 10 s. It depends on the input only, so clients may ask for segments in
   * any order. A track that has nothing in this time gets a segment without samples.
   */
  readonly 'transcode.segment': {
    readonly input: TranscodeSegmentInput;
    readonly output: SegmentPlan | TranscodeFailure;
  };
  /**
   * How the selected streams are played on a client. 2 s. The handler is optional: without an answer
   * the server decides by its own rules.
   */
  readonly 'transcode.decide': {
    readonly input: TranscodeDecideInput;
    readonly output: TranscodeDecision;
  };
  readonly 'library.describe': {
    readonly input: { readonly libraryType: string };
    readonly output: LibraryDescription;
  };
  readonly 'library.group': { readonly input: GroupInput; readonly output: GroupResult };
  readonly 'job.run': { readonly input: JobRunInput; readonly output: JobRunResult };
  /** The plugin is about to end: 2 s to store its state. The handler is optional. */
  readonly shutdown: {
    readonly input: Readonly<Record<string, never>>;
    readonly output: unknown;
  };
  readonly 'schedule.wake': { readonly input: WakeInput; readonly output: unknown };
  /**
   * A new notification. 10 s; it is delivered once, and the result is ignored. A plugin does not
   * receive its own notifications.
   */
  readonly 'notifier.deliver': {
    readonly input: { readonly notification: DeliveredNotification };
    readonly output: unknown;
  };
  /** There are events to read with `host.eventLog`. 60 s; the result is ignored. */
  readonly 'eventLog.waiting': {
    readonly input: Readonly<Record<string, never>>;
    readonly output: unknown;
  };
  /** All webhooks, the oldest first. */
  readonly 'webhooks.list': {
    readonly input: Readonly<Record<string, never>>;
    readonly output: { readonly webhooks: readonly Webhook[] };
  };
  /** `null` = the limit of webhooks is reached. */
  readonly 'webhooks.create': {
    readonly input: { readonly webhook: Webhook };
    readonly output: { readonly webhook: Webhook } | null;
  };
  /** `null` = there is no such webhook; the same for all methods below. */
  readonly 'webhooks.update': {
    readonly input: { readonly id: string; readonly changes: WebhookChanges };
    readonly output: { readonly webhook: Webhook } | null;
  };
  /** Returns whether it existed. Waiting deliveries are dropped. */
  readonly 'webhooks.remove': {
    readonly input: { readonly id: string };
    readonly output: { readonly removed: boolean };
  };
  /** Sends a test event with this id, once and immediately, and returns the result. */
  readonly 'webhooks.test': {
    readonly input: { readonly id: string; readonly deliveryId: string };
    readonly output: { readonly delivery: WebhookDelivery } | null;
  };
  readonly 'webhooks.deliveries': {
    readonly input: DeliveriesInput;
    readonly output: DeliveriesPage | null;
  };
  /** Queues the delivery again, to be tried now and with all attempts; it keeps its id. */
  readonly 'webhooks.redeliver': {
    readonly input: { readonly id: string; readonly deliveryId: string };
    readonly output: { readonly delivery: WebhookDelivery } | null;
  };
  /** A license key was entered; any verdict except `active` refuses it. */
  readonly 'license.activate': { readonly input: LicenseState; readonly output: LicenseVerdict };
  /** Called at the start, every hour, and after each answer of the activation service. */
  readonly 'license.status': { readonly input: LicenseState; readonly output: LicenseVerdict };
  /** The license was removed from this server. */
  readonly 'license.deactivate': {
    readonly input: { readonly claims: LicenseClaims };
    readonly output: null;
  };
  readonly 'search.index': {
    /**
     * Brings the index up to date, for 20 s at most; `rebuild` starts from scratch. Called until it
     * is `done`: when the server starts, and after each scan.
     */
    readonly input: { readonly rebuild?: boolean };
    readonly output: { readonly indexed: number; readonly done: boolean };
  };
  readonly 'search.query': {
    readonly input: SearchQueryInput;
    readonly output: SearchQueryResult;
  };
}

/** The name of a method. */
export type MethodName = keyof MethodCatalogue;
