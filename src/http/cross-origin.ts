import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpApp } from './http-app.ts';

/** What pages of other origins may send and read. */
const allowed = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, x-profile-id, last-event-id, range, if-range, if-none-match',
  'access-control-max-age': '600',
};
const exposed =
  'content-length, content-range, content-disposition, accept-ranges, etag, last-modified, retry-after';

/** Origins of apps: every one, or these. */
export type AppOrigins = '*' | ReadonlySet<string>;

/** Whose pages may call the server. */
export interface CrossOriginParts {
  /** Pages of the operator's own, at any route. */
  readonly origins: readonly string[];
  /** Apps of identities; asked at each request, since it may depend on whether there are any. */
  readonly appOrigins: () => AppOrigins;
}

/**
 * Lets pages of other origins call the server: those that the operator named, and apps that come with a
 * token of their own. Never with credentials: a cookie is for the server's own pages alone, and what is
 * answered to one is no app's to read. The few routes at which an app of an identity signs in are open
 * to every origin, since there is nothing behind them but what the app itself brings.
 */
export function allowOrigins(app: HttpApp, { origins, appOrigins }: CrossOriginParts): void {
  const known: ReadonlySet<string> = new Set(origins);
  const signingIn = new Set<string>();
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.isForApps === true) signingIn.add(url);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const apps = appOrigins();
    const origin = originFor(request, apps);
    // Whatever a cache keeps, it keeps by the origin that asked.
    if (known.size > 0 || (apps !== '*' && apps.size > 0)) void reply.header('vary', 'Origin');
    if (origin === null) {
      done();
      return;
    }
    void reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposed,
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (isPreflight(request)) void preflight(reply);
    else done();
  });

  /** The origin that may read the answer; `null` = none but the server's own. */
  function originFor(request: FastifyRequest, apps: AppOrigins): string | null {
    const { origin, cookie } = request.headers;
    if (origin !== undefined && known.has(origin)) return origin;
    if (signingIn.has(pathOf(request))) return '*';
    if (apps !== '*' && (origin === undefined || !apps.has(origin))) return null;
    if (!request.url.startsWith('/api/') || cookie !== undefined || !bringsToken(request))
      return null;
    return apps === '*' ? '*' : (origin ?? null);
  }
}

function pathOf({ url }: FastifyRequest): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** A token in the header or in a link to media; a preflight is about one that is yet to come. */
const bringsToken = (request: FastifyRequest): boolean =>
  /^Bearer /i.test(request.headers.authorization ?? '') ||
  (request.query as { readonly link?: unknown }).link !== undefined ||
  isPreflight(request);

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

const preflight = (reply: FastifyReply): FastifyReply => reply.code(204).headers(allowed).send();
