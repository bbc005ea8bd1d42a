/**
 * With what a WebSocket may be opened. A page cannot set headers for one, and the address must hold no
 * secret, since it ends up in logs. So a page tells its token as a subprotocol beside the one that is
 * spoken, or in its first message. And since a browser lets pages of every origin open WebSockets, the
 * origin is looked at here: what a page may not read by a request, it does not hear through one.
 */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
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

/** Reads credentials out of subprotocols, and refuses pages of strange origins. */
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

/** A token moves from its subprotocol to where tokens are looked for, and is seen nowhere else. */
function readProtocols({ headers }: FastifyRequest): void {
  const offered = protocolsOf(headers['sec-websocket-protocol']);
  const told = (start: string): string | undefined =>
    offered.find((one) => one.startsWith(start))?.slice(start.length);
  const token = told(tokenProtocol);
  const profileId = told(profileProtocol);
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

/** Whether the client speaks the protocol in which the first message can be `auth`. */
export const speaksEvents = ({ headers }: FastifyRequest): boolean =>
  protocolsOf(headers['sec-websocket-protocol']).includes(eventsProtocol);
