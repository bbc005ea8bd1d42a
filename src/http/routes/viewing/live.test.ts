import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';
import { bearer, createTestApp, testViewers } from '../../../../test/support/servers/http.ts';
import { silentLog } from '../../../../kernel/index.ts';
import { createEventBus, type EventBus } from '../../../../kernel/call/events/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createEventFeed, type EventFeed } from '../../../viewing/live-events/index.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { liveRoutes } from './live.ts';

const parts = {
  clock: systemClock,
  feedId: 'life',
  isValid: async () => true,
  access: {
    visibilityIn: () => 'all' as const,
    filterVisible: async (_viewer: unknown, ids: readonly string[]) => new Set(ids),
  },
  limits: { clients: 8, clientsPerUser: 4 },
};
const sessionToken = `vts_${'a'.repeat(43)}`;

let bus: EventBus;
let feed: EventFeed;
let app: HttpApp;
let port: number;

beforeAll(async () => {
  const nobody = {
    dispatch: () => Promise.reject(new Error('no plugin')),
    unknownHandlers: () => 0,
    isRunning: () => false,
  };
  bus = createEventBus({ dispatcher: nobody, log: silentLog });
  feed = createEventFeed({ ...parts, events: bus, capacity: 200 });
  app = await createTestApp([mount(liveRoutes, { feed, clock: systemClock })], {
    authenticate: async ({ authorization = '' }) => {
      const token = authorization.slice('Bearer '.length);
      const viewer = token === sessionToken ? testViewers['user'] : testViewers[token];
      return viewer ? { viewer, isLocked: token === 'guest-of-films', routes: null } : null;
    },
    security: {
      trustedProxies: [],
      corsOrigins: ['https://shelf.example.org'],
      connectionsPerAddress: 0,
      csrfKey: Buffer.alloc(32),
      readLink: () => null,
      publicUrl: null,
    },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});

afterAll(async () => {
  await feed.close();
  await app.close();
});

const opened: WebSocket[] = [];

/** Nobody is left that the next test would count. */
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.terminate();
  await expect.poll(() => feed.clients()).toBe(0);
});

interface Opened {
  readonly socket: WebSocket;
  /** The next message. */
  readonly next: () => Promise<Record<string, unknown>>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly send: (message: unknown) => void;
}

/** Connects; resolves when the handshake is over, rejects with the status of a refusal. */
async function open(
  query = '',
  protocols: readonly string[] = [],
  options: ClientOptions = { headers: bearer('admin') },
): Promise<Opened> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws${query}`, [...protocols], options);
  opened.push(socket);
  const messages: Record<string, unknown>[] = [];
  const waiting: ((message: Record<string, unknown>) => void)[] = [];
  socket.on('message', (text: Buffer) => {
    const message = JSON.parse(text.toString()) as Record<string, unknown>;
    const first = waiting.shift();
    if (first) first(message);
    else messages.push(message);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => resolve());
    socket.on('error', reject);
    socket.on('unexpected-response', (_request, reply) =>
      reject(new Error(`status ${reply.statusCode}`)),
    );
  });
  return {
    socket,
    next: () =>
      new Promise((resolve) => {
        const known = messages.shift();
        if (known) resolve(known);
        else waiting.push(resolve);
      }),
    closed,
    send: (message) => socket.send(JSON.stringify(message)),
  };
}

const manyTypes = Array.from({ length: 101 }, (_, at) => `plugin.some${at}.*`);
const created = { libraryId: 'films', name: 'Films' };

describe('GET /api/ws', () => {
  test('sends each event as its envelope with an id, as it happens', async () => {
    const { next } = await open();

    bus.emit('library.created', created);

    expect(await next()).toEqual({
      id: expect.stringMatching(/^life\.\d+$/),
      type: 'library.created',
      timestamp: expect.any(String),
      data: created,
    });
  });

  test('sends events of every size', async () => {
    const { next } = await open('?types=plugin.*.*');

    for (const size of [0, 50, 100, 200, 65_400, 65_536, 100_000]) {
      const text = 'ß'.repeat(size);
      bus.emit('plugin.someone.sent', { text });
      expect((await next())['data']).toEqual({ text });
    }
  });

  test('has the rules of the stream: a guest receives no events for admins', async () => {
    const { next } = await open('', [], { headers: bearer('guest') });

    bus.emit('job.started', {});
    bus.emit('library.created', created);

    expect(await next()).toMatchObject({ type: 'library.created' });
  });

  test('sends the requested types, and others when the client changes the filter', async () => {
    const { next, send } = await open('?types=job.*');
    send({ type: 'subscribe', types: ['library.item.*'] });
    expect(await next()).toMatchObject({ type: 'subscribed', types: ['job.*', 'library.item.*'] });
    send({ type: 'unsubscribe', types: ['job.*'] });
    expect(await next()).toMatchObject({ type: 'subscribed', types: ['library.item.*'] });

    bus.emit('job.started', {});
    bus.emit('library.created', created);
    bus.emit('library.item.added', { itemId: 'i', libraryId: 'films', title: 'Film' });

    expect(await next()).toMatchObject({ type: 'library.item.added' });
    send({ type: 'unsubscribe' });
    expect(await next()).toMatchObject({ type: 'subscribed', types: [] });
    send({ type: 'subscribe' });
    expect(await next()).toMatchObject({ type: 'subscribed', types: null });
  });

  test('resumes after an id, in the address or in a message, and reports a gap', async () => {
    for (let count = 0; count < 3; count += 1) bus.emit('job.started', { count });
    const first = await open('?since=life.999999');
    const gap = await first.next();
    expect(gap).toMatchObject({ type: 'gap', reason: expect.stringContaining('another run') });
    const newest = Number(String(gap['id']).slice('life.'.length));

    const second = await open(`?since=life.${newest - 2}`);
    expect((await second.next())['data']).toEqual({ count: 1 });
    expect((await second.next())['data']).toEqual({ count: 2 });

    second.send({ type: 'subscribe', types: ['job.*'], since: `life.${newest - 1}` });
    expect(await second.next()).toMatchObject({ type: 'subscribed', id: `life.${newest - 1}` });
    expect((await second.next())['data']).toEqual({ count: 2 });

    for (let count = 0; count < 201; count += 1) bus.emit('admin.pipeline.jobCreated', {});
    const late = await open(`?types=job.*&since=life.${newest - 2}`);
    expect(await late.next()).toMatchObject({
      type: 'gap',
      id: `life.${newest + 201}`,
      reason: expect.stringContaining('no longer available'),
    });
  });

  test('answers pings of the protocol, and those of clients that cannot send them', async () => {
    const { socket, next, send } = await open();
    socket.ping('x');
    const [payload] = (await once(socket, 'pong')) as [Buffer];
    send({ type: 'ping' });

    expect(payload.toString()).toBe('x');
    expect(await next()).toEqual({ type: 'pong' });
  });

  test.each([
    [{ type: 'subscribe', types: ['no.such'] }, 'types: Event "no.such"'],
    [{ type: 'subscribe', types: 'job.*' }, 'types must be a list'],
    [{ type: 'subscribe', typos: [] }, 'typos is not a known key'],
    [{ type: 'auth', token: 'x' }, 'signed in already'],
    [{ type: 'shout' }, 'type must be one of'],
    [[], 'one JSON object'],
    [{ type: 'subscribe', types: manyTypes }, 'more than 100'],
  ])('answers the message %# with the error, and stays open', async (message, error) => {
    const { next, send } = await open('?types=job.*');
    send(message);

    expect(await next()).toEqual({
      type: 'error',
      code: 'invalid_request',
      error: expect.stringContaining(error),
    });
    bus.emit('job.started', {});
    expect(await next()).toMatchObject({ type: 'job.started' });
  });
});

test('the client of docs/live-events.md receives events', async () => {
  const page = readFileSync(
    path.resolve(import.meta.dirname, '../../../../docs/live-events.md'),
    'utf8',
  );
  const [, sample = ''] = /```js\n(.+?)```/s.exec(page) ?? [];
  const follow = (await import(
    `data:text/javascript,${encodeURIComponent(`export default ${sample}`)}`
  )) as { default: (server: string, token: string, hear: (event: object) => void) => () => void };
  const heard: object[] = [];
  const stop = follow.default(`http://127.0.0.1:${port}`, 'guest', (event) => heard.push(event));
  await expect.poll(() => feed.clients()).toBe(1);

  bus.emit('library.created', created);

  await expect.poll(() => heard).toMatchObject([{ type: 'library.created', data: created }]);
  stop();
});

describe('who may open it', () => {
  const refused = (...args: Parameters<typeof open>) => open(...args).then(() => 'opened', String);

  test('is refused before the handshake, with the status of any other route', async () => {
    expect(await refused('', [], {})).toBe('Error: status 401');
    expect(await refused('', [], { headers: bearer('nobody') })).toBe('Error: status 401');
    expect(await refused('?types=no.such')).toBe('Error: status 400');
    expect(await refused('', [], { headers: bearer('guest-of-films') })).toBe('Error: status 403');
  });

  test('answers 426 to a plain request, and does not answer other upgrades', async () => {
    const url = `http://127.0.0.1:${port}/api/ws`;
    const reply = await fetch(url, { headers: bearer('admin') });
    expect([reply.status, reply.headers.get('upgrade')]).toEqual([426, 'websocket']);
    expect(await reply.json()).toMatchObject({ code: 'upgrade_required' });

    const text = await rawReply(
      'GET /api/openapi.json HTTP/1.1\r\nhost: x\r\nconnection: upgrade, HTTP2-Settings\r\n' +
        'upgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1.1 200 /);
  });

  test('takes the token of a page from a subprotocol, and never repeats it', async () => {
    const { socket, next } = await open('', ['vitrine.v1', 'vitrine.token.guest'], {});
    bus.emit('library.created', created);

    expect(socket.protocol).toBe('vitrine.v1');
    expect(await next()).toMatchObject({ type: 'library.created' });
  });

  test('takes the token of a page from its first message, and then says which events follow', async () => {
    const { next, send } = await open('?types=library.*', ['vitrine.v1'], {});
    bus.emit('library.created', { ...created, name: 'before' });
    send({ type: 'auth', token: 'guest' });
    expect(await next()).toEqual({
      type: 'subscribed',
      types: ['library.*'],
      id: expect.any(String),
    });

    bus.emit('library.created', created);
    expect((await next())['data']).toEqual(created);
  });

  test.each([
    [{ type: 'auth', token: 'nobody' }, 4401],
    [{ type: 'subscribe', types: ['job.*'] }, 4401],
    [{ type: 'auth', token: 'guest-of-films' }, 4403],
  ])('closes after the first message %j with %i', async (message, code) => {
    const { send, closed } = await open('', ['vitrine.v1'], {});
    send(message);
    expect((await closed).code).toBe(code);
  });

  test('takes a cookie from its own pages, and not from others', async () => {
    const cookie = `vitrine=${sessionToken}`;
    const own = { cookie, origin: `http://127.0.0.1:${port}` };
    const { next } = await open('', [], { headers: own });
    bus.emit('library.created', created);
    expect(await next()).toMatchObject({ type: 'library.created' });

    const foreign = { cookie, origin: 'https://evil.example.org' };
    expect(await refused('', [], { headers: foreign })).toBe('Error: status 403');
    const known = { cookie, origin: 'https://shelf.example.org' };
    expect(await refused('', [], { headers: known })).toBe('Error: status 403');
  });

  test('lets pages of other origins in where they may call the server, with a token', async () => {
    const with_ = (origin: string) => ({ headers: { ...bearer('guest'), origin } });
    expect(await refused('', [], with_('https://shelf.example.org'))).toBe('opened');
    expect(await refused('', [], with_('https://evil.example.org'))).toBe('Error: status 403');
  });

  test('limits connections per user, refused before the handshake or by the close code', async () => {
    for (let count = 0; count < 4; count += 1) await open('', [], { headers: bearer('guest') });

    expect(await refused('', [], { headers: bearer('guest') })).toBe('Error: status 429');
    const { send, closed } = await open('', ['vitrine.v1'], {});
    send({ type: 'auth', token: 'guest' });
    expect((await closed).code).toBe(1013);
  });
});

describe('a client that misbehaves', () => {
  test.each([
    ['a binary message', Buffer.from('{}'), 1003],
    ['text that is not JSON', 'hello', 1007],
    ['a message above 16 KiB', JSON.stringify({ type: 'x'.repeat(17_000) }), 1009],
  ])('is closed for %s', async (_what, message, code) => {
    const { socket, closed } = await open();
    socket.send(message);
    expect((await closed).code).toBe(code);
  });

  test.each(['message', 'ping'] as const)('is closed for a flood of %ss', async (kind) => {
    const { socket, closed } = await open();
    for (let count = 0; count < 200; count += 1)
      if (kind === 'ping') socket.ping();
      else socket.send('{"type":"ping"}');
    expect(await closed).toEqual({ code: 1008, reason: 'Too many messages.' });
  });

  test('is closed for frames that are not of a WebSocket, and others stay open', async () => {
    const other = await open();
    const { socket, closed } = await open();
    (socket as unknown as { _socket: Socket })._socket.write(Buffer.alloc(64, 0xff));
    expect((await closed).code).toBe(1002);

    bus.emit('library.created', created);
    expect(await other.next()).toMatchObject({ type: 'library.created' });
  });

  test('is closed with a code when it reads so slowly that its events are gone', async () => {
    const { socket, closed } = await open();
    socket.pause();
    const text = 'x'.repeat(100_000);
    while (feed.clients() > 0) {
      bus.emit('plugin.someone.sent', { text });
      await new Promise(setImmediate);
    }
    socket.resume();
    expect(await closed).toEqual({ code: 4408, reason: expect.stringMatching(/^Too slow/) });
  });

  test('is closed with all others, also before it has identified itself', async () => {
    const { closed } = await open();

    app.cutConnections('all');

    expect(await closed).toMatchObject({ code: 1006 });
  });

  test('loses the connection when its credential ends, with a code', async () => {
    const { closed } = await open('', [], { headers: bearer('user') });
    feed.end(({ credentialId }) => credentialId === 'key-of-user');
    expect((await closed).code).toBe(4401);
  });
});

/** The answer of the server to these bytes, up to the end of the head. */
async function rawReply(request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(request);
  const [part] = (await once(socket, 'data')) as [Buffer];
  return part.toString();
}
