import type { LinkedMedia, LinkTokens } from '../accounts/index.ts';
import { AppError } from '../errors.ts';
import type { HttpApp } from './http-app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A link to this kind of thing opens the route, for the thing that its path names. */
    readonly linked?: LinkedMedia['kind'];
  }
}

const linkToken = /^Bearer +vtl_/i;

/**
 * The only door for the tokens of links: `?link=` on the path of the very thing that it was made for.
 * In an `Authorization` header, where it could stand for another thing, a token of a link is nothing.
 */
export function takeLinks(app: HttpApp, read: LinkTokens['read']): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, query, params } = request;
    if (headers.authorization !== undefined) {
      if (linkToken.test(headers.authorization)) delete headers.authorization;
      return done();
    }
    const { linked } = request.routeOptions.config;
    if (linked === undefined) return done();
    const { link } = query as { readonly link?: unknown };
    if (link === undefined) return done();
    const claims = typeof link === 'string' ? read(link) : null;
    const { id } = params as { readonly id?: unknown };
    if (claims?.kind !== linked || claims.id !== id) {
      throw new AppError('unauthenticated', {
        what: 'The link has expired, or was not made by this server for this path.',
      });
    }
    headers.authorization = `Bearer ${String(link)}`;
    headers['x-profile-id'] = claims.profileId;
    done();
  });
}
