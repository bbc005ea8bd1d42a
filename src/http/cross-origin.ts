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

/**
 * Lets pages of some other origins call the server; without any, it says nothing of origins at all.
 * Never with credentials: such a page sends its token in a header, and cookies are for the server's
 * own pages alone.
 */
export function allowOrigins(app: HttpApp, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const known: ReadonlySet<string> = new Set(origins);
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    // Whatever a cache keeps, it keeps by the origin that asked.
    void reply.header('vary', 'Origin');
    if (origin === undefined || !known.has(origin)) {
      done();
      return;
    }
    void reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposed,
      'cross-origin-resource-policy': 'cross-origin',
    });
    const isPreflight =
      request.method === 'OPTIONS' && request.headers['access-control-request-method'];
    if (isPreflight) void reply.code(204).headers(allowed).send();
    else done();
  });
}
