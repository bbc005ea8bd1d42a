import type { FastifyReply, FastifyRequest } from 'fastify';
import { runAsRequest } from '../platform/audit/index.ts';
import { addressOf } from './client-address.ts';
import type { HttpApp } from './http-app.ts';

/**
 * Attaches the origin of a request to everything that it starts. It runs twice if there is a body,
 * since the code after it runs when its last part arrives, outside the first asynchronous context.
 */
export function tellOrigins(app: HttpApp): void {
  const tell = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void =>
    runAsRequest({ address: addressOf(request), requestId: request.id }, done);
  app.addHook('onRequest', (request, reply, done) => {
    // Health checks are frequent and start nothing.
    if (request.routeConfig.answersAlways === true) done();
    else tell(request, reply, done);
  });
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    if (methods.every((method) => withoutBody.has(method))) return;
    route.preValidation = [tell, ...[route.preValidation ?? []].flat()];
  });
}

const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD']);
