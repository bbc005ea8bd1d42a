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
import type { LicenseClaims, LicenseState, LicenseVerdict } from './license.ts';
import type { ArtworkInput, ProbeInput, ProbeResult } from './probe.ts';
import type {
  DeliveriesInput,
  DeliveriesPage,
  Webhook,
  WebhookChanges,
  WebhookDelivery,
} from './webhooks.ts';

/** A notification as the server keeps it. */
export interface DeliveredNotification {
  readonly id: string;
  /** For the eye, a thing to look at soon, a thing that does not work. */
  readonly level: 'info' | 'warning' | 'error';
  /** One sentence in plain text, 300 characters at most. */
  readonly title: string;
  /** What else there is to know, and what to do: 2000 characters at most, or empty. */
  readonly message: string;
  /** Who told it: `jobs`, `storage`, or `plugin <id>`. */
  readonly source: string;
  readonly createdAt: string;
}

/** What a library plugin is asked: which files belong together. */
export interface GroupInput {
  readonly libraryId: string;
  readonly libraryType: string;
  readonly files: readonly {
    readonly path: string;
    readonly identification: Identification | null;
  }[];
}

/**
 * Answer of `library.group`: one key per file, in the order of the question. Files with the same
 * key are one item, also across batches and scans; so a key is made from names alone.
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
  /** Extensions of what lies beside media and belongs to it: subtitles, pictures, NFO. */
  readonly auxiliary?: readonly string[];
}

/** What a job runner is asked, again and again until it says `done`. */
export interface JobRunInput {
  readonly jobId: string;
  readonly type: string;
  readonly libraryId: string | null;
  /** What the job was made with. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** What the last step gave back; `null` in the first step. */
  readonly checkpoint: unknown;
}

/**
 * Answer of `job.run`: one step of work, 60 s at most, half a second by custom. The
 * checkpoint is stored before the next step, which may run in another process after a crash; so a
 * step must be safe to repeat. Progress is 0 to 1.
 */
export type JobRunResult =
  | { readonly done: false; readonly checkpoint: unknown; readonly progress: number }
  | { readonly done: true; readonly result?: Readonly<Record<string, unknown>> };

/**
 * One question to a search plugin. It counts exactly what is in the partitions that are named, and gives
 * nothing of any other: that is how ratings and hidden things are kept from those who may not see them.
 */
export interface SearchQueryInput {
  readonly q: string;
  /** How many items at most. */
  readonly limit: number;
  /** Only what is in these partitions (`IndexedItem.scope`); `null` = in whichever. */
  readonly scopes: readonly string[] | null;
  /** How many entities at most, 200 or fewer; 20 when absent. */
  readonly entityLimit?: number;
}

/** Answer of `search.query`: ids in the order of rank, confidence 0 to 1. */
export interface SearchQueryResult {
  readonly items: readonly { readonly id: string; readonly confidence: number }[];
  /** All matching items, not only those returned. */
  readonly itemsTotal: number;
  readonly entities: readonly { readonly id: string; readonly confidence: number }[];
}

/** Methods that the kernel calls on plugins which provide a capability. */
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
   * The same for up to 64 files at once, in the order of the question; links in a path need not be
   * followed. A plugin without it is asked file by file, which costs a call for each.
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
  readonly 'library.describe': {
    readonly input: { readonly libraryType: string };
    readonly output: LibraryDescription;
  };
  readonly 'library.group': { readonly input: GroupInput; readonly output: GroupResult };
  readonly 'job.run': { readonly input: JobRunInput; readonly output: JobRunResult };
  /** The plugin is to end: 2 s to store what it holds. One without a handler just ends. */
  readonly shutdown: {
    readonly input: Readonly<Record<string, never>>;
    readonly output: unknown;
  };
  readonly 'schedule.wake': { readonly input: WakeInput; readonly output: unknown };
  /**
   * A notification is new. 10 s; it comes once, and what the plugin gives back is not looked at. A plugin
   * does not get what it told itself.
   */
  readonly 'notifier.deliver': {
    readonly input: { readonly notification: DeliveredNotification };
    readonly output: unknown;
  };
  /** Something is there to read with `host.eventLog`. 60 s; what it gives back is not looked at. */
  readonly 'eventLog.waiting': {
    readonly input: Readonly<Record<string, never>>;
    readonly output: unknown;
  };
  /** All of them, the oldest first. */
  readonly 'webhooks.list': {
    readonly input: Readonly<Record<string, never>>;
    readonly output: { readonly webhooks: readonly Webhook[] };
  };
  /** `null` = there are as many as there may be. */
  readonly 'webhooks.create': {
    readonly input: { readonly webhook: Webhook };
    readonly output: { readonly webhook: Webhook } | null;
  };
  /** `null` = there is no such webhook; so with all that follow. */
  readonly 'webhooks.update': {
    readonly input: { readonly id: string; readonly changes: WebhookChanges };
    readonly output: { readonly webhook: Webhook } | null;
  };
  /** Whether it was there. What waits for it is forgotten. */
  readonly 'webhooks.remove': {
    readonly input: { readonly id: string };
    readonly output: { readonly removed: boolean };
  };
  /** Sends an event of its own with this id, once and at once, and says how it went. */
  readonly 'webhooks.test': {
    readonly input: { readonly id: string; readonly deliveryId: string };
    readonly output: { readonly delivery: WebhookDelivery } | null;
  };
  readonly 'webhooks.deliveries': {
    readonly input: DeliveriesInput;
    readonly output: DeliveriesPage | null;
  };
  /** Puts the delivery back, to be tried now and from the beginning; it keeps its id. */
  readonly 'webhooks.redeliver': {
    readonly input: { readonly id: string; readonly deliveryId: string };
    readonly output: { readonly delivery: WebhookDelivery } | null;
  };
  /** Somebody enters a license key; another verdict than `active` refuses it. */
  readonly 'license.activate': { readonly input: LicenseState; readonly output: LicenseVerdict };
  /** Asked at the start, every hour, and whenever the activation service has answered. */
  readonly 'license.status': { readonly input: LicenseState; readonly output: LicenseVerdict };
  /** The license was taken off this server. */
  readonly 'license.deactivate': {
    readonly input: { readonly claims: LicenseClaims };
    readonly output: null;
  };
  readonly 'search.index': {
    /**
     * Bring the index up to date, for 20 s at most; `rebuild` starts from nothing. Asked again until
     * it is `done`: when the server starts, and after each scan.
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
