import { AppError } from '../platform/errors.ts';
import type { HttpApp } from './http-app.ts';

/** Headers that decide which server is meant, and who asks. A browser and a proxy send each once. */
const single: readonly string[] = [
  ...['Host', 'Authorization', 'Cookie', 'Origin', 'Sec-Fetch-Site'],
  ...['X-Profile-Id', 'X-CSRF-Token', 'X-Session'],
];

/**
 * Refuses a request with two headers of a name that decides who asks, as RFC 9112 (3.2) requires for
 * `Host`: a proxy in front may believe the other one.
 */
export function refuseDuplicates(app: HttpApp): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { rawHeaders } = request.raw;
    const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
    const isTwice = (name: string): boolean =>
      names.indexOf(name.toLowerCase()) !== names.lastIndexOf(name.toLowerCase());
    const twice = single.find(isTwice);
    if (twice === undefined) done();
    else
      done(
        new AppError('invalid_request', {
          what: `The request has two ${twice} headers; send one.`,
        }),
      );
  });
}
