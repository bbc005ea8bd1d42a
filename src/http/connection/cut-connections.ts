import type { Socket } from 'node:net';
import type { HttpApp } from '../http-app.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Closes every connection, also WebSockets, except those in the middle of a file if wanted. */
    readonly cutConnections: (which: 'all' | 'all but files') => void;
  }
}

/** Keeps the open connections, and which of them send a file: streams that end by themselves. */
export function keepConnections(app: HttpApp): void {
  const open = new Set<Socket>();
  const sending = new Map<Socket, number>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('onRequest', ({ routeConfig, raw: { socket } }, reply, done) => {
    if (routeConfig.isStream === true && routeConfig.messages === undefined) {
      sending.set(socket, (sending.get(socket) ?? 0) + 1);
      reply.raw.once('close', () => {
        const left = (sending.get(socket) ?? 1) - 1;
        if (left > 0) sending.set(socket, left);
        else sending.delete(socket);
      });
    }
    done();
  });
  app.decorate('cutConnections', (which) => {
    for (const socket of open) if (which === 'all' || !sending.has(socket)) socket.destroy();
  });
}
