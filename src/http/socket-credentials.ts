/**
 * Credentials of WebSockets. A page cannot set headers for one, and the address must not contain a
 * secret, since it ends up in logs. So a page sends its token as a second subprotocol, or in its
 * first message. Browsers let pages of every origin open WebSockets, so the origin is checked here:
 * a page that may not read a reply may not open a WebSocket either.
 */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors.ts';
import type { AppOrigins } from './cross-origin.ts';
import type { HttpApp } from './http-app.ts';

/** The subprotocol of the server's WebSocket. */
export const eventsProtocol = 'vitrine.v1';
const tokenProtocol = 'vitrine.token.';
const profileProtocol = 'vitrine.profile.';

/** Whose pages may open WebSockets. */
export interface SocketCredentialsParts {
  readonly publicUrl: string | null;
  readonly origins: readonly string[];
  readonly appOrigins: () => AppOrigins;
}

/** Reads credentials from subprotocols, and refuses pages of other origins. */
export function takeSocketCredentials(app: HttpApp, parts: SocketCredentialsParts): void {
  const own = parts.publicUrl === null ? null : new URL(parts.publicUrl).origin;
  const known: ReadonlySet<string> = new Set(parts.origins);

  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.upgrade === undefined || !app.upgradeOf(request)) {
      done();
      return;
    }
    readProtocols(request);
    done(mayOpen(request) ? undefined : strange(request));
  });

  function mayOpen({ headers, protocol, host }: FastifyRequest): boolean {
    const { origin, cookie, authorization } = headers;
    if (origin === undefined || origin === `${protocol}://${host}` || origin === own) return true;
    if (known.has(origin)) return cookie === undefined || authorization !== undefined;
    const apps = parts.appOrigins();
    return cookie === undefined && (apps === '*' || apps.has(origin));
  }
}

const strange = ({ headers }: FastifyRequest): AppError =>
  new AppError('csrf', {
    what: `A page of ${headers.origin?.slice(0, 100) ?? ''} may not open this. Behind a proxy, set --trusted-proxy or --public-url; for apps see --app-origin.`,
  });

/** Moves a token from its subprotocol to the header, so that no other code sees it. */
function readProtocols({ headers }: FastifyRequest): void {
  const offered = protocolsOf(headers['sec-websocket-protocol']);
  const tokenAfter = (start: string): string | undefined =>
    offered.find((one) => one.startsWith(start))?.slice(start.length);
  const token = tokenAfter(tokenProtocol);
  const profileId = tokenAfter(profileProtocol);
  if (token !== undefined && headers.authorization === undefined)
    headers.authorization = `Bearer ${token}`;
  if (profileId !== undefined && headers['x-profile-id'] === undefined)
    headers['x-profile-id'] = profileId;
  const rest = offered.filter(
    (one) => !one.startsWith(tokenProtocol) && !one.startsWith(profileProtocol),
  );
  if (rest.length === 0) delete headers['sec-websocket-protocol'];
  else headers['sec-websocket-protocol'] = rest.join(', ');
}

const protocolsOf = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** Whether the client uses the protocol in which the first message may be `auth`. */
export const speaksEvents = ({ headers }: FastifyRequest): boolean =>
  protocolsOf(headers['sec-websocket-protocol']).includes(eventsProtocol);
