import type { EventFeed } from '../../../viewing/live-events/index.ts';
import { EventsQuery } from '../../../contract/resources/viewing/event-query.ts';
import { EventMessage } from '../../../contract/resources/viewing/event-messages.ts';
import * as schema from '../../../contract/resources/viewing/events.ts';
import { routes } from '../../route.ts';

const shared = {
  tag: 'events',
  access: 'guest',
  isStream: true,
  messages: { sends: EventMessage },
} as const;

/** Events: what happens in the server, as it happens. */
export const eventRoutes = routes<{ readonly feed: EventFeed }>(shared, (route, { feed }, app) => {
  app.addHook('preClose', async () => feed.close());

  route('GET /api/events', {
    exposeHeadRoute: false,
    operation: 'streamEvents',
    summary: 'Follow the events of the libraries that the viewer may see; admins, all events',
    query: EventsQuery,
    headers: schema.EventsHeaders,
    reply: schema.EventStreamReply,
    handler: ({ query, headers, viewer, reply }) => {
      const lastEventId = headers['last-event-id'];
      const stream = feed.open(viewer, { types: query.types, lastEventId });
      return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(stream);
    },
  });
});
