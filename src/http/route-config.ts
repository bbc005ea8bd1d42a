import type { HttpApp } from './http-app.ts';

/**
 * Reads the configuration of a route once per request, since fastify builds `routeOptions` again at
 * each access. It runs before all other hooks.
 */
export function readRouteConfigs(app: HttpApp): void {
  app.decorateRequest('routeConfig', null as never); // It is set by the hook below.
  app.addHook('onRequest', (request, _reply, done) => {
    request.routeConfig = request.routeOptions.config ?? {};
    done();
  });
}
