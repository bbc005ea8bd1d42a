import type { preHandlerHookHandler, RouteOptions } from 'fastify';
import { withHidden } from '../people/viewer/index.ts';
import type { HttpApp } from './http-app.ts';

/**
 * Shows hidden things to requests that ask for them, if the license allows it. A route takes part
 * by naming `hiddenQuery` in its schema; its domain reads only the viewer.
 */
export function showHidden(app: HttpApp, hasActiveLicense: () => boolean): void {
  const show: preHandlerHookHandler = (request, _reply, done) => {
    const { viewer, query } = request;
    const { includeHidden } = query as { readonly includeHidden?: unknown };
    if (viewer && includeHidden === true)
      request.viewer = withHidden(viewer, true, hasActiveLicense);
    done();
  };
  app.addHook('onRoute', (route) => {
    if (takesPart(route)) route.preHandler = [show, ...[route.preHandler ?? []].flat()];
  });
}

function takesPart({ schema }: RouteOptions): boolean {
  const { properties = {} } = (schema?.querystring ?? {}) as { readonly properties?: object };
  return 'includeHidden' in properties;
}
