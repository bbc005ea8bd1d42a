/** The internal port, as somebody in its network tries it. */
import { randomBytes } from 'node:crypto';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { createAskServer } from './ask-server.ts';
import { openInternalPort, type InternalPort } from './internal-port.ts';
import { signRequest } from './request-signature.ts';

const key = randomBytes(32);
const work = 'ab'.repeat(32);
const blob = `/v1/blobs/trickplay/${work}`;
const segment = `/v1/heads/${work}/0-1000000/session-1`;
const asked: unknown[] = [];
let nowMs = 1_800_000_000_000;
const now = (): number => nowMs;
let port: InternalPort;
let other: InternalPort;

const open = (): Promise<InternalPort> =>
  openInternalPort({
    ...{ key, now, host: '127.0.0.1', port: 0, log: silentLog },
    addressOf: (bound) => `127.0.0.1:${bound}`,
    routes: {
      health: () => 'server-1',
      segment: async (wanted) => {
        asked.push(wanted);
        return wanted.name === 'init' ? null : Buffer.from('the bytes of a segment');
      },
      begin: async (body) => {
        asked.push(String(body));
        return Buffer.from('begun');
      },
      blob: async (wanted) => {
        asked.push(wanted);
        return Buffer.from(`of ${wanted.kind}`);
      },
    },
  });

beforeAll(async () => {
  [port, other] = [await open(), await open()];
});
afterAll(async () => {
  await port.close();
  await other.close();
});

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly to?: string;
}

function send(
  signature: string | null,
  sent: Sent = {},
): Promise<{
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}> {
  const { method = 'GET', path = segment, headers = {}, body, to = port.address } = sent;
  const [hostname, number] = to.split(':');
  return new Promise((resolve, reject) => {
    const signed = signature === null ? {} : { 'x-vitrine-signature': signature };
    const out = request(
      { method, path, hostname, port: number, headers: { ...headers, ...signed } },
      (reply) => {
        let text = '';
        reply.on('data', (part: Buffer) => (text += part.toString()));
        reply.on('end', () =>
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: text }),
        );
      },
    );
    out.on('error', reject);
    out.end(body);
  });
}

const signed = (sent: Sent = {}, with_ = key): string =>
  signRequest(
    { key: with_, now },
    {
      method: sent.method ?? 'GET',
      path: sent.path ?? segment,
      body: sent.body ?? Buffer.alloc(0),
      to: sent.to ?? port.address,
    },
    randomBytes,
  );

describe('the internal port', () => {
  test('answers another server, which knows the answer as one of its own', async () => {
    const ask = createAskServer({ key, now });

    expect(String(await ask.get(port.address, segment, 5000))).toBe('the bytes of a segment');
    expect(String(await ask.get(port.address, '/v1/health', 5000))).toBe('server-1');
    expect(await ask.get(port.address, `/v1/heads/${work}/init/s`, 5000)).toBeNull();
    expect(String(await ask.get(port.address, blob, 5000))).toBe('of trickplay');
    const body = Buffer.from('{"what":"to begin"}');
    expect(String(await ask.post(port.address, '/v1/heads', 5000, body))).toBe('begun');
    expect(asked.at(-1)).toBe('{"what":"to begin"}');
    const stranger = createAskServer({ key: randomBytes(32), now });
    expect(await stranger.get(port.address, segment, 5000)).toBeNull();
    ask.close();
    stranger.close();
  });

  test.each<[string, () => Promise<string | null>]>([
    ['no signature', async () => null],
    ['an empty one', async () => ''],
    ['one that is none', async () => 'a'.repeat(5000).slice(0, 3000)],
    ['one of another key', async () => signed({}, randomBytes(32))],
    ['one of another path', async () => signed({ path: '/v1/health' })],
    ['one of another method', async () => signed({ method: 'POST' })],
    ['one of a body that is not sent', async () => signed({ body: Buffer.from('x') })],
    ['one for another server', async () => signed({ to: other.address })],
    ['one whose moment was changed', async () => signed().replace(/^\d+/, String(now() + 1))],
    ['one whose number was changed', async () => signed().replace(/\.[\w-]/, '.~')],
  ])('refuses a request with %s, and says nothing', async (_, signature) => {
    const before = asked.length;

    const { status, body, headers } = await send(await signature());

    expect([status, body, headers['x-vitrine-signature']]).toEqual([401, '', undefined]);
    expect(asked.length).toBe(before);
  });

  test.each<[string, Sent, Buffer | undefined]>([
    ['a body that was changed', { body: Buffer.from('{"a":1}') }, Buffer.from('{"a":2}')],
    ['a body that was left out', { body: Buffer.from('{"a":1}') }, undefined],
    ['the signature of a read', { method: 'GET' }, undefined],
  ])('begins nothing for %s', async (_, signs, body) => {
    const before = asked.length;
    const request = { method: 'POST', path: '/v1/heads' };

    const reply = await send(signed({ ...request, ...signs }), {
      ...request,
      ...(body !== undefined && { body }),
    });

    expect([reply.status, reply.body, asked.length]).toEqual([401, '', before]);
  });

  test('refuses a signature that is more than a minute old, or early', async () => {
    const [old, usable, early] = [signed(), signed(), signed()];
    nowMs += 59_000;
    const stillGood = await send(usable);
    nowMs += 2000;
    const tooOld = await send(old);
    nowMs -= 61_000 + 61_000;
    const tooEarly = await send(early);
    nowMs += 61_000;

    expect([stillGood.status, tooOld.status, tooEarly.status]).toEqual([200, 401, 401]);
  });

  test('takes each signature once, also of many that come at once', async () => {
    const signature = signed();

    const replies = await Promise.all(Array.from({ length: 20 }, () => send(signature)));
    nowMs += 30_000;
    const later = await send(signature);

    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(later.status).toBe(401);
  });

  test.each([
    '/',
    '/api/health',
    '/v1/',
    '/v1/health/',
    '/v1/health?x',
    '/v1/heads',
    '/v1/../v1/health',
    '/v1/%68ealth',
    '//v1/health',
    `/v1/heads/${work}/0-1000000/session-1/..`,
    `/v1/heads/${work}/../init/s`,
    `/v1/heads/${work}/..%2finit/s`,
    `/v1/heads/${work.toUpperCase()}/init/s`,
    `/v1/heads/${work}/0-1e9/s`,
    '/v1/blobs',
    `/v1/blobs/backups/${work}`,
    `/v1/blobs/trickplay/${work}/`,
    `/v1/blobs/trickplay/../conversions/${work}`,
    `/v1/blobs/trickplay/${work.toUpperCase()}`,
    '/v1/blobs/trickplay/..%2f..%2fserver.key',
    '/v1/blobs/trickplay/server.key',
    `/v1/heads/${work}/init/${'s'.repeat(41)}`,
    'http://127.0.0.1/v1/health',
  ])('has no route %s, also for another server', async (path) => {
    const { status, body } = await send(signed({ path }), { path });

    expect([status, body]).toEqual([404, '']);
  });

  test.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'])(
    'has no method %s',
    async (method) => {
      const routes = ['/v1/health', segment, blob, ...(method === 'POST' ? [] : ['/v1/heads'])];
      for (const path of routes)
        expect((await send(signed({ method, path }), { method, path })).status).toBe(404);
    },
  );

  test.each([
    { origin: 'http://vitrine.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-mode': 'no-cors' },
    { referer: 'http://vitrine.example/' },
    { cookie: 'a=b' },
  ])('answers no browser: %j', async (headers) => {
    const reply = await send(signed(), { headers });

    expect([reply.status, reply.body]).toEqual([403, '']);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-'))).toEqual([]);
  });

  test('ends connections that send too much, or no request', async () => {
    const body = Buffer.alloc(65 * 1024);
    const large = await send(signed({ body }), { body }).catch(() => ({ status: 413 }));
    const headers = { 'x-long': 'x'.repeat(5000) };
    const long = await send(signed(), { headers }).catch(() => ({ status: 0 }));
    const garbage = await new Promise<string>((resolve) => {
      const [host = '', number = ''] = port.address.split(':');
      const socket = connect(Number(number), host, () => socket.write('\x16\x03\x01\r\n\r\n'));
      let text = '';
      socket.on('data', (part) => (text += part.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });

    expect([large.status, long.status, garbage]).toEqual([413, 0, '']);
  });

  test('is not believed when somebody answers in its place', async () => {
    const ask = createAskServer({ key, now });
    const { createServer } = await import('node:http');
    const real = await send(signed());
    const forger = createServer((_, reply) => {
      const taken = String(real.headers['x-vitrine-signature']);
      reply.writeHead(200, { 'x-vitrine-signature': taken }).end(real.body);
    });
    await new Promise<void>((resolve) => forger.listen(0, '127.0.0.1', resolve));
    const bound = forger.address();
    const at = `127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`;

    expect(await ask.get(at, segment, 5000)).toBeNull();
    ask.close();
    forger.closeAllConnections();
    forger.close();
  });
});
