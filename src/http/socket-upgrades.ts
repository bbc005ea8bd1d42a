/**
 * Requests that want to become a WebSocket. They pass every hook that other requests pass, and what
 * refuses one is answered as HTTP; only the route that takes it over turns it into a WebSocket. Any
 * other offer to upgrade (HTTP/2 in clear text, say) is left unanswered, as RFC 9110 has it.
 */
import { ServerResponse, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpApp } from './http-app.ts';

/** The connection of a request that wants to become a WebSocket. */
export interface SocketUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What arrived after the request. */
  readonly head: Buffer;
  /** From now on the connection is no HTTP any more. */
  readonly takeOver: () => void;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The upgrade that a request asks for. */
    readonly upgradeOf: (request: Pick<FastifyRequest, 'raw'>) => SocketUpgrade | undefined;
    /** Cuts every connection, also those of WebSockets, which Node no longer cuts with the others. */
    readonly cutConnections: () => void;
  }
}

/** The only path that becomes a WebSocket. */
export const socketPath = '/api/ws';

/** Whether Node hands the connection over, in place of treating it as any other request. */
export const shouldUpgrade = ({ headers, url = '' }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === socketPath;

/** Lets requests of WebSockets pass through the hooks and routes. */
export function takeUpgrades(app: HttpApp): void {
  const upgrades = new WeakMap<IncomingMessage, SocketUpgrade>();
  const upgraded = new Set<Socket>();
  app.decorate('upgradeOf', ({ raw }) => upgrades.get(raw));
  app.decorate('cutConnections', () => {
    app.server.closeAllConnections();
    for (const socket of upgraded) socket.destroy();
  });
  app.server.on('upgrade', (request, duplex, head) => {
    const socket = socketOf(duplex);
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
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

/** Typed as any duplex stream, since a server can be made over others; this one is over TCP. */
function socketOf(duplex: Duplex): Socket {
  if (duplex instanceof Socket) return duplex;
  throw new Error('A WebSocket came over something that is no socket.');
}
