import type { HttpApp } from './http-app.ts';

/**
 * Adds to the reply of each read the id of the last event before it, for signed-in viewers. A client that follows
 * the events after the smallest of these ids misses no change of what it read.
 */
export function tellEventPosition(app: HttpApp, position: () => string): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'GET' && request.viewer !== null)
      void reply.header('x-event-id', position());
    done();
  });
}
