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
 * link was made, or of a playback session as a part of the path, where it goes before a header. In an
 * `Authorization` header, where it could name another thing, such a token is invalid.
 */
export function takeLinks(app: HttpApp, read: LinkTokens['read']): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, query, params } = request;
    const { linked } = request.routeConfig;
    const given = linked === 'session' ? params : query;
    const { link } = given as { readonly link?: unknown };
    const { id } = params as { readonly id?: unknown };
    const token = typeof link === 'string' ? link : '';
    const claims = linked === undefined || link === undefined ? null : read(token);
    const isForThis = claims !== null && claims.kind === linked && claims.id === id;
    const isNamed = headers.authorization !== undefined;
    if (isForThis && (!isNamed || linked === 'session')) {
      headers.authorization = `Bearer ${token}`;
      headers['x-profile-id'] = claims.profileId;
    } else if (isNamed) {
      if (linkToken.test(headers.authorization ?? '')) delete headers.authorization;
    } else if (linked !== undefined && link !== undefined) throw notForThis();
    done();
  });
}

const notForThis = (): AppError =>
  new AppError('unauthenticated', {
    what: 'The link has expired, or was not made by this server for this path.',
  });
