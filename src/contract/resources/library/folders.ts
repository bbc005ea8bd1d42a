import { Type } from '@sinclair/typebox';
import { List, nextCursor, shortListQuery, type Shape } from '../schema-parts.ts';

export const FoldersQuery = Type.Object({
  ...shortListQuery,
  path: Type.String({
    maxLength: 4096,
    default: '/',
    description: 'A whole path on the server, such as `/media`',
  }),
});

export const FoldersReply = Type.Object({
  path: Type.String(),
  parent: Type.Union([Type.String(), Type.Null()], {
    description: 'The folder that has it; null = it is the topmost one',
  }),
  folders: List(Type.Object({ name: Type.String(), path: Type.String() })),
  nextCursor,
  complete: Type.Boolean({ description: 'false: it has further folders, beyond 1,000' }),
});

export type FolderPage = Omit<Shape<typeof FoldersReply>, 'nextCursor'>;
