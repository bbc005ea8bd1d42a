import { SocketQuery, SocketReply } from '../../../contract/resources/viewing/live.ts';
import {
  ClientMessage,
  ServerMessage,
} from '../../../contract/resources/viewing/event-messages.ts';
import { AppError } from '../../../platform/errors.ts';
import { createEventSockets, type EventSocketsParts } from '../../event-sockets.ts';
import { routes } from '../../route.ts';

const messages = { sends: ServerMessage, takes: ClientMessage };
const shared = {
  tag: 'events',
  access: 'guest',
  isStream: true,
  identifiesLater: true,
  messages,
} as const;

/** Events over a WebSocket: as `GET /api/events`, and the client can change its filter. */
export const liveRoutes = routes<EventSocketsParts>(shared, (route, parts, app) => {
  const sockets = createEventSockets(app, parts);
  app.addHook('preClose', async () => sockets.close());

  route('GET /api/ws', {
    exposeHeadRoute: false,
    operation: 'openEventSocket',
    summary: 'Follow the events over a WebSocket, and change the filter meanwhile',
    query: SocketQuery,
    replies: { 101: SocketReply },
    handler: async ({ query: { types, since: lastEventId }, request, reply }) => {
      const upgrade = app.upgradeOf(request);
      if (!upgrade) throw new AppError('upgrade_required', {});
      sockets.assertRoom(request.viewer, { types, lastEventId });
      void reply.hijack();
      await sockets.open(upgrade, request, { types, lastEventId });
      return reply;
    },
  });
});
