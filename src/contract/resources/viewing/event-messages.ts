/** The messages of both ways to follow the events, and of webhooks. */
import { Type, type TSchema } from '@sinclair/typebox';
import {
  eventNames,
  type AdminPipelineEventData,
  type CollectionEventData,
  type EntityMarkEventData,
  type EventCatalogue,
  type EventName,
  type ItemEventData,
  type JobEventData,
  type LibraryEventData,
  type MarkEventData,
  type PipelineItemEventData,
  type PipelineStepEventData,
  type PlaybackEventData,
  type PluginEventData,
  type ScanEventData,
  type TranscodeEventData,
} from '../../../../plugin-api/index.ts';
import { Body, Id, JsonMap, List, Named, Nullable, OneOf, Timestamp } from '../schema-parts.ts';
import type { FieldsOf } from '../schema-parts.ts';
import { notificationLevels } from '../operations/notifications.ts';

const Count = Type.Integer({ minimum: 0 });
const Progress = Type.Number({ description: '0 to 1' });

const Scan = Named(
  'ScanEventData',
  Type.Object({
    libraryId: Id,
    jobId: Id,
    found: Count,
    added: Count,
    changed: Count,
    moved: Count,
    gone: Count,
    absentPlugins: Type.Optional(
      List(Type.Object({ pluginId: Type.String(), code: Type.String() }), {
        description: 'Plugins that should have named files but did not answer',
      }),
    ),
  } satisfies FieldsOf<ScanEventData>),
);

const Item = Named(
  'ItemEventData',
  Type.Object({
    itemId: Id,
    libraryId: Id,
    title: Type.String(),
  } satisfies FieldsOf<ItemEventData>),
);

const Library = Named(
  'LibraryEventData',
  Type.Object({
    libraryId: Id,
    name: Type.String(),
  } satisfies FieldsOf<LibraryEventData>),
);

const Job = Named(
  'JobEventData',
  Type.Object({
    jobId: Id,
    type: Type.String(),
    libraryId: Nullable(Id),
    status: Type.String(),
    progress: Progress,
    errorMessage: Nullable(Type.String()),
    attempt: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Only with job.started: the number of this try; 1 again after progress',
      }),
    ),
  } satisfies FieldsOf<JobEventData>),
);

const Transcode = Named(
  'TranscodeEventData',
  Type.Object({
    sessionId: Type.String(),
    itemId: Id,
    progress: Progress,
    fileId: Type.Optional(Id),
    mode: Type.Optional(OneOf(['direct', 'remux', 'convert'])),
    reasons: Type.Optional(
      List(Type.String(), { description: 'Why the file is not played directly' }),
    ),
    rate: Type.Optional(Type.Number({ description: 'Seconds of film converted in a second' })),
    cause: Type.Optional(OneOf(['ended', 'left', 'failed', 'limit'])),
  } satisfies FieldsOf<TranscodeEventData>),
);

const Plugin = Named(
  'PluginEventData',
  Type.Object({
    pluginId: Type.String(),
    version: Type.String(),
    state: Type.String(),
    errorMessage: Nullable(Type.String()),
  } satisfies FieldsOf<PluginEventData>),
);

const Notification = Named(
  'NotificationEventData',
  Type.Object({
    id: Type.String(),
    level: OneOf(notificationLevels),
    title: Type.String(),
    source: Type.String(),
  } satisfies FieldsOf<EventCatalogue['notification.created']>),
);

const Playback = Named(
  'PlaybackEventData',
  Type.Object({
    itemId: Id,
    profileId: Id,
    position: Type.Number({ description: 'Seconds' }),
    duration: Type.Number({ description: 'Seconds' }),
    completed: Type.Boolean(),
  } satisfies FieldsOf<PlaybackEventData>),
);

const Mark = Named(
  'MarkEventData',
  Type.Object({
    itemId: Id,
    profileId: Id,
    favourite: Type.Boolean(),
    myRating: Nullable(Type.Number({ description: '0.5 to 5' })),
  } satisfies FieldsOf<MarkEventData>),
);

const EntityMark = Named(
  'EntityMarkEventData',
  Type.Object({
    entityId: Id,
    profileId: Id,
    favourite: Type.Boolean(),
    myRating: Nullable(Type.Number({ description: '0.5 to 5' })),
  } satisfies FieldsOf<EntityMarkEventData>),
);

const Collection = Named(
  'CollectionEventData',
  Type.Object({
    collectionId: Id,
    kind: OneOf(['collection', 'playlist']),
    profileId: Nullable(Id),
  } satisfies FieldsOf<CollectionEventData>),
);

const PipelineItem = Named(
  'PipelineItemEventData',
  Type.Object({
    itemId: Id,
    libraryId: Id,
    state: Type.String(),
  } satisfies FieldsOf<PipelineItemEventData>),
);

const PipelineStep = Named(
  'PipelineStepEventData',
  Type.Object({
    itemId: Id,
    libraryId: Id,
    step: Type.String(),
    durationMs: Nullable(Type.Number()),
  } satisfies FieldsOf<PipelineStepEventData>),
);

const AdminPipeline = Named(
  'AdminPipelineEventData',
  Type.Object({
    jobId: Id,
    detail: JsonMap,
  } satisfies FieldsOf<AdminPipelineEventData>),
);

const Scheduler = Type.Object({ tasks: List(Type.String()) } satisfies FieldsOf<
  EventCatalogue['scheduler.started']
>);

const Shutdown = Type.Object({ reason: Type.String() } satisfies FieldsOf<
  EventCatalogue['server.shutdown']
>);

const User = Named(
  'UserEventData',
  Type.Object({
    subject: OneOf(['user', 'group', 'invite', 'profile', 'credential']),
    id: Nullable(Type.String()),
  } satisfies FieldsOf<EventCatalogue['user.changed']>),
);

const Backup = Type.Object({
  change: OneOf(['made', 'removed']),
} satisfies FieldsOf<EventCatalogue['backup.changed']>);

/** The compiler refuses this table when an event is missing. */
const catalogue: Readonly<Record<EventName, TSchema>> = {
  'library.scan.started': Scan,
  'library.scan.progress': Scan,
  'library.scan.completed': Scan,
  'library.item.added': Item,
  'library.item.updated': Item,
  'library.item.removed': Item,
  'library.item.enriched': Item,
  'library.created': Library,
  'library.updated': Library,
  'library.deleted': Library,
  'job.started': Job,
  'job.progress': Job,
  'job.completed': Job,
  'job.failed': Job,
  'transcode.started': Transcode,
  'transcode.progress': Transcode,
  'transcode.stopped': Transcode,
  'plugin.discovered': Plugin,
  'plugin.started': Plugin,
  'plugin.stopped': Plugin,
  'plugin.restarted': Plugin,
  'plugin.error': Plugin,
  'notification.created': Notification,
  'playback.progress': Playback,
  'playback.completed': Playback,
  'playback.removed': Playback,
  'scheduler.started': Scheduler,
  'pipeline.item.discovered': PipelineItem,
  'pipeline.item.stateChanged': PipelineItem,
  'pipeline.item.completed': PipelineItem,
  'pipeline.step.started': PipelineStep,
  'pipeline.step.completed': PipelineStep,
  'admin.pipeline.jobCreated': Job,
  'admin.pipeline.jobUpdated': Job,
  'admin.pipeline.jobCompleted': Job,
  'admin.pipeline.jobFailed': Job,
  'admin.pipeline.taskUpdated': AdminPipeline,
  'admin.pipeline.jobDetailUpdated': AdminPipeline,
  'server.shutdown': Shutdown,
  'playback.marked': Mark,
  'playback.entityMarked': EntityMark,
  'collection.created': Collection,
  'collection.updated': Collection,
  'collection.deleted': Collection,
  'user.changed': User,
  'backup.changed': Backup,
};

/** One form of message for all events with the same `data`. */
const forms = [...new Set(Object.values(catalogue))].map((data) =>
  Type.Object({
    id: Type.Optional(Type.String({ description: 'Over the WebSocket: for `since`' })),
    type: OneOf(eventNames.filter((name) => catalogue[name] === data)),
    timestamp: Timestamp,
    data,
  }),
);

const OfPlugin = Type.Object({
  id: Type.Optional(Type.String()),
  type: Type.String({
    pattern: '^plugin\\.[a-z0-9]{1,64}\\.[A-Za-z0-9]{1,64}$',
    description: 'An event that a plugin defines',
  }),
  timestamp: Timestamp,
  data: JsonMap,
});

/** An event, as every way of delivery sends it. */
export const EventMessage: TSchema = Named('EventMessage', Type.Union([...forms, OfPlugin]));

const types = Nullable(List(Type.String(), { description: 'Patterns; null = everything' }));

/** What the server sends over the WebSocket. */
export const ServerMessage: TSchema = Named(
  'ServerMessage',
  Type.Union([
    EventMessage,
    Type.Object(
      { type: Type.Literal('subscribed'), types, id: Type.String() },
      { description: 'What the client receives now; events after `id` follow' },
    ),
    Type.Object(
      { type: Type.Literal('gap'), id: Type.String(), reason: Type.String() },
      { description: 'Events are missing: load again what is shown' },
    ),
    Type.Object({ type: Type.Literal('pong') }),
    Type.Object({
      type: Type.Literal('error'),
      code: Type.String(),
      error: Type.String(),
    }),
  ]),
);

const wanted = Type.Optional(Nullable(List(Type.String({ maxLength: 200 }))));

/** What a client sends over the WebSocket. */
export const ClientMessage: TSchema = Named(
  'ClientMessage',
  Type.Union([
    Body({
      type: Type.Literal('auth'),
      token: Type.String({ minLength: 1, maxLength: 200 }),
      profileId: Type.Optional(Nullable(Id)),
    }),
    Body({
      type: Type.Literal('subscribe'),
      types: wanted,
      since: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200 }))),
    }),
    Body({ type: Type.Literal('unsubscribe'), types: wanted }),
    Body({ type: Type.Literal('ping') }),
  ]),
);
