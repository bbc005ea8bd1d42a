import type { FastifyReply, FastifyRequest } from 'fastify';
import { runAsRequest } from '../platform/audit/index.ts';
import { changeHeader } from '../contract/resources/library/search.ts';
import { addressOf } from './client-address.ts';
import type { HttpApp } from './http-app.ts';

/**
 * Attaches the origin of a request to everything that it starts. It runs twice if there is a body,
 * since the code after it runs when its last part arrives, outside the first asynchronous context.
 * The reply to a write that changed the libraries says the number of the change.
 */
export function tellOrigins(app: HttpApp): void {
  app.decorateRequest('origin', null);
  const tell = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    request.origin ??= { address: addressOf(request), requestId: request.id };
    runAsRequest(request.origin, done);
  };
  const tellChange = (
    { origin }: FastifyRequest,
    reply: FastifyReply,
    _payload: unknown,
    done: () => void,
  ): void => {
    const change = origin?.change ?? 0;
    if (change > 0 && reply.statusCode < 400) void reply.header(changeHeader, change);
    done();
  };
  app.addHook('onRequest', (request, reply, done) => {
    // Health checks are frequent and start nothing.
    if (request.routeConfig.answersAlways === true) done();
    else tell(request, reply, done);
  });
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    if (methods.every((method) => withoutBody.has(method))) return;
    route.preValidation = [tell, ...[route.preValidation ?? []].flat()];
    route.onSend = [tellChange, ...[route.onSend ?? []].flat()];
  });
}

const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD']);
