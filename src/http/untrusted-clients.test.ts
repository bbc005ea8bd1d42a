/** How the server treats unknown clients, over real sockets: bytes that no client library sends. */
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Type } from '@sinclair/typebox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp } from '../../test/support/servers/http.ts';
import { requestOrigin } from '../platform/audit/index.ts';
import type { HttpSecurity } from './app.ts';
import type { HttpApp, Mount } from './http-app.ts';
import { Body, NoContent, Nullable } from '../contract/resources/schema-parts.ts';

const Seen = Type.Object({
  address: Nullable(Type.String()),
  protocol: Type.String(),
  host: Type.String(),
});

const routes: Mount = (app) => {
  const response = { 200: Seen };
  const body = Body({ name: Type.Optional(Type.String()) });
  app.get(
    '/api/seen',
    { config: { access: 'nobody' }, schema: { summary: 'Seen', response } },
    async ({ protocol, host }) => ({ address: requestOrigin()?.address ?? null, protocol, host }),
  );
  app.post(
    '/api/seen',
    { config: { access: 'nobody' }, schema: { summary: 'Seen', body, response } },
    async ({ protocol, host }) => ({ address: requestOrigin()?.address ?? null, protocol, host }),
  );
  app.delete(
    '/api/things/all',
    { config: { access: 'admin' }, schema: { summary: 'Gone', response: { 204: NoContent } } },
    async (_request, reply) => reply.code(204).send(),
  );
};

async function open(security: Partial<HttpSecurity> = {}): Promise<HttpApp> {
  const app = await createTestApp([routes], {
    security: {
      trustedProxies: [],
      corsOrigins: [],
      connectionsPerAddress: 0,
      csrfKey: Buffer.alloc(32),
      readLink: () => null,
      publicUrl: null,
      ...security,
    },
  });
  onTestFinished(() => app.close());
  return app;
}

const forwarded = {
  'x-forwarded-for': '198.51.100.9, 203.0.113.5',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'films.example.org',
};

describe('a body above the limit', () => {
  test.each([
    ['with its length', (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`],
    [
      'in a chunk',
      (body: string) =>
        `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ],
  ])('%s is answered when the client has sent it', async (_name, framed) => {
    const head = 'POST /api/seen HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const heard = await sentWhole(await open(), head + framed('x'.repeat(16 * 1024 ** 2)));

    expect(heard).toContain('HTTP/1.1 413 ');
    expect(heard).toContain('{"error":"The body is above 1 MiB."}');
  });
});

describe('a forwarded header', () => {
  const seen = async (app: HttpApp, remoteAddress: string, headers: Record<string, string>) =>
    (await app.inject({ url: '/api/seen', remoteAddress, headers })).json<unknown>();

  test('changes nothing when it is not from a trusted proxy', async () => {
    const nothing = { address: '192.0.2.1', protocol: 'http', host: 'localhost:80' };
    expect(await seen(await open(), '192.0.2.1', forwarded)).toEqual(nothing);
    const app = await open({ trustedProxies: ['192.0.2.2', '10.0.0.0/8', 'fd00::/8'] });
    expect(await seen(app, '192.0.2.1', forwarded)).toEqual(nothing);
  });

  test.each(['192.0.2.2', '10.1.2.3', 'fd00::7', '::ffff:10.1.2.3'])(
    'from the trusted proxy %s gives the client that the proxy saw, not one that the client made up',
    async (proxy) => {
      const app = await open({ trustedProxies: ['192.0.2.2', '10.0.0.0/8', 'fd00::/8'] });

      expect(await seen(app, proxy, forwarded)).toEqual({
        address: '203.0.113.5',
        protocol: 'https',
        host: 'films.example.org',
      });
    },
  );

  test('with text that is not an address leaves the proxy as the client', async () => {
    const app = await open({ trustedProxies: ['192.0.2.2'] });
    const headers = { 'x-forwarded-for': 'unknown, <script>' };

    expect(await seen(app, '192.0.2.2', headers)).toMatchObject({ address: '192.0.2.2' });
  });

  test('of IPv4 inside IPv6 is read as IPv4, also while a body arrives', async () => {
    const app = await open();
    const reply = await app.inject({
      method: 'POST',
      url: '/api/seen',
      remoteAddress: '::ffff:192.0.2.1',
      payload: { name: 'x' },
    });

    expect(reply.json()).toMatchObject({ address: '192.0.2.1' });
  });
});

describe('a page of another origin', () => {
  const origin = 'https://app.example.org';
  const preflight = { origin, 'access-control-request-method': 'DELETE' };
  const ask = async (app: HttpApp, headers: Record<string, string>, method: 'GET' | 'OPTIONS') => {
    const reply = await app.inject({ method, url: '/api/seen', headers });
    const named = Object.entries(reply.headers).filter(([name]) => name.startsWith('access-'));
    return { status: reply.statusCode, ...Object.fromEntries(named), vary: reply.headers.vary };
  };

  test('may not call a server that names none', async () => {
    const app = await open();
    expect(await ask(app, preflight, 'OPTIONS')).toEqual({ status: 404, vary: undefined });
    expect(await ask(app, { origin }, 'GET')).toEqual({ status: 200, vary: undefined });
  });

  test('that is named may call it, without cookies', async () => {
    const app = await open({ corsOrigins: [origin] });

    expect(await ask(app, preflight, 'OPTIONS')).toEqual({
      status: 204,
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': expect.stringContaining('authorization'),
      'access-control-expose-headers': expect.stringContaining('content-range'),
      'access-control-max-age': '600',
      vary: 'Origin',
    });
    expect(await ask(app, { origin }, 'GET')).toMatchObject({
      'access-control-allow-origin': origin,
    });
  });

  test.each(['https://evil.example', 'null', 'https://app.example.org.evil.example', `${origin}/`])(
    'that is %s is not allowed',
    async (other) => {
      const app = await open({ corsOrigins: [origin] });

      expect(await ask(app, { ...preflight, origin: other }, 'OPTIONS')).toEqual({
        status: 404,
        vary: 'Origin',
      });
    },
  );
});

describe('a path in another spelling', () => {
  test.each([
    '//api/things/all',
    '/api//things/all',
    '/api/things/all/',
    '/api/things/ALL',
    '/API/things/all',
    '/api/things%2fall',
    '/api/things/./all',
    '/api/x/../things/all',
    '/api/things;a=b/all',
    '/api/things/all%00',
    '/api/things/all%20',
    '/api\\things\\all',
  ])('as %s is another path, for an admin and for a client without credential', async (path) => {
    const app = await open();
    for (const headers of [bearer('admin'), {}]) {
      const reply = await rawReply(app, `DELETE ${path} HTTP/1.1`, headers);
      expect({ path, status: reply.status }).not.toMatchObject({ status: 204 });
      expect([400, 404]).toContain(reply.status);
    }
  });

  test('with another method is not let in', async () => {
    const app = await open();
    for (const method of ['HEAD', 'OPTIONS', 'GET', 'POST', 'PROPFIND', 'TRACE']) {
      const { status } = await rawReply(app, `${method} /api/things/all HTTP/1.1`);
      expect({ method, status }).toEqual({ method, status: 404 });
    }
    const override = { 'x-http-method-override': 'DELETE' };
    expect((await rawReply(app, 'POST /api/things/all HTTP/1.1', override)).status).toBe(404);
  });
});

describe('input that is not a request', () => {
  test.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 5'],
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked'],
    ['a coding that hides the chunks', 'Transfer-Encoding: chunked, identity'],
    ['an invalid length', 'Content-Length: +5'],
    ['a header with a space before its colon', 'Content-Length : 5'],
    ['a folded header', 'X-A: b\r\n c'],
    ['a NUL in a header', 'X-A: \0'],
    ['a bare line feed that hides a header', 'X-A: b\nTransfer-Encoding : chunked'],
  ])('%s is refused, and what follows is not read', async (_what, header) => {
    const app = await open();
    const smuggled = 'GET /api/seen HTTP/1.1\r\nHost: x\r\n\r\n';
    const text = await raw(
      app,
      `POST /api/seen HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${header}\r\n\r\n0\r\n\r\n${smuggled}`,
    );

    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(text).toContain('{"error":"The request is not valid HTTP."}');
    expect(text).toContain('connection: close');
    expect(text).toContain('x-content-type-options: nosniff');
  });

  test.each([
    ['headers above 16 KiB', `X-A: ${'a'.repeat(20_000)}`, 431],
    ['an expectation', 'Expect: the-impossible', 417],
  ])('%s has the form of every failure', async (_what, header, status) => {
    const text = await raw(await open(), `GET /api/seen HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`);

    expect(text).toContain(`HTTP/1.1 ${status}`);
    expect(text).toMatch(/\r\n\r\n\{"error":"[^"]+"\}$/);
  });
});

describe('connections of one address', () => {
  test('above the limit are closed, and there is room again when some are closed', async () => {
    const app = await open({ connectionsPerAddress: 3 });
    const port = await listen(app);
    const sockets = [await opened(port), await opened(port), await opened(port)];
    expect(sockets.every((one) => one !== null)).toBe(true);
    expect(await opened(port)).toBeNull();

    const [first] = sockets;
    first?.destroy();
    await new Promise((resolve) => first?.once('close', resolve));
    let again: Socket | null = null;
    while (again === null) again = await opened(port);
    for (const one of [...sockets, again]) one?.destroy();
  });

  test('of a trusted proxy have no limit', async () => {
    const app = await open({ connectionsPerAddress: 1, trustedProxies: ['127.0.0.1'] });
    const port = await listen(app);
    const sockets = [await opened(port), await opened(port), await opened(port)];

    expect(sockets.every((one) => one !== null)).toBe(true);
    for (const one of sockets) one?.destroy();
  });
});

describe('a request with two headers of which a proxy may believe the other one', () => {
  test.each([
    ['Authorization', 'Authorization: Bearer user\r\nauthorization: Bearer admin'],
    ['Cookie', 'Cookie: vitrine=a\r\ncookie: vitrine=b'],
    ['Origin', 'Origin: https://a.example\r\nOrigin: https://b.example'],
    ['Sec-Fetch-Site', 'Sec-Fetch-Site: same-origin\r\nsec-fetch-site: cross-site'],
    ['X-Profile-Id', 'X-Profile-Id: a\r\nX-PROFILE-ID: b'],
    ['X-CSRF-Token', 'X-CSRF-Token: a\r\nX-Other: 1\r\nX-CSRF-Token: a'],
    ['X-Session', 'X-Session: cookie\r\nX-Session: none'],
  ])('is refused, for %s', async (name, headers) => {
    const app = await open();

    const text = await raw(
      app,
      `GET /api/seen HTTP/1.1\r\nHost: x\r\n${headers}\r\nConnection: close\r\n\r\n`,
    );

    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain(`The request has two ${name} headers; send one.`);
  });
});

describe('a request with two Host headers', () => {
  test.each(['Host: x\r\nhost: y', 'Host: x\r\nX-Other: 1\r\nHOST: x'])(
    'is refused, as a proxy may believe the other one: %j',
    async (hosts) => {
      const app = await open();

      const text = await raw(
        app,
        `GET /api/seen HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`,
      );

      expect(text).toMatch(/^HTTP\/1\.1 400 /);
      expect(text).toContain('The request has two Host headers; send one.');
    },
  );
});

/** Sends bytes to the last one before it reads, as many clients do; `null` = the connection broke. */
async function sentWhole(app: HttpApp, text: string): Promise<string | null> {
  const socket = connect(await listen(app), '127.0.0.1').pause();
  return new Promise((resolve) => {
    let heard = '';
    socket.setEncoding('latin1').on('error', () => resolve(null));
    socket.on('data', (part: string) => (heard += part)).on('end', () => resolve(heard));
    socket.write(text, 'latin1', () => socket.resume());
  });
}

async function listen(app: HttpApp): Promise<number> {
  if (app.server.listening) return (app.server.address() as AddressInfo).port;
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

/** A connection on which a request was answered; `null` when it was closed. */
function opened(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => resolve(null)).on('close', () => resolve(null));
    socket.once('data', () => resolve(socket));
    socket.write('GET /api/seen HTTP/1.1\r\nHost: x\r\n\r\n');
  });
}

/** Sends bytes and gives all that comes back until the connection ends. */
async function raw(app: HttpApp, text: string): Promise<string> {
  const port = await listen(app);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    const end = () => {
      socket.destroy();
      resolve(heard);
    };
    socket.setEncoding('latin1').on('data', (part: string) => (heard += part));
    socket.on('end', end).on('error', end).on('close', end);
    socket.write(text, 'latin1');
  });
}

async function rawReply(app: HttpApp, line: string, headers: Record<string, string> = {}) {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = await raw(app, `${line}\r\nHost: x\r\nConnection: close\r\n${more.join('')}\r\n`);
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text };
}
