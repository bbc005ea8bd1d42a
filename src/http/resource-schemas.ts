/** Resources that several routes answer with. */
import { Type } from '@sinclair/typebox';
import type {
  Chapter as ChapterResource,
  Entity as EntityResource,
  Item,
  ItemPlayback,
  LibraryFile,
  LinkedEntity as LinkedEntityResource,
} from '../library/catalogue/index.ts';
import { jobStatuses, type Job as JobResource } from '../work/jobs/index.ts';
import { JsonMap, List, type FieldsOf, nextCursor, Nullable, OneOf, Timestamp } from './schemas.ts';

/** A map of texts. */
export const TextMap = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
});

const Status = OneOf(['active', 'missing', 'error']);

export const Chapter = Type.Object({
  id: Type.String(),
  fileId: Type.String(),
  title: Type.String(),
  source: Type.String(),
  startTime: Type.Number({ description: 'Seconds from the start of the file' }),
  endTime: Nullable(Type.Number({ description: 'Seconds from the start of the file' })),
  role: Type.String({ description: '`intro credits chapter scene`' }),
  metadata: JsonMap,
  assets: TextMap,
  createdAt: Timestamp,
  updatedAt: Timestamp,
} satisfies FieldsOf<ChapterResource>);

export const File = Type.Object({
  id: Type.String(),
  libraryId: Type.String(),
  itemId: Type.String(),
  uri: Type.String({
    description:
      'Its URI; for viewers who are not admins the path of its bytes: /api/files/…/stream',
  }),
  filename: Type.String(),
  extension: Type.String({ description: 'Lower case, without dot' }),
  mimeType: Type.String(),
  mediaKind: OneOf(['video', 'audio', 'image', 'text']),
  type: Type.String({ description: '`media` or `auxiliary`' }),
  status: Status,
  classification: Type.String({
    description: '`primary extra trailer deleted-scene behind-the-scenes companion`',
  }),
  edition: Nullable(Type.String()),
  partNumber: Nullable(Type.Integer()),
  size: Type.Number({ description: 'Bytes' }),
  duration: Nullable(Type.Number({ description: 'Seconds, for books pages' })),
  fileInfo: JsonMap,
  assets: TextMap,
  assetAspects: TextMap,
  chapters: List(Chapter),
  createdAt: Timestamp,
  updatedAt: Timestamp,
} satisfies FieldsOf<LibraryFile>);

const LinkedEntity = Type.Object({
  id: Type.String(),
  type: Type.String(),
  name: Type.String(),
  role: Type.String(),
  sortOrder: Type.Integer(),
  linkMetadata: JsonMap,
  assets: TextMap,
  assetAspects: TextMap,
} satisfies FieldsOf<LinkedEntityResource>);

/** The playback state of the viewer's profile. */
export const PlaybackState = Type.Object({
  completed: Type.Boolean(),
  position: Type.Number({ description: 'Seconds, for books pages' }),
  duration: Type.Number({ description: 'Seconds, for books pages' }),
} satisfies FieldsOf<ItemPlayback>);

/** The fields of an item in every answer. */
export const itemFields = {
  id: Type.String(),
  libraryId: Type.String(),
  libraryName: Type.String(),
  title: Type.String(),
  certification: Nullable(Type.String()),
  metadata: JsonMap,
  status: Status,
  addedAt: Timestamp,
  updatedAt: Timestamp,
  files: List(File),
  assets: TextMap,
  assetAspects: TextMap,
  linkedEntities: List(LinkedEntity),
  playback: PlaybackState,
} satisfies FieldsOf<Item>;

/** A page of items. */
export const ItemsReply = Type.Object({ items: List(Type.Object(itemFields)), nextCursor });

export const FoundItem = Type.Object({
  ...itemFields,
  confidence: Type.Number({ description: 'How well it matches, 0 to 1' }),
});

const entityFields = {
  id: Type.String(),
  type: Type.String({
    description: 'Open: `person genre artist album show season series studio`',
  }),
  name: Type.String(),
  status: OneOf(['pending', 'complete']),
  sourcePluginId: Nullable(Type.String({ description: 'The plugin that named it first' })),
  searchTerms: Nullable(Type.String({ description: 'Other words by which it is found' })),
  assets: TextMap,
  assetAspects: TextMap,
  createdAt: Timestamp,
  updatedAt: Timestamp,
} satisfies FieldsOf<EntityResource>;

export const Entity = Type.Object(entityFields);

export const FoundEntity = Type.Object({
  ...entityFields,
  confidence: Type.Number({ description: 'How well it matches, 0 to 1' }),
});

export const Job = Type.Object({
  id: Type.String(),
  type: Type.String({ description: 'Open: `scan probe identify refresh reindex backup`, …' }),
  libraryId: Nullable(Type.String()),
  pluginId: Nullable(Type.String({ description: 'The plugin that runs it' })),
  status: OneOf(jobStatuses),
  priority: Type.Integer({ description: '0 to 100, higher first' }),
  payload: JsonMap,
  result: JsonMap,
  progress: Type.Number({ description: '0 to 1' }),
  errorMessage: Nullable(Type.String()),
  createdAt: Timestamp,
  startedAt: Nullable(Timestamp),
  completedAt: Nullable(Timestamp),
} satisfies FieldsOf<JobResource>);

/** For sessions in a cookie. */
export const CsrfToken = Type.String({
  description: 'With a cookie: goes into the header X-CSRF-Token of every change',
});
