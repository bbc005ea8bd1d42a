import type { FastifyReply, FastifyRequest } from 'fastify';
import { runAsRequest } from '../audit/index.ts';
import { addressOf } from './client-address.ts';
import type { HttpApp } from './http-app.ts';

/**
 * Says to everything that a request sets going where it comes from. Twice, since what follows the
 * body runs when its last part arrives, which is no continuation of what ran before.
 */
export function tellOrigins(app: HttpApp): void {
  const tell = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void =>
    runAsRequest({ address: addressOf(request), requestId: request.id }, done);
  app.addHook('onRequest', tell);
  app.addHook('preValidation', tell);
}
