import { Type } from '@sinclair/typebox';
import { itemSorts } from '../../library/index.ts';
import {
  Body,
  JsonMap,
  List,
  nextCursor,
  Nullable,
  OneOf,
  pageQuery,
  Timestamp,
} from '../schemas.ts';

const TextMap = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
});

const Status = OneOf(['active', 'missing', 'error']);

const Chapter = Type.Object({
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
});

const File = Type.Object({
  id: Type.String(),
  libraryId: Type.String(),
  itemId: Type.String(),
  uri: Type.String(),
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
});

const LinkedEntity = Type.Object({
  id: Type.String(),
  type: Type.String(),
  name: Type.String(),
  role: Type.String(),
  sortOrder: Type.Integer(),
  linkMetadata: JsonMap,
  assets: TextMap,
  assetAspects: TextMap,
});

const itemFields = {
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
  playback: Type.Object({
    completed: Type.Boolean(),
    position: Type.Number({ description: 'Seconds, for books pages' }),
    duration: Type.Number({ description: 'Seconds, for books pages' }),
  }),
};

export const Item = Type.Object(itemFields);

export const FoundItem = Type.Object({
  ...itemFields,
  confidence: Type.Number({ description: 'How well it matches, 0 to 1' }),
});

export const ItemReply = Type.Object({
  item: Type.Object({
    ...itemFields,
    subtitles: List(JsonMap),
    provenance: List(JsonMap, { description: 'Which plugin wrote which field or asset' }),
    lockedFields: List(Type.String(), { description: 'Edited by hand: scans leave them alone' }),
  }),
});

export const ItemsQuery = Type.Object({
  libraryId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  type: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Only libraries of this type' }),
  ),
  sortBy: Type.Optional(OneOf(itemSorts, { default: 'title' })),
  sortOrder: Type.Optional(OneOf(['asc', 'desc'], { default: 'asc' })),
  ...pageQuery,
});

export const ItemsReply = Type.Object({ items: List(Item), nextCursor });

export const ItemChanges = Body({
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  certification: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      ...JsonMap,
      description: 'Keys to set; null takes a key away',
    }),
  ),
});

export const ChaptersReply = Type.Object({ chapters: List(Chapter) });
