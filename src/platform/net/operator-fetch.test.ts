import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createOperatorFetch } from './index.ts';

async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function open() {
  const { fetch, close } = createOperatorFetch();
  onTestFinished(close);
  return (url: string, more = {}) =>
    fetch({ method: 'GET', url, maxBytes: 1000, timeoutMs: 5000, ...more });
}

describe('a service that the operator configured', () => {
  test('is reached in the local network too, with status, headers and body', async () => {
    const url = await serving((request, response) => {
      response.writeHead(418, { etag: '"x"' }).end(`${request.method ?? ''} ${request.url ?? ''}`);
    });

    const reply = await open()(`${url}/a?b=c`, { method: 'POST', body: '{}' });

    expect(reply.status).toBe(418);
    expect(reply.headers['etag']).toBe('"x"');
    expect(Buffer.from(reply.body).toString()).toBe('POST /a?b=c');
  });

  test('is reached without redirects: a redirect is a response', async () => {
    const url = await serving((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    });

    expect((await open()(url)).status).toBe(302);
  });

  test('is limited in bytes, compressed or not', async () => {
    const url = await serving((_request, response) => response.end('x'.repeat(1001)));

    await expect(open()(url)).rejects.toMatchObject({ code: 'too_large' });
  });

  test('is limited in time', async () => {
    const url = await serving(() => undefined);

    await expect(open()(url, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'net_timeout' });
  });

  test('that is unreachable is reported as such', async () => {
    await expect(open()('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'net_unreachable' });
  });
});
