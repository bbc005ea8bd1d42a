import { Type } from '@sinclair/typebox';
import { itemShapes, itemSorts } from '../../../library/catalogue/items/index.ts';
import { Chapter, itemFields } from '../../resource-schemas.ts';
import { shortListQuery } from '../../short-list.ts';
import {
  Body,
  hiddenQuery,
  Id,
  JsonMap,
  List,
  Named,
  nextCursor,
  Nullable,
  OneOf,
  pageQuery,
} from '../../schemas.ts';

export const ItemReply = Type.Object({
  item: Named(
    'ItemDetail',
    Type.Object({
      ...itemFields,
      subtitles: List(JsonMap, {
        description:
          '`fileId` and `mediaFileId` name files of the item; `uri` and `mediaFileUri` are for admins',
      }),
      ingest: Type.Object({
        state: OneOf(['pending', 'failed', 'complete'], {
          description: 'Whether files of it wait for the ingest, or could not be read',
        }),
        errors: List(
          Type.Object({
            fileId: Id,
            code: Type.String(),
            message: Nullable(Type.String()),
          }),
        ),
      }),
      provenance: List(JsonMap, {
        description: 'Which plugin wrote which field or asset; for admins',
      }),
      lockedFields: List(Type.String(), {
        description: 'Edited by a person: scans do not change them',
      }),
    }),
  ),
});

export const ItemsQuery = Type.Object({
  ...hiddenQuery,
  libraryId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  type: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Only libraries of this type' }),
  ),
  fields: Type.Optional(
    OneOf(itemShapes, {
      default: 'full',
      description: '`tile`: only what a grid shows of each item',
    }),
  ),
  sortBy: Type.Optional(OneOf(itemSorts, { default: 'title' })),
  sortOrder: Type.Optional(OneOf(['asc', 'desc'], { default: 'asc' })),
  ...pageQuery,
});

export const ItemChanges = Named(
  'ItemChanges',
  Body({
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    certification: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
    metadata: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        ...JsonMap,
        description: 'Keys to set; null removes a key',
      }),
    ),
  }),
);

export const ChaptersQuery = Type.Object({ ...hiddenQuery, ...shortListQuery });

export const ChaptersReply = Type.Object({ chapters: List(Chapter), nextCursor });
