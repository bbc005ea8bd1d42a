import type { FastifyRequest } from 'fastify';
import {
  isAtLeast,
  opensRoute,
  type Authenticate,
  type Caller,
  type Viewer,
} from '../accounts/index.ts';
import { AppError } from '../errors.ts';
import type { HttpApp } from './http-app.ts';

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Lets a request in only if its route says so. It stands before the body is read, so a stranger
 * costs nothing; and a route that does not say who may call it never comes to life.
 */
export function guardRoutes(app: HttpApp, authenticate: Authenticate): void {
  app.decorateRequest('viewer', null);
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.access === undefined) {
      throw new Error(
        `Route ${String(method)} ${url} does not say who may call it (config.access).`,
      );
    }
  });
  app.addHook('onRequest', async (request) => {
    const { access, allowsLibraryKeys = false, worksLocked = false } = request.routeOptions.config;
    if (access === undefined || access === 'nobody') return;
    const { viewer, isLocked, routes } = await identified(request, authenticate);
    assertRouteOpen(request, routes);
    if (isLocked && !worksLocked) throw new AppError('profile_locked', {});
    if (!isAtLeast(viewer.role, access)) {
      throw new AppError('forbidden', {
        what: `This needs the role ${access}; the credential has the role ${viewer.role}.`,
      });
    }
    if (access === 'admin' && viewer.sight.libraries !== null && !allowsLibraryKeys) {
      throw new AppError('forbidden', {
        what: 'This needs an admin credential that is not limited to some libraries.',
      });
    }
    if (viewer.isReadOnly && !readingMethods.has(request.method)) {
      throw new AppError('read_only_key', { method: request.method });
    }
    request.viewer = viewer;
  });
}

/** A key that is limited to some routes opens no other, whatever its role. */
function assertRouteOpen({ method, routeOptions }: FastifyRequest, routes: Caller['routes']): void {
  const route = routeOptions.url ?? '';
  if (routes === null || opensRoute(routes, { method, route })) return;
  throw new AppError('route_refused', { route: `${method} ${route}` });
}

async function identified(request: FastifyRequest, authenticate: Authenticate): Promise<Caller> {
  const { authorization } = request.headers;
  if (authorization === undefined) throw new AppError('token_missing', {});
  const caller = await authenticate(request.headers);
  if (caller) return caller;
  throw new AppError('unauthenticated', {
    what: 'The credential is unknown, has expired or was revoked.',
  });
}

/** Who asks. Only for routes that need a credential: on the others nobody does. */
export function viewerOf(request: FastifyRequest): Viewer {
  if (request.viewer) return request.viewer;
  throw new Error(`Route ${request.url} asks for its viewer and is open to nobody in particular.`);
}
