/** `data` of the events about one item. */
export interface ItemEventData {
  readonly itemId: string;
  readonly libraryId: string;
  readonly title: string;
}

/** `data` of the events about one job. Progress is 0 to 1. */
export interface JobEventData {
  readonly jobId: string;
  readonly type: string;
  readonly libraryId: string | null;
  readonly status: string;
  readonly progress: number;
  readonly errorMessage: string | null;
  /**
   * Only with `job.started`: the number of this try, from 1. It is 1 again after the job has made
   * progress.
   */
  readonly attempt?: number;
}

/** `data` of the events about one plugin. */
export interface PluginEventData {
  readonly pluginId: string;
  readonly version: string;
  readonly state: string;
  readonly errorMessage: string | null;
}

/** `data` of the events about a scan; counts are media files so far. */
export interface ScanEventData {
  readonly libraryId: string;
  readonly jobId: string;
  readonly found: number;
  readonly added: number;
  readonly changed: number;
  readonly moved: number;
  readonly gone: number;
  /**
   * Only with `library.scan.started` and `library.scan.completed`: plugins that should have named extensions and patterns but
   * did not, with the reason. Files that only they list do not count as gone.
   */
  readonly absentPlugins?: readonly { readonly pluginId: string; readonly code: string }[];
}

/** `data` of the events about a library. */
export interface LibraryEventData {
  readonly libraryId: string;
  readonly name: string;
}

/** `data` of the events about playback; times are seconds. */
export interface PlaybackEventData {
  readonly itemId: string;
  readonly profileId: string;
  readonly position: number;
  readonly duration: number;
  readonly completed: boolean;
}

/**
 * `data` of `playback.marked`: what a profile says of an item has changed. Playing and marking as
 * watched have events of their own.
 */
export interface MarkEventData {
  readonly itemId: string;
  readonly profileId: string;
  readonly favourite: boolean;
  /** 0.5 to 5. */
  readonly myRating: number | null;
}

/** `data` of `playback.entityMarked`: what a profile says of an entity has changed. */
export interface EntityMarkEventData {
  readonly entityId: string;
  readonly profileId: string;
  readonly favourite: boolean;
  /** 0.5 to 5. */
  readonly myRating: number | null;
}

/**
 * `data` of the events about collections and playlists. `collection.updated` also follows a change
 * of its items or of their order. An automatic collection has no event for its items, which change
 * with the libraries.
 */
export interface CollectionEventData {
  readonly collectionId: string;
  readonly kind: 'collection' | 'playlist';
  /** The profile to which it belongs; `null` for an automatic one. */
  readonly profileId: string | null;
}

/**
 * `data` of the events about one item in the pipeline: `discovered`, `probing`, `identifying`, then
 * `completed`, or `failed` when a file of it could not be read. These events show activity and are
 * incomplete: at most 20 of each name are sent per second. To see every item, subscribe to
 * `library.item.*`.
 */
export interface PipelineItemEventData {
  readonly itemId: string;
  readonly libraryId: string;
  readonly state: string;
}

/**
 * `data` of the events about one step of the pipeline: `probe`, `identify` or `commit`. Items are
 * processed in batches; `durationMs` is the time of the step for the batch, and `null` when it
 * starts. They have the same limit as the events about items.
 */
export interface PipelineStepEventData {
  readonly itemId: string;
  readonly libraryId: string;
  readonly step: string;
  readonly durationMs: number | null;
}

/**
 * `data` of the events about a playback session that converts. Progress is the place of the viewer in
 * the file, 0 to 1: it is told after 5 % of the file or 30 s, every 5 s at most.
 */
export interface TranscodeEventData {
  readonly sessionId: string;
  readonly itemId: string;
  readonly progress: number;
  readonly fileId?: string;
  readonly mode?: 'direct' | 'remux' | 'convert';
  /** Why the file is not played directly: the codes of a {@link PlaybackReason}. */
  readonly reasons?: readonly string[];
  /** Seconds of film that are converted in a second, where it is known. */
  readonly rate?: number;
  /** Only with `transcode.stopped`: the client ended it, was not heard of, may not go on, or gave way. */
  readonly cause?: 'ended' | 'left' | 'failed' | 'limit';
}

/**
 * `data` of `admin.pipeline.taskUpdated` (during an ingest, at most four times a second) and of
 * `admin.pipeline.jobDetailUpdated` (after each of its steps). `detail` has the `libraryId`, the
 * number of items `settled`, and of those `failed` and `enriched`; after a step also how many files
 * were `waitedFirst` and are still `waiting`.
 */
export interface AdminPipelineEventData {
  readonly jobId: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/**
 * Every event of the server and the `data` it carries. Delivery is fire and forget: all subscribers
 * at once, 5 s each, no retry. A subscriber that falls 1000 events behind loses the oldest.
 */
export interface EventCatalogue {
  readonly 'library.scan.started': ScanEventData;
  readonly 'library.scan.progress': ScanEventData;
  readonly 'library.scan.completed': ScanEventData;
  readonly 'library.item.added': ItemEventData;
  readonly 'library.item.updated': ItemEventData;
  readonly 'library.item.removed': ItemEventData;
  /** The ingest changed the shown data of an item; there is no `library.item.updated` for it. */
  readonly 'library.item.enriched': ItemEventData;
  readonly 'library.created': LibraryEventData;
  readonly 'library.updated': LibraryEventData;
  readonly 'library.deleted': LibraryEventData;
  readonly 'job.started': JobEventData;
  readonly 'job.progress': JobEventData;
  readonly 'job.completed': JobEventData;
  readonly 'job.failed': JobEventData;
  readonly 'transcode.started': TranscodeEventData;
  readonly 'transcode.progress': TranscodeEventData;
  readonly 'transcode.stopped': TranscodeEventData;
  readonly 'plugin.discovered': PluginEventData;
  readonly 'plugin.started': PluginEventData;
  readonly 'plugin.stopped': PluginEventData;
  readonly 'plugin.restarted': PluginEventData;
  readonly 'plugin.error': PluginEventData;
  readonly 'notification.created': {
    readonly id: string;
    readonly level: 'info' | 'warning' | 'error';
    readonly title: string;
    /** The sender: a part of the server, or `plugin <id>`. */
    readonly source: string;
  };
  readonly 'playback.progress': PlaybackEventData;
  readonly 'playback.completed': PlaybackEventData;
  readonly 'playback.removed': PlaybackEventData;
  readonly 'scheduler.started': { readonly tasks: readonly string[] };
  readonly 'pipeline.item.discovered': PipelineItemEventData;
  readonly 'pipeline.item.stateChanged': PipelineItemEventData;
  readonly 'pipeline.item.completed': PipelineItemEventData;
  readonly 'pipeline.step.started': PipelineStepEventData;
  readonly 'pipeline.step.completed': PipelineStepEventData;
  readonly 'admin.pipeline.jobCreated': JobEventData;
  readonly 'admin.pipeline.jobUpdated': JobEventData;
  readonly 'admin.pipeline.jobCompleted': JobEventData;
  readonly 'admin.pipeline.jobFailed': JobEventData;
  readonly 'admin.pipeline.taskUpdated': AdminPipelineEventData;
  readonly 'admin.pipeline.jobDetailUpdated': AdminPipelineEventData;
  readonly 'server.shutdown': { readonly reason: string };
  readonly 'playback.marked': MarkEventData;
  readonly 'playback.entityMarked': EntityMarkEventData;
  readonly 'collection.created': CollectionEventData;
  readonly 'collection.updated': CollectionEventData;
  readonly 'collection.deleted': CollectionEventData;
  /** Somebody or something of people was made, changed or ended. It names no one. */
  readonly 'user.changed': {
    /** `credential`: a session, an API key, a passkey or a linked identity. */
    readonly subject: 'user' | 'group' | 'invite' | 'profile' | 'credential';
    /** The id of the subject; of a credential, that of its user. `null` = of several. */
    readonly id: string | null;
  };
  /** A backup of the server was made, or removed. */
  readonly 'backup.changed': { readonly change: 'made' | 'removed' };
}

/** The name of an event of the server. */
export type EventName = keyof EventCatalogue;

/** An event as every subscriber receives it. `timestamp` is ISO 8601 UTC with milliseconds. */
export interface EventEnvelope<Name extends string = string> {
  readonly type: Name;
  readonly timestamp: string;
  readonly data: Name extends EventName ? EventCatalogue[Name] : Readonly<Record<string, unknown>>;
}

/**
 * A name with `*` in place of one or all of its segments, as far as it matches events of the server:
 * `library.item.*`, `*.*.added`.
 */
export type EventPattern = Exclude<PatternsOf<EventName>, EventName>;

type PatternsOf<Name extends string> = Name extends `${infer First}.${infer Rest}`
  ? `${First | '*'}.${PatternsOf<Rest>}`
  : Name | '*';

/** The events of the server that a name or a pattern matches. */
export type EventsOf<Pattern extends string> = {
  [Name in EventName]: Pattern extends PatternsOf<Name> ? EventEnvelope<Name> : never;
}[EventName];

/** Every event name: those of the specification in its order, then the others. */
export const eventNames = [
  'library.scan.started',
  'library.scan.progress',
  'library.scan.completed',
  'library.item.added',
  'library.item.updated',
  'library.item.removed',
  'library.item.enriched',
  'library.created',
  'library.updated',
  'library.deleted',
  'job.started',
  'job.progress',
  'job.completed',
  'job.failed',
  'transcode.started',
  'transcode.progress',
  'transcode.stopped',
  'plugin.discovered',
  'plugin.started',
  'plugin.stopped',
  'plugin.restarted',
  'plugin.error',
  'notification.created',
  'playback.progress',
  'playback.completed',
  'playback.removed',
  'scheduler.started',
  'pipeline.item.discovered',
  'pipeline.item.stateChanged',
  'pipeline.item.completed',
  'pipeline.step.started',
  'pipeline.step.completed',
  'admin.pipeline.jobCreated',
  'admin.pipeline.jobUpdated',
  'admin.pipeline.jobCompleted',
  'admin.pipeline.jobFailed',
  'admin.pipeline.taskUpdated',
  'admin.pipeline.jobDetailUpdated',
  'server.shutdown',
  'playback.marked',
  'playback.entityMarked',
  'collection.created',
  'collection.updated',
  'collection.deleted',
  'user.changed',
  'backup.changed',
] as const satisfies readonly EventName[];
