import { AppError } from '../platform/errors.ts';
import type { HttpApp } from './http-app.ts';

/**
 * Refuses a request with two `Host` headers, as RFC 9112 (3.2) requires: a proxy in front may use
 * the other header, and so another server name than this server.
 */
export function refuseTwoHosts(app: HttpApp): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { rawHeaders } = request.raw;
    const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
    if (hosts.length < 2) done();
    else
      done(
        new AppError('invalid_request', { what: 'The request has two Host headers; send one.' }),
      );
  });
}
