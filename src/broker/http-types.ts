import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { SignedInUser } from './account.ts';

/**
 * Who may call a route under `/web`: anybody; somebody who is signed in; somebody whose passkey was used
 * lately; or somebody who came by a recovery code.
 */
export type Caller = 'anybody' | 'signed-in' | 'fresh' | 'recovering';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a route under `/web`; each states it. */
    readonly caller?: Caller;
    /** The handler itself asks for the `Origin`, at its place in the order of the checks. */
    readonly asksOrigin?: boolean;
    /** Apps on any origin may call it, without credentials. */
    readonly isForApps?: boolean;
  }
  interface FastifyRequest {
    /** Whose session the cookie is; on the broker's routes for callers alone. */
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
