/** `host.net.fetch` against a real server on the loopback. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  sendJson,
  startHttpSource,
  type SourceHandler,
} from '../../../test/support/servers/http-source.ts';
import { openTestNetwork } from '../../../test/support/servers/network.ts';
import { toFetchedBytes } from '../../../plugin-api/index.ts';
import type { NetworkParts } from './index.ts';

/** A source, and a network whose operator allows it. */
async function sourceAndNetwork(handler: SourceHandler, parts: Partial<NetworkParts> = {}) {
  const source = await startHttpSource(handler);
  onTestFinished(() => source.close());
  const network = await openTestNetwork({ allowedHosts: [source.host], ...parts });
  onTestFinished(() => network.remove());
  return { source, network };
}

async function network(parts: Partial<NetworkParts> = {}) {
  const opened = await openTestNetwork(parts);
  onTestFinished(() => opened.remove());
  return opened;
}

const ok: SourceHandler = (_request, response) => sendJson(response, { ok: true });

describe('host.net.fetch', () => {
  test('gives status, headers and body, without cookies', async () => {
    const { source, network } = await sourceAndNetwork((_request, response) =>
      sendJson(response, { title: 'Zoë' }, { 'set-cookie': 'a=b', 'x-total': '1' }, 203),
    );

    const reply = await network.fetch({ url: `${source.url}/films?q=Zo%C3%AB#part` });

    expect(reply).toEqual({
      status: 203,
      headers: expect.objectContaining({ 'content-type': 'application/json', 'x-total': '1' }),
      body: '{"title":"Zoë"}',
      cache: 'miss',
    });
    expect(reply.headers).not.toHaveProperty('set-cookie');
    expect(source.requests).toMatchObject([{ method: 'GET', path: '/films?q=Zo%C3%AB' }]);
  });

  test('gives a body that is not text as bytes, with all other fields', async () => {
    const film = Buffer.from([0, 0xff, 0xfe, 0x80, 10]);
    const { source, network } = await sourceAndNetwork((request, response) =>
      response
        .writeHead(206, { 'content-range': 'bytes 0-4/9', 'x-range': request.headers.range })
        .end(film),
    );

    const headers = { range: 'bytes=0-4' };
    const packed = await network.fetchBytes({ url: source.url, headers, bodyAs: 'bytes' });

    const { status, headers: told, bodyBytes, cache } = toFetchedBytes(packed);
    expect({ status, cache, body: Buffer.from(bodyBytes) }).toEqual({
      status: 206,
      cache: 'miss',
      body: film,
    });
    expect(told).toMatchObject({ 'content-range': 'bytes 0-4/9', 'x-range': 'bytes=0-4' });
  });

  test('gives the length that the body of a HEAD would have, but not of other responses, which may be compressed', async () => {
    const { source, network } = await sourceAndNetwork((_request, response) =>
      response.writeHead(200, { 'content-length': 5 }).end('12345'),
    );

    const head = await network.fetch({ url: source.url, method: 'HEAD' });
    const whole = await network.fetch({ url: source.url });

    expect(head.headers['content-length']).toBe('5');
    expect(whole.headers).not.toHaveProperty('content-length');
    expect(source.requests.map(({ headers }) => headers['accept-encoding'])).toEqual([
      'identity',
      'gzip, br',
    ]);
  });

  test('gives headers that are not ASCII, for bytes as for text', async () => {
    const { source, network } = await sourceAndNetwork((_request, response) =>
      response.writeHead(200, { 'x-title': 'Zo\u00eb' }).end(),
    );

    const packed = await network.fetchBytes({ url: source.url, bodyAs: 'bytes' });

    const { headers } = await network.fetch({ url: source.url });
    expect(toFetchedBytes(packed).headers['x-title']).toBe(headers['x-title']);
    expect(toFetchedBytes(packed).bodyBytes).toHaveLength(0);
  });

  test('tells the host the server and the plugin', async () => {
    const { source, network } = await sourceAndNetwork(ok);

    await network.fetch({ url: source.url }, { pluginId: '@anna/films' });

    expect(source.requests[0]?.headers['user-agent']).toBe('Vitrine/0.1.0 plugin/@anna/films');
  });

  test('sends a body and the headers that the plugin may set', async () => {
    const { source, network } = await sourceAndNetwork(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      sendJson(response, { got: Buffer.concat(parts).toString(), key: request.headers['x-key'] });
    });

    const headers = { 'X-Key': 'secret', 'content-type': 'application/json' };
    const reply = await network.fetch({
      url: source.url,
      method: 'POST',
      headers,
      body: '{"é":1}',
    });

    expect(JSON.parse(reply.body)).toEqual({ got: '{"é":1}', key: 'secret' });
  });

  test.each([
    'Host',
    'cookie',
    'connection',
    'Content-Length',
    'user-agent',
    'proxy-authorization',
    'x-forwarded-for',
    'transfer-encoding',
    'bad name',
  ])('refuses the header %s', async (name) => {
    const { source, network } = await sourceAndNetwork(ok);

    const asked = network.fetch({ url: source.url, headers: { [name]: 'x' } });

    await expect(asked).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(name),
    });
    expect(source.requests).toEqual([]);
  });

  test('refuses a header value with a line break', async () => {
    const { source, network } = await sourceAndNetwork(ok);

    const asked = network.fetch({ url: source.url, headers: { 'x-key': 'a\r\nhost: b' } });

    await expect(asked).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test.each([
    ['ftp://example.org/', 'ftp:'],
    ['file:///etc/passwd', 'file:'],
    ['nothing', 'not an address'],
    ['https://anna:secret@example.org/', 'user name'],
  ])('refuses the address %s', async (url, why) => {
    const asked = (await network()).fetch({ url });

    await expect(asked).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(why),
    });
  });

  test('refuses a host that was not granted, also on another port', async () => {
    const { source, network } = await sourceAndNetwork(ok);
    const denied = { code: 'permission_denied', message: expect.stringContaining(source.host) };

    for (const net of [[], ['api.example.org'], ['127.0.0.1:1']]) {
      await expect(network.fetch({ url: source.url }, { net })).rejects.toMatchObject(denied);
    }
    expect(source.requests).toEqual([]);
    await network.fetch({ url: source.url }, { net: [source.host] });
    expect(source.requests).toHaveLength(1);
  });

  test('refuses http to a host that the operator did not allow', async () => {
    const asked = (await network()).fetch({ url: 'http://example.org/' });

    await expect(asked).rejects.toMatchObject({
      code: 'net_refused',
      message: expect.stringContaining('--net-allow example.org:80'),
    });
  });

  test('ends when the plugin ends', async () => {
    const { source, network } = await sourceAndNetwork(() => undefined);
    const plugin = new AbortController();

    const asked = network.fetch({ url: source.url }, { signal: plugin.signal });
    setTimeout(() => plugin.abort(), 20);

    await expect(asked).rejects.toMatchObject({ code: 'net_unreachable' });
  });

  test('counts the usage of a plugin separately', async () => {
    const { source, network } = await sourceAndNetwork((_request, response) =>
      sendJson(response, 'four', { 'cache-control': 'max-age=60' }),
    );

    await network.fetch({ url: source.url });
    await network.fetch({ url: source.url });
    await network.fetch({ url: 'https://127.0.0.1:9/' }).catch(() => undefined);

    const expected = { requests: 2, failures: 1, cached: 1, receivedBytes: 6 };
    expect(network.usage('films')).toEqual(expected);
    expect(network.usage('other')).toMatchObject({ requests: 0 });
  });
});

describe('an address in the server’s own network', () => {
  const disguises = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '0',
    '[::1]',
    '[::ffff:7f00:1]',
    '[::7f00:1]',
    '169.254.169.254',
    '192.168.0.1',
    '[fd00:ec2::254]',
  ];

  test.each(disguises)('is refused as https://%s/, with any grant', async (name) => {
    const asked = (await network()).fetch({ url: `https://${name}/`, timeoutMs: 2000 });

    await expect(asked).rejects.toMatchObject({ code: 'net_refused' });
  });

  test('is refused for a name that resolves to it, also together with others', async () => {
    for (const answers of [['127.0.0.1'], ['93.184.216.34', '10.0.0.1'], ['::1']]) {
      const liar = await network({
        lookup: (_name, _options, callback) =>
          callback(
            null,
            answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
          ),
      });

      const asked = liar.fetch({ url: 'https://rebind.example.org/' });

      await expect(asked).rejects.toMatchObject({ code: 'net_refused' });
    }
  });

  test('is refused for a name that resolves differently each time: each connection checks its own lookup', async () => {
    const answers = [null, '127.0.0.1'];
    const liar = await network({
      lookup: (_name, _options, callback) => {
        const address = answers.shift();
        if (address) callback(null, [{ address, family: 4 }]);
        else callback(Object.assign(new Error('none'), { code: 'ENOTFOUND' }), []);
      },
    });
    const ask = () => liar.fetch({ url: 'https://rebind.example.org/' });

    await expect(ask()).rejects.toMatchObject({
      code: 'net_unreachable',
      message: expect.stringContaining('ENOTFOUND'),
    });
    await expect(ask()).rejects.toMatchObject({ code: 'net_refused' });
    expect(answers).toEqual([]);
  });

  test('is reached if the operator allows the host, by address or by name', async () => {
    const source = await startHttpSource(ok);
    onTestFinished(() => source.close());
    const allowed = await network({
      allowedHosts: [`films.lan:${source.port}`],
      lookup: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    });

    const reply = await allowed.fetch({ url: `http://films.lan:${source.port}/` });

    expect(reply.status).toBe(200);
    await expect(allowed.fetch({ url: `https://127.0.0.1:${source.port}/` })).rejects.toMatchObject(
      {
        code: 'net_refused',
      },
    );
  });
});

describe('an allowed IPv6 address', () => {
  test('is reached in the spelling of its URL, but not on another port', async () => {
    const opened = await network({ allowedHosts: ['[::1]:1'] });
    const ask = (port: number) => opened.fetch({ url: `https://[::1]:${port}/` });

    // Nothing listens there: the attempt shows that the address is allowed.
    await expect(ask(1)).rejects.toMatchObject({ code: 'net_unreachable' });
    await expect(ask(2)).rejects.toMatchObject({
      code: 'net_refused',
      message: expect.stringContaining('--net-allow [::1]'),
    });
  });
});

describe('a redirect', () => {
  const leadTo =
    (location: string, status = 302): SourceHandler =>
    (request, response) => {
      if (request.url !== '/') {
        sendJson(response, { method: request.method, ...request.headers });
        return;
      }
      response.writeHead(status, { location });
      return response.end();
    };

  test('is followed on granted hosts', async () => {
    const { source, network } = await sourceAndNetwork(leadTo('/there'));

    const reply = await network.fetch({ url: `${source.url}/` });

    expect(reply.status).toBe(200);
    expect(source.requests.map(({ path }) => path)).toEqual(['/', '/there']);
  });

  test('to a host that was not granted is refused', async () => {
    const other = await startHttpSource(ok);
    onTestFinished(() => other.close());
    const { source, network } = await sourceAndNetwork(leadTo(other.url));

    const asked = network.fetch({ url: `${source.url}/` }, { net: [source.host] });

    await expect(asked).rejects.toMatchObject({ code: 'permission_denied' });
    expect(other.requests).toEqual([]);
  });

  test.each([
    'https://127.0.0.1:1/',
    'https://[::1]:1/',
    'https://0x7f.1:1/',
    'http://127.0.0.1:1/',
  ])('to %s is refused although any host was granted', async (location) => {
    const { source, network } = await sourceAndNetwork(leadTo(location));

    const asked = network.fetch({ url: `${source.url}/` });

    await expect(asked).rejects.toMatchObject({ code: 'net_refused' });
  });

  test('to a name in the local network is refused, although the first name was public', async () => {
    const source = await startHttpSource(leadTo('https://rebind.example.org/'));
    onTestFinished(() => source.close());
    const asked: string[] = [];
    const opened = await network({
      allowedHosts: [source.host],
      lookup: (name, _options, callback) => {
        asked.push(name);
        callback(null, [{ address: '10.0.0.1', family: 4 }]);
      },
    });

    await expect(opened.fetch({ url: `${source.url}/` })).rejects.toMatchObject({
      code: 'net_refused',
    });
    expect(asked).toEqual(['rebind.example.org']);
  });

  test('to file: is refused', async () => {
    const { source, network } = await sourceAndNetwork(leadTo('file:///etc/passwd'));

    await expect(network.fetch({ url: `${source.url}/` })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  test('in a loop ends', async () => {
    const { source, network } = await sourceAndNetwork((_request, response) => {
      response.writeHead(302, { location: '/again' }).end();
    });

    const asked = network.fetch({ url: source.url });

    await expect(asked).rejects.toMatchObject({ code: 'net_unreachable' });
    expect(source.requests).toHaveLength(6);
  });

  test('does not send credentials to other hosts', async () => {
    const other = await startHttpSource((request, response) => sendJson(response, request.headers));
    onTestFinished(() => other.close());
    const { source, network } = await sourceAndNetwork(leadTo(`${other.url}/there`), {
      allowedHosts: ['127.0.0.1'],
    });

    const headers = { authorization: 'Bearer x', 'x-api-key': 'x', accept: 'text/plain' };
    await network.fetch({ url: `${source.url}/`, headers });

    expect(source.requests[0]?.headers).toMatchObject(headers);
    expect(other.requests[0]?.headers).toMatchObject({ accept: 'text/plain' });
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(other.requests[0]?.headers).not.toHaveProperty('x-api-key');
  });

  test('after a POST becomes a GET, unless the host asks for the same method', async () => {
    for (const [status, method] of [
      [302, 'GET'],
      [303, 'GET'],
      [307, 'POST'],
    ] as const) {
      const { source, network } = await sourceAndNetwork(leadTo('/there', status));
      await network.fetch({ url: `${source.url}/`, method: 'POST', body: 'x' });
      expect(source.requests[1]?.method).toBe(method);
    }
  });
});

describe('an answer', () => {
  const mebibyte = Buffer.alloc(1_048_576, 'x');

  test('of 4 MiB is accepted, and a larger one is refused, with or without a stated length', async () => {
    const { source, network } = await sourceAndNetwork((request, response) => {
      const size = Number(request.url?.slice(2));
      if (request.url?.startsWith('/a')) response.setHeader('content-length', size * 1_048_576);
      for (let part = 0; part < size; part += 1) response.write(mebibyte);
      response.end();
    });

    expect((await network.fetch({ url: `${source.url}/c4` })).body).toHaveLength(4 * 1_048_576);
    for (const path of ['a5', 'c5']) {
      await expect(network.fetch({ url: `${source.url}/${path}` })).rejects.toMatchObject({
        code: 'too_large',
      });
    }
  });

  test('is decompressed, but a small one that would fill the memory is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1_048_576));
    const small = gzipSync('{"ok":true}');
    const { source, network } = await sourceAndNetwork((request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(request.url === '/bomb' ? bomb : small);
    });
    expect(bomb.length).toBeLessThan(100_000);

    const reply = await network.fetch({ url: `${source.url}/small` });
    const asked = network.fetch({ url: `${source.url}/bomb` });

    expect(reply.body).toBe('{"ok":true}');
    expect(reply.headers).not.toHaveProperty('content-encoding');
    await expect(asked).rejects.toMatchObject({ code: 'too_large' });
  });

  test.each(['gzip, gzip', 'zstd'])('in the encoding %s is refused', async (encoding) => {
    const { source, network } = await sourceAndNetwork((_request, response) => {
      response.setHeader('content-encoding', encoding);
      response.end('x');
    });

    await expect(network.fetch({ url: source.url })).rejects.toMatchObject({
      code: 'net_unreachable',
    });
  });

  test('that never comes, or never ends, ends with its deadline', async () => {
    const { source, network } = await sourceAndNetwork(async (request, response) => {
      if (request.url === '/silent') return;
      while (!response.closed) {
        response.write('x');
        await sleep(10);
      }
    });

    for (const path of ['silent', 'dripping']) {
      const asked = network.fetch({ url: `${source.url}/${path}`, timeoutMs: 150 });
      await expect(asked).rejects.toMatchObject({
        code: 'net_timeout',
        message: expect.stringContaining('150 ms'),
      });
    }
  });

  test('that is not HTTP, or breaks off, is an unreachable host', async () => {
    const { source, network } = await sourceAndNetwork((request, response) => {
      if (request.url === '/noise') return request.socket.end('noise\r\n\r\n');
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      return setImmediate(() => request.socket.destroy());
    });

    for (const path of ['noise', 'half']) {
      await expect(network.fetch({ url: `${source.url}/${path}` })).rejects.toMatchObject({
        code: 'net_unreachable',
      });
    }
  });

  test('in another charset is decoded by its charset', async () => {
    const { source, network } = await sourceAndNetwork((_request, response) => {
      response.setHeader('content-type', 'text/plain; charset=iso-8859-1');
      response.end(Buffer.from([0x5a, 0x6f, 0xeb]));
    });

    expect((await network.fetch({ url: source.url })).body).toBe('Zoë');
  });
});
