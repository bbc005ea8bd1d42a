import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyPluginAsync,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Role, Viewer } from '../accounts/index.ts';

/** Who may call a route: somebody with at least this role, or `nobody` = no credential needed. */
export type RouteAccess = 'nobody' | Role;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route states it; a route without it is refused at the start. */
    readonly access?: RouteAccess;
    /**
     * An admin key that is limited to some libraries may call this admin route, because what it
     * calls obeys the viewer's libraries. Otherwise such a key is refused.
     */
    readonly allowsLibraryKeys?: boolean;
    /** Works for a profile whose PIN has not been told: to tell it, or to sign out. */
    readonly worksLocked?: boolean;
    /** A WebSocket whose client may tell its credential in its first message. */
    readonly identifiesLater?: boolean;
    /** Answers while the server starts and stops. */
    readonly answersAlways?: boolean;
    /**
     * Apps of identities call it: pages of any origin may, and its failures are told in their form.
     */
    readonly isForApps?: boolean;
    /** The reply goes on for long: background work does not wait for its end. */
    readonly isStream?: boolean;
  }
  interface FastifyRequest {
    /** Who asks; `null` on routes for nobody. Routes take it with `viewerOf`. */
    viewer: Viewer | null;
    /** What its route says of itself; no `url` = there is no such route. */
    routeConfig: FastifyContextConfig & { readonly url?: string };
  }
}

/** The HTTP server as its routes see it. */
export type HttpApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The routes of one resource, over the domains that they call. */
export type Routes<Parts extends object> = FastifyPluginAsync<
  Parts,
  RawServerDefault,
  TypeBoxTypeProvider
>;

/** Routes with their parts, ready to be registered. */
export type Mount = (app: HttpApp) => void;

/** Binds routes to their parts. */
export const mount =
  <Parts extends object>(routes: Routes<Parts>, parts: Parts): Mount =>
  (app) =>
    void app.register(routes, { ...parts });
