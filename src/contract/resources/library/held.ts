import { Type } from '@sinclair/typebox';
import { Job } from './catalogue.ts';
import {
  Body,
  Id,
  List,
  Named,
  Nullable,
  nextCursor,
  pageQuery,
  type Shape,
} from '../schema-parts.ts';

export const HeldQuery = Type.Object(pageQuery);

const removedFields = {
  fileId: Id,
  path: Type.String({ description: 'Below its folder of the library' }),
};

const RemovedFile = Named('RemovedFile', Type.Object(removedFields));

/** A file of which no item is made now. `path` begins in its folder of the library. */
export type RemovedFile = Shape<typeof RemovedFile>;

const UnreadFile = Named(
  'UnreadFile',
  Type.Object({
    ...removedFields,
    itemId: Id,
    title: Type.String({ description: 'Of its item' }),
    code: Type.String({
      description:
        'Open: `malformed truncated unreadable unsupported over-budget probe-failed probe-unavailable`',
    }),
    message: Nullable(Type.String({ description: 'What the plugin says that reads such files' })),
  }),
);

/** A file that could not be read. */
export type UnreadFile = Shape<typeof UnreadFile>;

const HiddenEntity = Named(
  'HiddenEntity',
  Type.Object({
    id: Id,
    type: Type.String(),
    name: Type.String(),
  }),
);

/** A hidden person, show, genre or other entity. */
export type HiddenEntity = Shape<typeof HiddenEntity>;

export const UnreadFilesReply = Type.Object({ files: List(UnreadFile), nextCursor });

export const RemovedFilesReply = Type.Object({ files: List(RemovedFile), nextCursor });

export const HiddenEntitiesReply = Type.Object({ entities: List(HiddenEntity), nextCursor });

export const RemovedFiles = Named(
  'RemovedFiles',
  Body({
    fileIds: List(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 500,
    }),
  }),
);

export const RestoredReply = Type.Object({ job: Job });
