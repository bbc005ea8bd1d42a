import type { TSchema } from '@sinclair/typebox';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyPluginAsync,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { RequestOrigin } from '../platform/audit/index.ts';
import type { Role, Viewer } from '../people/viewer/index.ts';

/** Who may call a route: viewers with at least this role; `nobody` = no credential needed. */
export type RouteAccess = 'nobody' | Role;

/** The schemas of the messages of a route that is a stream of them. */
export interface RouteMessages {
  readonly sends: TSchema;
  readonly takes?: TSchema;
}

declare module 'fastify' {
  interface FastifySchema {
    /** The stable name of the operation in the API document and in clients made of it. */
    readonly operationId?: string;
    readonly summary?: string;
    readonly tags?: readonly string[];
  }
  interface FastifyContextConfig {
    /** Every route states it; the server does not start with a route without it. */
    readonly access?: RouteAccess;
    /**
     * An admin key that is limited to some libraries may call this admin route, because the domain
     * obeys the viewer's libraries. Otherwise such a key is refused.
     */
    readonly allowsLibraryKeys?: boolean;
    /**
     * Which budget of its person a write counts against; absent = the smallest (`limit-writes.ts`).
     * `often`: a playback position, a mark, a list, a click. `endsCredentials`: a sign-out.
     */
    readonly writes?: 'often' | 'endsCredentials';
    /** Works for a profile whose PIN was not entered: to enter it, or to sign out. */
    readonly worksLocked?: boolean;
    /** A WebSocket whose client may send its credential in its first message. */
    readonly identifiesLater?: boolean;
    /** Answers while the server starts and stops. */
    readonly answersAlways?: boolean;
    /** Everyone may read it, and a caller with a credential gets more: a cookie counts as one. */
    readonly knowsCaller?: boolean;
    /**
     * Apps of identities call it: pages of any origin may, and its failures have their form.
     */
    readonly isForApps?: boolean;
    /** Each of its failures has `code` and `message` beside `error`. */
    readonly failsWithCode?: boolean;
    /** The messages of a reply that is a stream of them, for the API document. */
    readonly messages?: RouteMessages;
    /**
     * Its replies contain no secret: no token, key, password, PIN, invitation, signed address or
     * configuration of a plugin. So they may be compressed, and the client may store them under a
     * tag. False when absent, since the length of a compressed reply tells of its content.
     */
    readonly holdsNoSecret?: boolean;
    /** A page of the app, for people: it is not in the API document. */
    readonly isPageOfApp?: boolean;
    /** The reply takes long: background work does not wait for its end. */
    readonly isStream?: boolean;
  }
  interface FastifyRequest {
    /** The viewer; `null` on routes without credential. Routes read it with `viewerOf`. */
    viewer: Viewer | null;
    /** Who asks from where, and what the request changes; `null` = nobody asked for it. */
    origin: RequestOrigin | null;
    /** The configuration of its route; no `url` = there is no such route. */
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
