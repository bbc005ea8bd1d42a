import { Type } from '@sinclair/typebox';
import { EventsQuery } from './event-query.ts';

export const SocketQuery = Type.Object({
  ...EventsQuery.properties,
  since: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Resumes after the event with this id, as `Last-Event-ID` does; else `gap`',
    }),
  ),
});

export const SocketReply = Type.Unsafe<undefined>({
  type: 'null',
  description: 'The connection is a WebSocket now: one JSON message per event',
});
