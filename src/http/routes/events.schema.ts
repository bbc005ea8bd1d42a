import { Type } from '@sinclair/typebox';
import { CommaList, hiddenQuery, StreamReply } from '../schemas.ts';

export const EventsQuery = Type.Object({
  ...hiddenQuery,
  types: Type.Optional(
    CommaList(
      Type.String({ minLength: 1, maxLength: 200 }),
      'Names of events; `*` stands for one segment, as in `library.item.*`. Absent = all.',
    ),
  ),
});

export const EventsHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Goes on after this event, if it is among the last 10 000; else an event `gap`',
    }),
  ),
});

export const SocketQuery = Type.Object({
  ...EventsQuery.properties,
  since: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Goes on after the event with this id, as `Last-Event-ID` does; else `gap`',
    }),
  ),
});

export const SocketReply = Type.Unsafe<undefined>({
  type: 'null',
  description: 'The connection is a WebSocket from now on: one JSON message for each event',
});

export const EventStreamReply = StreamReply(
  'text/event-stream',
  'Server-sent events; `data` is the envelope `{type, timestamp, data}`',
);
