/**
 * The conversations over the WebSocket of events: who is connected, and who has not said yet who they
 * are. A client without a credential has ten seconds to send one, and few such clients may wait.
 */
import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { KernelError } from '../../kernel/index.ts';
import type { Viewer } from '../people/viewer/index.ts';
import type { Clock } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import {
  closings,
  NotJson,
  parseClientMessage,
  type Closing,
  type EventFeed,
  type FeedQuery,
  type SocketEvents,
} from '../viewing/live-events/index.ts';
import type { HttpApp } from './http-app.ts';
import type { SocketUpgrade } from './socket-upgrades.ts';
import { createWebSockets, type OpenSocket } from './web-sockets.ts';

/** What the conversations need. */
export interface EventSocketsParts {
  readonly feed: EventFeed;
  readonly clock: Clock;
}

/** How many unidentified clients may be connected, each for a limited time. */
const mostUnidentified = 200;
const strangerMs = 10_000;

/** Creates the conversations. */
export function createEventSockets(
  app: Pick<HttpApp, 'admit'>,
  { feed, clock }: EventSocketsParts,
) {
  const sockets = createWebSockets();
  const unidentified = new Set<OpenSocket>();

  function follow(open: OpenSocket, viewer: Viewer, query: FeedQuery, greets = false): void {
    const { webSocket, socket, onDrain } = open;
    try {
      const events = feed.connect(viewer, socket, { ...query, greets });
      listen(webSocket, events);
      onDrain(() => events.onDrain());
    } catch (error) {
      refuse(open, closingFor(error));
    }
  }

  function awaitAuth(open: OpenSocket, request: FastifyRequest, query: FeedQuery): void {
    const { webSocket } = open;
    const stopWaiting = clock.after(strangerMs, () => refuse(open, 'nobody'));
    unidentified.add(open);
    const settle = (): void => {
      stopWaiting();
      webSocket.off('close', settle);
      unidentified.delete(open);
    };
    webSocket.once('close', settle);
    webSocket.once('message', (message: Buffer, isBinary: boolean) => {
      // Messages after the first one belong to the viewer that the first one identifies.
      webSocket.pause();
      identify(request, message, isBinary).then(
        (viewer) => {
          settle();
          follow(open, viewer, query, true);
          webSocket.resume();
        },
        (error: unknown) => {
          settle();
          refuse(open, closingFor(error));
          webSocket.resume();
        },
      );
    });
  }

  async function identify(
    request: FastifyRequest,
    message: Buffer,
    isBinary: boolean,
  ): Promise<Viewer> {
    const said = isBinary ? null : parseClientMessage(message.toString());
    if (said?.type !== 'auth') throw new AppError('token_missing', {});
    const profile = said.profileId === null ? {} : { 'x-profile-id': said.profileId };
    return app.admit(request, { authorization: `Bearer ${said.token}`, ...profile });
  }

  function refuse({ webSocket }: OpenSocket, why: Closing): void {
    const { code, reason } = closings[why];
    const stop = clock.after(5000, () => webSocket.terminate());
    webSocket.once('close', stop);
    webSocket.close(code, reason);
  }

  return {
    /** Throws where no further client may connect. */
    assertRoom: (viewer: Viewer | null, query: FeedQuery): void => {
      if (viewer) feed.assertRoom(viewer, query);
      else if (unidentified.size >= mostUnidentified)
        throw new KernelError('overloaded', tooManyUnidentified);
    },
    /** Begins one; the request has no viewer while its client has not identified itself. */
    open: (upgrade: SocketUpgrade, request: FastifyRequest, query: FeedQuery): Promise<void> => {
      const { viewer } = request;
      return sockets.open(upgrade, (open) => {
        if (viewer) follow(open, viewer, query);
        else awaitAuth(open, request, query);
      });
    },
    /** Ends those whose clients have not identified themselves. */
    close: (): void => {
      for (const open of unidentified) refuse(open, 'stopping');
    },
  };
}

function listen(webSocket: WebSocket, events: SocketEvents): void {
  webSocket.on('message', (message: Buffer, isBinary: boolean) =>
    events.onMessage(message, isBinary),
  );
  webSocket.on('ping', (payload: Buffer) => {
    events.onSign();
    if (webSocket.readyState === webSocket.OPEN) webSocket.pong(payload);
  });
  webSocket.on('pong', () => events.onSign());
  webSocket.on('close', () => events.onClose());
}

const tooManyUnidentified =
  'Too many clients have not identified themselves yet. Try again in a moment.';

/** The WebSocket close code for an HTTP status. */
function closingFor(error: unknown): Closing {
  if (error instanceof NotJson) return 'notJson';
  if (error instanceof KernelError) return error.code === 'overloaded' ? 'full' : 'failed';
  if (!(error instanceof AppError)) return 'failed';
  switch (error.code) {
    case 'too_many_requests':
      return 'full';
    case 'forbidden':
    case 'profile_locked':
    case 'route_refused':
      return 'refused';
    default:
      return 'nobody';
  }
}
