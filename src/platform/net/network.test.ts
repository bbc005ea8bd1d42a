/** The cache, the turns and the pictures of the network, against a real server on the loopback. */
import { createServer, type Server } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  mostWithin,
  sendJson,
  startHttpSource,
  type SourceHandler,
} from '../../../test/support/servers/http-source.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { openTestNetwork } from '../../../test/support/servers/network.ts';
import type { Lookup } from './guarded-agent.ts';
import type { NetworkParts } from './index.ts';

async function sourceAndNetwork(handler: SourceHandler, parts: Partial<NetworkParts> = {}) {
  const source = await startHttpSource(handler);
  onTestFinished(() => source.close());
  const network = await openTestNetwork({ allowedHosts: [source.host], ...parts });
  onTestFinished(() => network.remove());
  return { source, network };
}

const kept =
  (headers: Readonly<Record<string, string>>): SourceHandler =>
  (_request, response) =>
    sendJson(response, 'x', headers);

describe('the cache', () => {
  test('answers as long as the host allows, to the same plugin and the same request', async () => {
    const { source, network } = await sourceAndNetwork(kept({ 'cache-control': 'max-age=60' }));
    const url = `${source.url}/a`;

    const first = await network.fetch({ url });
    const second = await network.fetch({ url });
    await network.fetch({ url }, { pluginId: 'other' });
    await network.fetch({ url, headers: { 'accept-language': 'fr' } });
    await network.fetch({ url: `${source.url}/b` });

    expect([first.cache, second.cache]).toEqual(['miss', 'hit']);
    expect(second).toEqual({ ...first, cache: 'hit' });
    expect(source.requests).toHaveLength(4);
  });

  test('stores nothing that the host or the caller excludes', async () => {
    const { source, network } = await sourceAndNetwork((request, response) =>
      sendJson(response, 'x', { 'cache-control': String(request.url?.slice(1)) }),
    );

    for (const [path, maxAge] of [
      ['no-store', 60],
      ['max-age=60', 0],
    ] as const) {
      const ask = () => network.fetch({ url: `${source.url}/${path}`, maxAge });
      expect([(await ask()).cache, (await ask()).cache]).toEqual(['miss', 'miss']);
    }
    expect(source.requests).toHaveLength(4);
  });

  test('caches a POST by its body, only for a caller that says how long', async () => {
    const { source, network } = await sourceAndNetwork((_, response) => sendJson(response, 'x'));

    const ask = async (body: string, more: { readonly maxAge?: number } = {}) =>
      (await network.fetch({ url: source.url, method: 'POST', body, ...more })).cache;
    const minute = { maxAge: 60 };

    expect([await ask('a', minute), await ask('a', minute), await ask('b', minute)]).toEqual([
      'miss',
      'hit',
      'miss',
    ]);
    expect([await ask('a'), await ask('a', { maxAge: 0 })]).toEqual(['miss', 'miss']);
    expect(source.requests).toHaveLength(4);
  });

  test('revalidates a stale response with the host', async () => {
    const { source, network } = await sourceAndNetwork((request, response) => {
      if (request.headers['if-none-match'] === '"a"')
        response.writeHead(304, { etag: '"a"', 'cache-control': 'max-age=60' }).end();
      else sendJson(response, 'x', { etag: '"a"' });
    });

    const ask = () => network.fetch({ url: source.url });
    const [first, second, third] = [await ask(), await ask(), await ask()];

    expect([first.cache, second.cache, third.cache]).toEqual(['miss', 'hit', 'hit']);
    expect(second).toMatchObject({ status: 200, body: '"x"' });
    expect(source.requests).toHaveLength(2);
  });

  test('sends one request for concurrent identical ones', async () => {
    const { source, network } = await sourceAndNetwork(kept({}));

    const replies = await Promise.all([1, 2, 3].map(() => network.fetch({ url: source.url })));

    expect(source.requests).toHaveLength(1);
    expect(replies.map(({ body }) => body)).toEqual(['"x"', '"x"', '"x"']);
  });

  test('stands in for an unavailable host, unless its response must be revalidated', async () => {
    const { source, network } = await sourceAndNetwork((request, response) =>
      sendJson(response, 'x', { 'cache-control': String(request.url?.slice(1)) }),
    );
    const ask = (path: string) => network.fetch({ url: `${source.url}/${path}` });
    await ask('max-age=0');
    await ask('must-revalidate');
    await source.close();

    expect(await ask('max-age=0')).toMatchObject({ status: 200, body: '"x"', cache: 'stale' });
    await expect(ask('must-revalidate')).rejects.toMatchObject({
      code: 'net_unreachable',
      message: `${source.host} could not be reached (ECONNREFUSED).`,
    });
    await expect(ask('unknown')).rejects.toMatchObject({ code: 'net_unreachable' });
  });

  test('stands in for a host whose backend is unavailable', async () => {
    let status = 200;
    const { source, network } = await sourceAndNetwork((_request, response) =>
      sendJson(response, 'x', {}, status),
    );
    await network.fetch({ url: source.url });
    status = 503;

    expect(await network.fetch({ url: source.url })).toMatchObject({ status: 200, cache: 'stale' });
    expect(await network.fetch({ url: `${source.url}/b` })).toMatchObject({ status: 503 });
  });

  test('gives nothing to a plugin whose grant was removed', async () => {
    const { source, network } = await sourceAndNetwork(kept({ 'cache-control': 'max-age=60' }));
    await network.fetch({ url: source.url });

    await expect(network.fetch({ url: source.url }, { net: [] })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });
});

/** A machine that is busy may let a receiver see requests later than they came. */
const wellWithinASecond = 600;

describe('the request queue', () => {
  const many = (url: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${url}/${at}`);

  test('keeps the rate of the manifest, by the most specific pattern', async () => {
    const { source, network } = await sourceAndNetwork(kept({}), {
      ratesOf: () => ({ '*': 100, '127.0.0.1': 4 }),
    });

    await Promise.all(many(source.url, 10).map((url) => network.fetch({ url })));

    expect(source.requests).toHaveLength(10);
    expect(mostWithin(source.requests, wellWithinASecond)).toBeLessThanOrEqual(4);
  });

  test('allows five requests a second without a rate in the manifest', async () => {
    const { source, network } = await sourceAndNetwork(kept({}), { ratesOf: () => ({}) });

    await Promise.all(many(source.url, 11).map((url) => network.fetch({ url })));

    expect(mostWithin(source.requests, wellWithinASecond)).toBe(5);
  });

  test('keeps the rate at the receiver, also where connections take long to open', async () => {
    const clock = createFakeClock();
    const seen: number[] = [];
    let held: (() => void)[] | null = [];
    const lookup: Lookup = (_name, _options, found) => {
      const open = () => found(null, [{ address: '127.0.0.1', family: 4 }]);
      if (held) held.push(open);
      else open();
    };
    const source = await startHttpSource((request, response) => {
      if (request.url !== '/other') seen.push(clock.now());
      sendJson(response, 'x');
    });
    onTestFinished(() => source.close());
    const host = `slow.test:${source.port}`;
    const rates = { clock, lookup, allowedHosts: [host], ratesOf: () => ({ '*': 4 }) };
    const network = await openTestNetwork(rates);
    onTestFinished(() => network.remove());
    const fetch = (at: number | string, pluginId = 'films') =>
      network.fetch({ url: `http://${host}/${at}` }, { pluginId });

    const replies = Promise.all(Array.from({ length: 8 }, (_, at) => fetch(at)));
    await expect.poll(() => held?.length).toBe(4);
    await clock.advance(900);
    for (const open of held) open();
    held = null;
    await expect.poll(() => seen.length).toBe(4);
    await clock.advance(200);
    // What went out before has arrived when this has.
    await fetch('other', 'albums');
    expect(seen).toHaveLength(4);
    await clock.advance(900);
    await replies;

    const gaps = seen.slice(4).map((at, no) => at - (seen[no] ?? 0));
    expect(gaps).toHaveLength(4);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
  });

  test('allows eight requests at a time', async () => {
    const { source, network } = await sourceAndNetwork((_request, response) => {
      setTimeout(() => sendJson(response, 'x'), 50);
    });

    await Promise.all(many(source.url, 24).map((url) => network.fetch({ url })));

    expect(source.busiest()).toBe(8);
  });

  test('waits as long as a host asks', async () => {
    const { source, network } = await sourceAndNetwork((request, response) =>
      request.url === '/first'
        ? sendJson(response, 'x', { 'retry-after': '1' }, 429)
        : sendJson(response, 'x'),
    );

    const first = await network.fetch({ url: `${source.url}/first` });
    await network.fetch({ url: `${source.url}/second` });
    const [one, other] = source.requests;

    expect(first.status).toBe(429);
    expect((other?.at ?? 0) - (one?.at ?? 0)).toBeGreaterThan(950);
  });

  test('suspends a host that keeps failing', async () => {
    const { server, port, connections } = await refusingServer();
    onTestFinished(() => void server.close());
    const network = await openTestNetwork({ allowedHosts: [`127.0.0.1:${port}`] });
    onTestFinished(() => network.remove());

    for (let one = 0; one < 8; one += 1) {
      await expect(network.fetch({ url: `http://127.0.0.1:${port}/${one}` })).rejects.toMatchObject(
        { code: 'net_unreachable' },
      );
    }

    expect(connections()).toBe(5);
    await expect(network.fetch({ url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({
      message: expect.stringContaining('is suspended'),
    });
  });
});

describe('a host that answers', () => {
  test('is not suspended for answers whose bodies are bad or break off', async () => {
    const { source, network } = await sourceAndNetwork((request, response) => {
      if (request.url === '/good') return response.end('good');
      if (request.url === '/packed')
        return response.writeHead(200, { 'content-encoding': 'gzip' }).end('not packed');
      response.writeHead(200, { 'content-length': '100' }).write('half');
      return setImmediate(() => request.socket.destroy());
    });
    for (let one = 0; one < 4; one += 1)
      for (const bad of ['packed', 'half'])
        await expect(network.fetch({ url: `${source.url}/${bad}` })).rejects.toThrow();

    expect(await network.fetch({ url: `${source.url}/good` })).toMatchObject({ body: 'good' });
  });
});

describe('a plugin that pauses by itself', () => {
  test('reaches a host that answers 503 or asks to wait, as often as its rate allows', async () => {
    const answers = [503, 503, 503, 503, 503, 429, 200];
    const { source, network } = await sourceAndNetwork(
      (_request, response) =>
        response.writeHead(answers.shift() ?? 200, { 'retry-after': '60' }).end(),
      { mayPause: (id) => id === 'films' },
    );
    const statuses = [];
    for (let one = 0; one < 7; one += 1)
      statuses.push((await network.fetch({ url: source.url, pauses: 'own', maxAge: 0 })).status);

    expect(statuses).toEqual([503, 503, 503, 503, 503, 429, 200]);
  });

  test('is refused unless it delivers to receivers', async () => {
    const { source, network } = await sourceAndNetwork(kept({}), {
      mayPause: (id) => id === 'films',
    });

    const asked = { url: source.url, pauses: 'own' } as const;
    await expect(network.fetch(asked, { pluginId: 'other' })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('right is server'),
    });

    expect(source.requests).toEqual([]);
  });
});

/** Takes connections and ends them. */
async function refusingServer(): Promise<{
  server: Server;
  port: number;
  connections: () => number;
}> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { server, port, connections: () => count };
}

describe('a picture', () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');
  const send =
    (body: Buffer | string, type: string): SourceHandler =>
    (_request, response) =>
      response.writeHead(200, { 'content-type': type }).end(body);

  test('is fetched once, and its type is read from its bytes', async () => {
    const { source, network } = await sourceAndNetwork(send(png, 'text/html'));
    const ask = () => network.fetchPicture({ url: `${source.url}/a`, pluginId: 'films' });

    expect(await ask()).toEqual({ mimeType: 'image/png', bytes: png });
    expect((await ask()).mimeType).toBe('image/png');
    expect(source.requests).toHaveLength(1);
  });

  test.each([
    ['a page', '<html>', 'image/png'],
    [
      'a drawing that may hold a script',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'image/svg+xml',
    ],
  ])('is refused when it is %s, and requested again the next time', async (_name, body, type) => {
    const { source, network } = await sourceAndNetwork(send(body, type));
    const ask = () => network.fetchPicture({ url: source.url, pluginId: 'films' });

    await expect(ask()).rejects.toMatchObject({ code: 'net_unreachable' });
    await expect(ask()).rejects.toMatchObject({ code: 'net_unreachable' });

    expect(source.requests).toHaveLength(2);
  });

  test('is not requested from a host that was not granted to the plugin that named it', async () => {
    const { source, network } = await sourceAndNetwork(send(png, 'image/png'), {
      grantedHosts: (pluginId) => (pluginId === 'films' ? ['*'] : []),
    });

    await expect(
      network.fetchPicture({ url: `${source.url}/what-it-knows`, pluginId: 'spy' }),
    ).rejects.toMatchObject({ code: 'permission_denied' });
    expect(source.requests).toEqual([]);
  });

  test('of more than 8 MiB is refused', async () => {
    const { source, network } = await sourceAndNetwork(
      send(Buffer.concat([png, Buffer.alloc(8_388_608)]), 'image/png'),
    );

    await expect(
      network.fetchPicture({ url: source.url, pluginId: 'films' }),
    ).rejects.toMatchObject({ code: 'too_large' });
  });

  test('on the server’s own network is refused', async () => {
    const { network } = await sourceAndNetwork(send(png, 'image/png'));

    await expect(
      network.fetchPicture({ url: 'https://127.0.0.1:1/a.png', pluginId: 'films' }),
    ).rejects.toMatchObject({ code: 'net_refused' });
  });
});
