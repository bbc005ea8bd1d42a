import type { FastifyReply, FastifyRequest } from 'fastify';
import { runAsRequest } from '../audit/index.ts';
import { addressOf } from './client-address.ts';
import type { HttpApp } from './http-app.ts';

/**
 * Says to everything that a request sets going where it comes from. Twice where there is a body,
 * since what follows it runs when its last part arrives, which is no continuation of what ran before.
 */
export function tellOrigins(app: HttpApp): void {
  const tell = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void =>
    runAsRequest({ address: addressOf(request), requestId: request.id }, done);
  app.addHook('onRequest', (request, reply, done) => {
    // What answers always is asked by machines, time and again, and sets nothing going.
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
