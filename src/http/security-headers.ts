import type { HttpApp } from './http-app.ts';

/**
 * Headers that tell browsers not to treat a reply as a page, script or frame, and not to store it.
 * A route that serves other content (a picture, a stream) sets its own.
 */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Sets them in the first hook, so that refusals have them too. */
export function setSecurityHeaders(app: HttpApp): void {
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(securityHeaders);
    done();
  });
}
