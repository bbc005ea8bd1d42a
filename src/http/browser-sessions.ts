/**
 * Sessions of the server's own pages, in a cookie that no script can read. A browser adds cookies
 * to requests of other sites too, so a change with a cookie must also prove that it comes from a
 * page of this server: by its origin, and by a token that only such a page can read. A request with
 * an `Authorization` header needs neither, since browsers do not add that header by themselves.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors.ts';
import { addVary } from './delivery/vary.ts';
import type { HttpApp } from './http-app.ts';

export interface BrowserSessionsParts {
  /** The key of the CSRF tokens. */
  readonly csrfKey: Buffer;
  /** The address of the server for clients, if the operator set it. */
  readonly publicUrl: string | null;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The reply has a `sessionToken`, describes the viewer, or ends the session: cookies follow.
     */
    readonly session?: 'opens' | 'tells' | 'ends';
  }
  interface FastifyRequest {
    /** The token of the session cookie of the request. */
    cookieToken: string | null;
  }
}

/** The prefix makes browsers accept it only over https, for this host and all paths. */
const secureName = '__Host-vitrine';
/** For plain http, where browsers refuse the prefix. */
const plainName = 'vitrine';
const sessionToken = /^vts_[\w-]{43}$/;
const attributes = 'Path=/; HttpOnly; SameSite=Strict';
const lifetimeSeconds = 30 * 24 * 60 * 60;
const keptByClients = /^private, max-age=/;
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Reads credentials from cookies, and sets cookies when a session begins. */
export function keepBrowserSessions(app: HttpApp, parts: BrowserSessionsParts): void {
  const publicOrigin = parts.publicUrl === null ? null : new URL(parts.publicUrl).origin;
  const csrfTokenOf = (token: string): string =>
    createHmac('sha256', parts.csrfKey).update(token).digest('base64url');

  app.decorateRequest('cookieToken', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { access, session, knowsCaller } = request.routeConfig;
    if (session === 'opens' && wantsCookie(request)) assertOwnPage(request, publicOrigin);
    const { cookie, authorization } = request.headers;
    const usesCookie = access !== 'nobody' || knowsCaller === true;
    const isCookieOnly = authorization === undefined && usesCookie;
    const token = cookie !== undefined && isCookieOnly ? tokenIn(cookie, request.protocol) : null;
    if (token === null) {
      done();
      return;
    }
    if (!safeMethods.has(request.method) && access !== undefined) {
      assertOwnPage(request, publicOrigin);
      assertCsrfToken(request, csrfTokenOf(token));
    }
    request.cookieToken = token;
    request.headers.authorization = `Bearer ${token}`;
    done();
  });
  // What a browser keeps for one person is not given to the next one who signs in there.
  app.addHook('onSend', async (_request, reply, payload) => {
    if (!keptByClients.test(String(reply.getHeader('cache-control')))) return payload;
    for (const name of ['Cookie', 'Authorization']) addVary(reply, name);
    return payload;
  });
  app.addHook('onRoute', (route) => {
    switch (route.config?.session) {
      case 'opens':
        return void (route.preSerialization = hooks(route.preSerialization, opened));
      case 'tells':
        return void (route.preSerialization = hooks(route.preSerialization, renewed));
      case 'ends':
        return void (route.onSend = hooks(route.onSend, ended));
      case undefined:
    }
  });

  /** The token goes into the cookie, which scripts cannot read, and not into the body. */
  async function opened(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    if (!wantsCookie(request) || !isObject(payload) || reply.statusCode >= 400) return payload;
    const { sessionToken: token, ...rest } = payload;
    if (typeof token !== 'string') return payload;
    void reply.header('set-cookie', cookieOf(request, token));
    return { ...rest, csrfToken: csrfTokenOf(token) };
  }

  /** A session is extended while it is used, and its cookie with it. */
  async function renewed(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    const { cookieToken } = request;
    if (cookieToken === null || !isObject(payload) || reply.statusCode >= 400) return payload;
    void reply.header('set-cookie', cookieOf(request, cookieToken));
    return { ...payload, csrfToken: csrfTokenOf(cookieToken) };
  }

  async function ended(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    if (request.cookieToken !== null && reply.statusCode < 300)
      void reply.header('set-cookie', cookieOf(request, ''));
    return payload;
  }
}

/**
 * `X-Session: cookie` asks for a cookie; a page of another origin cannot send it without consent.
 */
const wantsCookie = ({ headers }: FastifyRequest): boolean => headers['x-session'] === 'cookie';

/** Requires a page of this server, if the browser states the origin; other clients state none. */
function assertOwnPage(request: FastifyRequest, publicOrigin: string | null): void {
  const { headers, protocol, host } = request;
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const isOwn = [undefined, `${protocol}://${host}`, publicOrigin].includes(origin);
  if (isOwn && (site === undefined || site === 'same-origin')) return;
  throw new AppError('csrf', {
    what: `A page of ${origin?.slice(0, 100) ?? 'another site'} sent this, but the address of the server is ${protocol}://${host.slice(0, 100)}. Behind a proxy, set --trusted-proxy or --public-url.`,
  });
}

function assertCsrfToken({ headers }: FastifyRequest, expected: string): void {
  const given = headers['x-csrf-token'];
  if (typeof given === 'string' && isSame(given, expected)) return;
  throw new AppError('csrf', {
    what: 'A change by cookie needs the header X-CSRF-Token with the csrfToken of GET /api/auth/me.',
  });
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Over https only the cookie with the prefix: another could have been set over plain http. */
function tokenIn(cookie: string, protocol: string): string | null {
  const name = `${nameFor(protocol)}=`;
  const found = cookie
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(name));
  const token = found?.slice(name.length) ?? '';
  return sessionToken.test(token) ? token : null;
}

const nameFor = (protocol: string): string => (protocol === 'https' ? secureName : plainName);

/** An empty token removes the cookie. */
function cookieOf({ protocol }: FastifyRequest, token: string): string {
  const age = token === '' ? 0 : lifetimeSeconds;
  const secure = protocol === 'https' ? '; Secure' : '';
  return `${nameFor(protocol)}=${token}; ${attributes}; Max-Age=${age}${secure}`;
}

function hooks<Hook>(before: Hook | Hook[] | undefined, hook: Hook): Hook[] {
  return [...(before === undefined ? [] : ([before].flat() as Hook[])), hook];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
