import type { HttpApp } from './http-app.ts';

/**
 * Reads what the route of a request says of itself once, for all that the request passes: fastify makes
 * `routeOptions` anew whenever somebody looks at it. It comes before everything else.
 */
export function readRouteConfigs(app: HttpApp): void {
  app.decorateRequest('routeConfig', null as never); // There is none before this hook.
  app.addHook('onRequest', (request, _reply, done) => {
    request.routeConfig = request.routeOptions.config ?? {};
    done();
  });
}
