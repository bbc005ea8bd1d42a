import type { Server } from 'node:http';
import { fastify } from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Log } from '../../kernel/index.ts';
import type { Authenticate, LinkTokens } from '../people/credentials/index.ts';
import type { Excess } from '../operations/load-watch.ts';
import type { BackgroundScheduler } from '../platform/background-scheduler.ts';
import { steadyOf, systemClock, type Clock } from '../platform/clock.ts';
import type { NewId } from '../platform/uuid-v7.ts';
import { guardRoutes } from './access.ts';
import { awaitDatabase } from './await-database.ts';
import { keepBrowserSessions } from './browser-sessions.ts';
import { createTrustedProxies } from './client-address.ts';
import { refuseBrokenRequest, refuseExpectations } from './connection/broken-requests.ts';
import { keepConnections } from './connection/cut-connections.ts';
import { limitConnections } from './connection/limit-connections.ts';
import { allowOrigins, type AppOrigins } from './cross-origin.ts';
import { deliverTexts } from './delivery/index.ts';
import { replyToErrors, sendError, type PageOfNothing } from './error-replies.ts';
import { HeldRefusals, usualRefusals, type RefusalLimits } from './held-refusals.ts';
import type { HttpApp, Mount } from './http-app.ts';
import { tellEventPosition } from './event-position.ts';
import { showHidden } from './include-hidden.ts';
import {
  trackInteractiveRequests,
  logRequests,
  refuseUntilReady,
  type ObserveRequest,
  type Readiness,
} from './interactive.ts';
import { limitWrites } from './limit-writes.ts';
import { takeLinks } from './link-credentials.ts';
import { takeJsonBodies } from './json-body.ts';
import { describeRoutes, openApiRoutes } from './document/openapi.ts';
import { refuseOverload, usualLimits, type OverloadLimits } from './overload.ts';
import { createQueryReader } from './query-reader.ts';
import { createValidatorCompiler } from './request-validation.ts';
import { createReplySerializer } from './reply-serializer.ts';
import { tellOrigins } from './request-origin.ts';
import { readRouteConfigs } from './route-config.ts';
import { checkRouteSchemas } from './route-schemas.ts';
import { securityHeaders, setSecurityHeaders } from './security-headers.ts';
import { refuseDuplicates } from './single-headers.ts';
import { takeSocketCredentials } from './socket-credentials.ts';
import { shouldUpgrade, takeUpgrades } from './socket-upgrades.ts';

/** Which clients the server trusts, beyond credentials. */
export interface HttpSecurity {
  /** Addresses and ranges of proxies whose `X-Forwarded-…` headers count. */
  readonly trustedProxies: readonly string[];
  /** Other origins whose pages may call the server. */
  readonly corsOrigins: readonly string[];
  /** Origins of apps that send a token; none when absent. */
  readonly appOrigins?: () => AppOrigins;
  /** Connections that one address may have; 0 = unlimited. */
  readonly connectionsPerAddress: number;
  readonly csrfKey: Buffer;
  readonly readLink: LinkTokens['read'];
  /** The address of the server for clients, if the operator set it. */
  readonly publicUrl: string | null;
}

/** What an HTTP server needs. */
export interface HttpParts {
  /** The routes of every resource, each bound to its domain by `mount`. */
  readonly routes: readonly Mount[];
  readonly authenticate: Authenticate;
  /** Without a license, hidden libraries, entities and collections are not shown. */
  readonly hasActiveLicense: () => boolean;
  readonly security: HttpSecurity;
  readonly readiness: () => Readiness;
  /** False: only what always answers does, since the server has not the role web. */
  readonly isForClients?: boolean;
  readonly observeRequest?: ObserveRequest;
  readonly background: Pick<BackgroundScheduler, 'request'>;
  /** The monotonic clock; that of the system when absent. */
  readonly steady?: Pick<Clock, 'now'>;
  /** Waits for a database that cannot be reached; absent where it is a file. */
  readonly awaitReachable?: () => Promise<void>;
  /** The id of the last event, which replies to reads tell; they tell none when absent. */
  readonly eventPosition?: () => string;
  /** Why the server accepts no requests now; when absent it always does. */
  readonly excess?: () => Excess | null;
  /** For tests: lower limits. */
  readonly limits?: Partial<OverloadLimits & ArrivalLimits & RefusalLimits>;
  /** What browsers get where there is nothing: a page that says so. */
  readonly pageOfNothing?: PageOfNothing;
  readonly newId: NewId;
  readonly log: Log;
  /** The version of the server, for the OpenAPI document. */
  readonly version: string;
  /** For tests: a reply that does not fit its schema is a bug, and answers 500. */
  readonly checksReplies?: boolean;
}

const maxBodyBytes = 1024 * 1024;

/** How long a request may take to arrive completely. */
export interface ArrivalLimits {
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often connections are checked. */
  readonly looksEveryMs: number;
}

const arrivals: ArrivalLimits = { headersMs: 15_000, requestMs: 60_000, looksEveryMs: 2000 };

/** Creates the server with all its routes, ready to listen or to be injected into. */
export async function createHttpApp(parts: HttpParts): Promise<HttpApp> {
  const {
    routes,
    authenticate,
    hasActiveLicense,
    readiness,
    background,
    newId,
    log,
    version,
    checksReplies,
  } = parts;
  const { security, excess = () => null } = parts;
  const limits = { ...arrivals, ...usualLimits, ...usualRefusals, ...parts.limits };
  const isTrustedProxy = createTrustedProxies(security.trustedProxies);
  const app: HttpApp = fastify<Server>({
    genReqId: newId,
    bodyLimit: maxBodyBytes,
    requestTimeout: limits.requestMs,
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.looksEveryMs,
      shouldUpgradeCallback: shouldUpgrade,
    },
    trustProxy: security.trustedProxies.length > 0 && isTrustedProxy,
    clientErrorHandler: refuseBrokenRequest,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    // A request that fails before routing passes no hook, so its headers are set here.
    frameworkErrors: (error, request, reply) =>
      void sendError(error, request, reply.headers(securityHeaders), log),
    schemaController: {
      compilersFactory: {
        // Fastify types it as a factory of ajv's own functions; it only calls it as a schema
        // compiler.
        buildValidator: (() => createValidatorCompiler(createQueryReader)) as never,
        buildSerializer: () => createReplySerializer({ checksReplies }),
      },
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  refuseExpectations(app.server);
  const perAddress = security.connectionsPerAddress;
  limitConnections(app.server, { perAddress, isTrustedProxy });
  takeJsonBodies(app);
  const held = new HeldRefusals({ limits });
  replyToErrors(app, { log, held, pageOfNothing: parts.pageOfNothing });
  readRouteConfigs(app);
  keepConnections(app);
  logRequests(app, log, parts.observeRequest ?? (() => undefined));
  setSecurityHeaders(app);
  refuseDuplicates(app);
  tellOrigins(app);
  const { corsOrigins: origins, appOrigins = () => new Set<string>(), publicUrl } = security;
  allowOrigins(app, { origins, appOrigins });
  trackInteractiveRequests(app, background);
  refuseUntilReady(app, readiness, parts.isForClients ?? true);
  refuseOverload(app, { excess, limits, largestBody: maxBodyBytes });
  if (parts.awaitReachable) awaitDatabase(app, parts.awaitReachable);
  takeUpgrades(app);
  takeSocketCredentials(app, { publicUrl, origins, appOrigins });
  takeLinks(app, security.readLink);
  keepBrowserSessions(app, security);
  guardRoutes(app, authenticate);
  limitWrites(app, parts.steady ?? steadyOf(systemClock));
  showHidden(app, hasActiveLicense);
  if (parts.eventPosition) tellEventPosition(app, parts.eventPosition);
  deliverTexts(app);
  checkRouteSchemas(app);
  const document = describeRoutes(app, version);
  void app.register(openApiRoutes(document), {});
  for (const mountRoutes of routes) mountRoutes(app);
  await app.ready();
  return app;
}
