import { Type } from '@sinclair/typebox';
import type { Held } from '../../../library/catalogue/index.ts';
import { Job } from './catalogue.ts';
import {
  Body,
  Id,
  List,
  Named,
  nextCursor,
  Nullable,
  pageQuery,
  type FieldsOf,
} from '../schema-parts.ts';

/** What a list of them has. */
type EntryOf<List extends keyof Omit<Held, 'restore'>> = Awaited<
  ReturnType<Held[List]>
>['entries'][number];

export const HeldQuery = Type.Object(pageQuery);

const removedFields = {
  fileId: Id,
  path: Type.String({ description: 'Below its folder of the library' }),
} satisfies FieldsOf<EntryOf<'removedFiles'>>;

export const UnreadFilesReply = Type.Object({
  files: List(
    Named(
      'UnreadFile',
      Type.Object({
        ...removedFields,
        itemId: Id,
        title: Type.String({ description: 'Of its item' }),
        code: Type.String({
          description:
            'Open: `malformed truncated unreadable unsupported over-budget probe-failed probe-unavailable`',
        }),
        message: Nullable(
          Type.String({ description: 'What the plugin says that reads such files' }),
        ),
      } satisfies FieldsOf<EntryOf<'unreadFiles'>>),
    ),
  ),
  nextCursor,
});

export const RemovedFilesReply = Type.Object({
  files: List(Named('RemovedFile', Type.Object(removedFields))),
  nextCursor,
});

export const HiddenEntitiesReply = Type.Object({
  entities: List(
    Named(
      'HiddenEntity',
      Type.Object({
        id: Id,
        type: Type.String(),
        name: Type.String(),
      } satisfies FieldsOf<EntryOf<'hiddenEntities'>>),
    ),
  ),
  nextCursor,
});

export const RemovedFiles = Named(
  'RemovedFiles',
  Body({
    fileIds: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 500,
    }),
  }),
);

export const RestoredReply = Type.Object({ job: Job });
