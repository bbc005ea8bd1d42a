import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpApp } from './http-app.ts';

/** What pages of other origins may send and read. */
const allowed = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, x-profile-id, x-vitrine-change, last-event-id, range, if-range, if-none-match',
  'access-control-max-age': '600',
};
const exposed =
  'content-length, content-range, content-disposition, accept-ranges, etag, last-modified, retry-after, x-vitrine-change';

/** Origins of apps: all, or these. */
export type AppOrigins = '*' | ReadonlySet<string>;

/** Whose pages may call the server. */
export interface CrossOriginParts {
  /** Pages that the operator named, at any route. */
  readonly origins: readonly string[];
  /**
   * Apps of identities. It is called at each request, since it depends on whether there are links.
   */
  readonly appOrigins: () => AppOrigins;
}

/**
 * Lets pages of other origins call the server: those that the operator named, and apps that send a
 * token of their own. Never with credentials: the cookie is for the server's own pages, and other
 * pages must not read answers to it. The few routes at which an app of an identity signs in are
 * open to every origin, since they give nothing without what the app itself sends.
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
    // A cache must store answers by origin.
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

  /** The origin that may read the answer; `null` = only the server's own. */
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

/** A token in the header or in a link to media; a preflight announces the header. */
const bringsToken = (request: FastifyRequest): boolean =>
  /^Bearer /i.test(request.headers.authorization ?? '') ||
  (request.query as { readonly link?: unknown }).link !== undefined ||
  isPreflight(request);

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

const preflight = (reply: FastifyReply): FastifyReply => reply.code(204).headers(allowed).send();
