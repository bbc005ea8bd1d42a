import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { SignedInUser } from '../accounts/account.ts';

/**
 * The required caller of a route under `/web`: anyone; a signed-in user; a user whose passkey was
 * used recently; or a user who signed in with a recovery code.
 */
export type Caller = 'anybody' | 'signed-in' | 'fresh' | 'recovering';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Each route under `/web` declares it. */
    readonly caller?: Caller;
    /** The handler itself checks the `Origin`, at its place in the order of the checks. */
    readonly asksOrigin?: boolean;
    /** Apps on any origin may call it, without credentials. */
    readonly isForApps?: boolean;
  }
  interface FastifyRequest {
    /** The user of the session cookie; set only on routes that need one. */
    identityCaller: SignedInUser | null;
  }
}

/** The broker's HTTP server as its routes see it. */
export type BrokerApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
