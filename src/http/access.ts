import type { FastifyRequest } from 'fastify';
import { isAtLeast, type Viewer } from '../people/viewer/index.ts';
import {
  opensRoute,
  type Authenticate,
  type Caller,
  type CredentialHeaders,
} from '../people/credentials/index.ts';
import { AppError } from '../platform/errors.ts';
import { firstLocale } from './client-locale.ts';
import type { HttpApp } from './http-app.ts';
import { speaksEvents } from './socket-credentials.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The viewer of these credentials at the route of the request; throws if they are refused. */
    readonly admit: (request: FastifyRequest, headers: CredentialHeaders) => Promise<Viewer>;
  }
}

/** Whether a request with this method only reads. */
export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Lets a request in only if its route allows it. It runs before the body is read, so a rejected
 * request costs little; and again behind the body, which a client may send a minute later, when its
 * credential has ended. The server does not start with a route that does not state its access.
 */
export function guardRoutes(app: HttpApp, authenticate: Authenticate): void {
  app.decorateRequest('viewer', null);
  const stillAdmit = async (request: FastifyRequest): Promise<void> => {
    if (request.viewer !== null) request.viewer = await app.admit(request, request.headers);
  };
  app.addHook('onRoute', (route) => {
    const { method, url, config } = route;
    if (config?.access === undefined) {
      throw new Error(
        `Route ${String(method)} ${url} does not say who may call it (config.access).`,
      );
    }
    if ([method].flat().every(isReading)) return;
    route.preValidation = [...[route.preValidation ?? []].flat(), stillAdmit];
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

/** It has no credential, and uses the protocol in which one may follow later. */
const speaksLater = (request: FastifyRequest): boolean =>
  request.headers.authorization === undefined && speaksEvents(request);

/** Whether it is an admin whose credential is not limited to some libraries. */
export const isUnlimitedAdmin = ({ role, visibility }: Viewer): boolean =>
  role === 'admin' && visibility.libraries === null;

/** The viewer, if the route is open to it. */
function admitted(request: FastifyRequest, { viewer, isLocked, routes }: Caller): Viewer {
  const { access = 'admin', allowsLibraryKeys = false, worksLocked = false } = request.routeConfig;
  assertRouteOpen(request, routes);
  if (isLocked && !worksLocked) throw new AppError('profile_locked', {});
  if (access !== 'nobody' && !isAtLeast(viewer.role, access)) {
    throw new AppError('forbidden', {
      what: `This needs the role ${access}; the credential has the role ${viewer.role}.`,
    });
  }
  if (access === 'admin' && viewer.visibility.libraries !== null && !allowsLibraryKeys) {
    throw new AppError('forbidden', {
      what: 'This needs an admin credential that is not limited to some libraries.',
    });
  }
  if (viewer.isReadOnly && !isReading(request.method)) {
    throw new AppError('read_only_key', { method: request.method });
  }
  return withLocale(viewer, request);
}

/** The language of the profile, else that of the client. */
function withLocale(viewer: Viewer, { headers }: FastifyRequest): Viewer {
  if (viewer.locale !== undefined) return viewer;
  const locale = firstLocale(headers['accept-language'] ?? '');
  return locale === null ? viewer : { ...viewer, locale };
}

/** A key that is limited to some routes opens no other, for any role. */
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

/** The viewer of the request. Only for routes that need a credential. */
export function viewerOf(request: FastifyRequest): Viewer {
  if (request.viewer) return request.viewer;
  throw new Error(`Route ${request.url} asks for its viewer but needs no credential.`);
}
