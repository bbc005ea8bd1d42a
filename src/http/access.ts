import type { FastifyRequest } from 'fastify';
import {
  isAtLeast,
  opensRoute,
  type Authenticate,
  type Caller,
  type CredentialHeaders,
  type Viewer,
} from '../accounts/index.ts';
import { AppError } from '../errors.ts';
import type { HttpApp } from './http-app.ts';
import { speaksEvents } from './socket-credentials.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The viewer that these credentials make at the route of the request, or why it is not let in. */
    readonly admit: (request: FastifyRequest, headers: CredentialHeaders) => Promise<Viewer>;
  }
}

/** Whether a request of this method changes nothing. */
export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';

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
  app.decorate('admit', async (request, headers) =>
    admitted(request, await identified(headers, authenticate)),
  );
  app.addHook('onRequest', (request, _reply, done) => {
    const { access, identifiesLater } = request.routeConfig;
    const isOpen = access === undefined || access === 'nobody';
    if (isOpen || (identifiesLater === true && app.upgradeOf(request) && speaksLater(request))) {
      done();
      return;
    }
    app.admit(request, request.headers).then((viewer) => {
      request.viewer = viewer;
      done();
    }, done);
  });
}

/** It brings no credential, and speaks the protocol in which one can be told later. */
const speaksLater = (request: FastifyRequest): boolean =>
  request.headers.authorization === undefined && speaksEvents(request);

/** The viewer, if the route is open to whoever was identified. */
function admitted(request: FastifyRequest, { viewer, isLocked, routes }: Caller): Viewer {
  const { access = 'admin', allowsLibraryKeys = false, worksLocked = false } = request.routeConfig;
  assertRouteOpen(request, routes);
  if (isLocked && !worksLocked) throw new AppError('profile_locked', {});
  if (access !== 'nobody' && !isAtLeast(viewer.role, access)) {
    throw new AppError('forbidden', {
      what: `This needs the role ${access}; the credential has the role ${viewer.role}.`,
    });
  }
  if (access === 'admin' && viewer.sight.libraries !== null && !allowsLibraryKeys) {
    throw new AppError('forbidden', {
      what: 'This needs an admin credential that is not limited to some libraries.',
    });
  }
  if (viewer.isReadOnly && !isReading(request.method)) {
    throw new AppError('read_only_key', { method: request.method });
  }
  return viewer;
}

/** A key that is limited to some routes opens no other, whatever its role. */
function assertRouteOpen({ method, routeConfig }: FastifyRequest, routes: Caller['routes']): void {
  const route = routeConfig.url ?? '';
  if (routes === null || opensRoute(routes, { method, route })) return;
  throw new AppError('route_refused', { route: `${method} ${route}` });
}

async function identified(headers: CredentialHeaders, authenticate: Authenticate): Promise<Caller> {
  if (headers.authorization === undefined) throw new AppError('token_missing', {});
  const caller = await authenticate(headers);
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
