import type { LinkedMedia, LinkTokens } from '../people/credentials/index.ts';
import { AppError } from '../platform/errors.ts';
import type { HttpApp } from './http-app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A link to this kind of thing opens the route, for the thing in its path. */
    readonly linked?: LinkedMedia['kind'];
  }
}

const linkToken = /^Bearer +vtl_/i;

/**
 * The only place that accepts the tokens of links: `?link=` on the path of the thing for which the
 * link was made. In an `Authorization` header, where it could name another thing, such a token is
 * invalid.
 */
export function takeLinks(app: HttpApp, read: LinkTokens['read']): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, query, params } = request;
    const { linked } = request.routeConfig;
    const { link } = query as { readonly link?: unknown };
    if (headers.authorization !== undefined) {
      if (linkToken.test(headers.authorization)) delete headers.authorization;
    } else if (linked !== undefined && link !== undefined) {
      const token = typeof link === 'string' ? link : '';
      const claims = read(token);
      const { id } = params as { readonly id?: unknown };
      if (claims?.kind !== linked || claims.id !== id) throw notForThis();
      headers.authorization = `Bearer ${token}`;
      headers['x-profile-id'] = claims.profileId;
    }
    done();
  });
}

const notForThis = (): AppError =>
  new AppError('unauthenticated', {
    what: 'The link has expired, or was not made by this server for this path.',
  });
