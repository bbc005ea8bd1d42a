import { Type } from '@sinclair/typebox';
import { StreamReply } from '../schema-parts.ts';

export const EventsHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Resumes after this event if it is among the last 10 000; else sends an event `gap`',
    }),
  ),
});

export const EventStreamReply = StreamReply(
  'text/event-stream',
  'Server-sent events; `data` is the envelope `{type, timestamp, data}`',
);
