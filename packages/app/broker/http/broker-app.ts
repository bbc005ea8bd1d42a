import type { Server } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { fastify, type FastifyError, type FastifyReply } from 'fastify';
import type { Log } from '../../../../kernel/index.ts';
import { createTrustedProxies } from '../service/client-address.ts';
import { Refusal, wireOf } from '../service/errors.ts';
import type { BrokerApp } from './http-types.ts';

/** The dependencies of the HTTP server. */
export interface BrokerAppParts {
  readonly trustedProxies: readonly string[];
  readonly log: Log;
}

const bodyLimit = 512 * 1024;

/** The headers of every reply; pages have more. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const forApps = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, retry-after',
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * Creates the HTTP server. Requests and replies are JSON, and every failure is `{error, message}`.
 */
export function createBrokerApp({ trustedProxies, log }: BrokerAppParts): BrokerApp {
  const isTrusted = createTrustedProxies(trustedProxies);
  const app: BrokerApp = fastify<Server>({
    bodyLimit,
    requestTimeout: 30_000,
    http: { headersTimeout: 15_000 },
    trustProxy: trustedProxies.length > 0 && isTrusted,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 2000 },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    frameworkErrors: (error, _request, reply) =>
      void send(reply.headers(headers), refusalOf(error) ?? new Refusal('internal')),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => {
      if (text === '') done(null, undefined);
      else void parse(request, text, done);
    },
  );

  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers);
    if (request.routeOptions.config.isForApps === true) void reply.headers(forApps);
    done();
  });
  allowPreflights(app);

  app.setNotFoundHandler((_request, reply) => send(reply, new Refusal('not_found')));
  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    const refusal = refusalOf(error);
    if (refusal === null) log.error({ err: error }, 'A request failed.');
    return send(reply, refusal ?? new Refusal('internal'));
  });
  return app;
}

/** CORS preflights of apps on other origins that send JSON. */
function allowPreflights(app: BrokerApp): void {
  for (const path of [
    '/api/identity/clients/pair/begin',
    '/api/identity/clients/pair/:requestId',
    '/api/identity/clients/:clientId/renew',
    '/api/identity/revocations',
  ]) {
    app.options(path, { config: { isForApps: true } }, (_request, reply) =>
      reply
        .headers({
          'access-control-allow-methods': 'GET, POST',
          'access-control-allow-headers': 'content-type, if-none-match',
          'access-control-max-age': '600',
        })
        .code(204)
        .send(),
    );
  }
}

function send(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status, body } = wireOf(refusal);
  const { retryAfterSeconds } = refusal.details;
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds);
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  return reply.code(status).send(body);
}

/** The refusal that a client sees; `null` = an internal failure. */
function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return null;
  const status = 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 413) return new Refusal('too_large');
  if (status === 415) return new Refusal('not_json');
  if (status < 400 || status >= 500) return null;
  return new Refusal('invalid_request', { message: `${error.message.slice(0, 300)}.` });
}
