import type { HttpApp } from './http-app.ts';

/**
 * What every reply says to a browser: take nothing of this for a page, a script or a frame, and
 * keep nothing of it. A route that serves something else (a picture, a stream) sets its own.
 */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Sets them before anything else looks at the request, so refusals have them too. */
export function setSecurityHeaders(app: HttpApp): void {
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(securityHeaders);
    done();
  });
}
