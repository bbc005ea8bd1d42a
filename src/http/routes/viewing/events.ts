import type { EventFeed } from '../../../viewing/live-events/index.ts';
import { viewerOf } from '../../access.ts';
import { EventsQuery } from '../../../contract/resources/viewing/event-query.ts';
import { EventMessage } from '../../../contract/resources/viewing/event-messages.ts';
import type { Routes } from '../../http-app.ts';
import { EventsHeaders, EventStreamReply } from '../../../contract/resources/viewing/events.ts';

/** Events: what happens in the server, as it happens. */
export const eventRoutes: Routes<{ readonly feed: EventFeed }> = async (app, { feed }) => {
  app.addHook('preClose', async () => feed.close());

  app.get(
    '/api/events',
    {
      config: { access: 'guest', isStream: true, messages: { sends: EventMessage } },
      exposeHeadRoute: false,
      schema: {
        operationId: 'streamEvents',
        summary: 'Follow the events of the libraries that the viewer may see; admins, all events',
        tags: ['events'],
        querystring: EventsQuery,
        headers: EventsHeaders,
        response: { 200: EventStreamReply },
      },
    },
    async (request, reply) => {
      const { types } = request.query;
      const lastEventId = request.headers['last-event-id'];
      const stream = feed.open(viewerOf(request), { types, lastEventId });
      return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(stream);
    },
  );
};
