/** Requests that are too many, too slow or too large are refused before they cost anything. */
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Type } from '@sinclair/typebox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bearer, createTestApp } from '../../test/support/servers/http.ts';
import type { Excess } from '../operations/load-watch.ts';
import { mount, type HttpApp } from './http-app.ts';
import { Body } from '../contract/resources/schema-parts.ts';

const ok = Type.Object({ ok: Type.Boolean() });

let app: HttpApp;
let port: number;
let excess: Excess | null;
let hold: Promise<unknown>;
let held: number;
const sockets: Socket[] = [];

beforeAll(async () => {
  app = await createTestApp(
    [
      mount(async (routes) => {
        const schema = { summary: 'A route', response: { 200: ok } };
        routes.get('/api/health', {
          config: { access: 'nobody', answersAlways: true },
          schema,
          handler: async () => ({ ok: true }),
        });
        routes.get('/api/slow', {
          config: { access: 'nobody' },
          schema,
          handler: async () => {
            held += 1;
            await hold;
            return { ok: true };
          },
        });
        routes.post('/api/things', {
          config: { access: 'guest' },
          schema: { ...schema, body: Body({ text: Type.String() }) },
          handler: async () => ({ ok: true }),
        });
      }, {}),
    ],
    {
      excess: () => excess,
      limits: {
        ...{ requests: 3, bodyBytes: 1_500_000 },
        ...{ headersMs: 300, requestMs: 600, looksEveryMs: 50 },
      },
    },
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});

beforeEach(() => {
  excess = null;
  hold = Promise.resolve();
  held = 0;
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

afterAll(() => app.close());

const get = (route: string) => fetch(`http://127.0.0.1:${port}${route}`);

/** Sends these bytes, and gives the answer once the server closes the connection. */
async function exchange(text: string): Promise<{ readonly socket: Socket; readonly all: string }> {
  const socket = await open(text);
  let all = '';
  socket.on('data', (part: Buffer) => (all += part.toString()));
  await once(socket, 'close');
  return { socket, all };
}

async function open(text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const post = (headers: string): string =>
  `POST /api/things HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}\r\n`;

describe('an overloaded server', () => {
  test.each(['memory', 'delay'] as const)(
    'answers 503 with Retry-After for %s, and still answers health checks',
    async (why) => {
      excess = why;

      const reply = await get('/api/slow');
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await reply.json()).toMatchObject({ code: 'overloaded' });
      expect((await get('/api/health')).status).toBe(200);
    },
  );

  test('accepts a limited number of requests at a time, and the next when one has ended', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    hold = promise;
    const under = [get('/api/slow'), get('/api/slow'), get('/api/slow')];
    await expect.poll(() => held).toBe(3);

    expect((await get('/api/slow')).status).toBe(503);
    expect((await get('/api/health')).status).toBe(200);
    resolve(undefined);
    for (const reply of await Promise.all(under)) expect(reply.status).toBe(200);
    expect((await get('/api/slow')).status).toBe(200);
  });

  test('accepts a limited number of bytes of bodies at a time, with and without a stated length', async () => {
    const authorization = `authorization: ${bearer('guest').authorization}\r\n`;
    await open(post(`${authorization}transfer-encoding: chunked\r\n`));
    // The server has seen the first one once a later request is answered.
    await get('/api/health');

    const { all } = await exchange(post(`${authorization}content-length: 900000\r\n`));
    expect(all).toMatch(/^HTTP\/1.1 503 /);
    const small = await exchange(
      post(`${authorization}connection: close\r\ncontent-length: 13\r\n`) +
        '{"text":"one"}'.slice(1),
    );
    expect(small.all).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('a slow request', () => {
  test('is cut off when its headers take too long, with 408', async () => {
    const { all } = await exchange('GET /api/health HTTP/1.1\r\nhost: x\r\nx-slow: ');
    expect(all).toMatch(/^HTTP\/1.1 408 /);
  });

  test('is cut off when its body takes too long, with 408', async () => {
    const authorization = `authorization: ${bearer('guest').authorization}\r\n`;
    const { all } = await exchange(`${post(`${authorization}content-length: 100\r\n`)}{"text`);
    expect(all).toMatch(/^HTTP\/1.1 408 /);
  });
});

describe('a body that is huge', () => {
  test('is not read when its stated length is too large: the connection ends', async () => {
    const authorization = `authorization: ${bearer('guest').authorization}\r\n`;
    const { all } = await exchange(post(`${authorization}content-length: 99000000000\r\n`));
    expect(all).toMatch(/^HTTP\/1.1 413 /);
  });

  test('is not read when its sender is refused: the connection ends', async () => {
    const { all, socket } = await exchange(`${post('content-length: 99000000000\r\n')}{"text":"`);
    expect(all).toMatch(/^HTTP\/1.1 401 /);
    expect(all).toMatch(/\r\nconnection: close\r\n/i);
    expect(socket.destroyed).toBe(true);
  });
});
