import { Type } from '@sinclair/typebox';
import {
  List,
  Named,
  Nullable,
  OneOf,
  Timestamp,
  nextCursor,
  shortListQuery,
  type Shape,
} from '../schema-parts.ts';

/** The levels of lines that are kept, the least first. */
export const keptLevels = ['debug', 'info', 'warn', 'error'] as const;

export const LogQuery = Type.Object({
  level: Type.Optional(OneOf(keptLevels, { description: 'Only lines of this level and above' })),
  ...shortListQuery,
});

const ServerLogLine = Named(
  'ServerLogLine',
  Type.Object({
    time: Timestamp,
    level: OneOf(keptLevels),
    pluginId: Nullable(Type.String({ description: 'The plugin that it is about' })),
    text: Type.String(),
  }),
);

export type ServerLogLine = Shape<typeof ServerLogLine>;

export const ServerLogReply = Type.Object({
  lines: List(ServerLogLine, { description: 'Newest first; at most 1000 are kept' }),
  nextCursor,
});
