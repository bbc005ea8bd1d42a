/**
 * Requests that become a WebSocket. They pass every hook, and a refusal is answered as HTTP; only
 * the route that takes it over turns it into a WebSocket. Any other upgrade (such as HTTP/2 in
 * clear text) is ignored, as RFC 9110 allows.
 */
import { ServerResponse, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpApp } from './http-app.ts';

/** The connection of a request that becomes a WebSocket. */
export interface SocketUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that arrived after the request. */
  readonly head: Buffer;
  /** From now on the connection is not HTTP. */
  readonly takeOver: () => void;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The upgrade that a request asks for. */
    readonly upgradeOf: (request: Pick<FastifyRequest, 'raw'>) => SocketUpgrade | undefined;
  }
}

/** The only path that becomes a WebSocket. */
export const socketPath = '/api/ws';

/** Whether Node passes the connection on instead of handling it as a normal request. */
export const shouldUpgrade = ({ headers, url = '' }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === socketPath;

/** Lets requests of WebSockets pass through the hooks and routes. */
export function takeUpgrades(app: HttpApp): void {
  const upgrades = new WeakMap<IncomingMessage, SocketUpgrade>();
  app.decorate('upgradeOf', ({ raw }) => upgrades.get(raw));
  app.server.on('upgrade', (request, duplex, head) => {
    const socket = socketOf(duplex);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    socket.on('error', () => socket.destroy());
    const end = (): void => void socket.end();
    response.once('finish', end);
    const takeOver = (): void => {
      response.off('finish', end);
      response.detachSocket(socket);
    };
    upgrades.set(request, { request, socket, head, takeOver });
    app.routing(request, response);
  });
}

/** Node types it as a duplex stream, since servers may use other transports; this one uses TCP. */
function socketOf(duplex: Duplex): Socket {
  if (duplex instanceof Socket) return duplex;
  throw new Error('A WebSocket came over something that is not a socket.');
}
