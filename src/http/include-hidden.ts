import { withHidden } from '../accounts/index.ts';
import type { HttpApp } from './http-app.ts';

/**
 * Shows hidden things to the requests that ask for them, while a license allows it. A route takes part
 * by naming `hiddenQuery` in its schema; what it calls sees nothing but the viewer's sight.
 */
export function showHidden(app: HttpApp, hasActiveLicense: () => boolean): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const { viewer, query } = request;
    if (viewer && asksForHidden(query)) request.viewer = withHidden(viewer, true, hasActiveLicense);
    done();
  });
}

const asksForHidden = (query: unknown): boolean =>
  typeof query === 'object' &&
  query !== null &&
  'includeHidden' in query &&
  query.includeHidden === true;
