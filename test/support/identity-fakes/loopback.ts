/** Small JSON services on loopback, with real HTTP in between. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a fake looks at it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a fake answers. */
export interface Told {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service that is listening. */
export interface Loopback {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Listens on a port of loopback; `port` 0 = any. Answers can be read from any origin. */
export async function listenOnLoopback(
  answer: (asked: Asked) => Told | Promise<Told>,
  port = 0,
): Promise<Loopback> {
  const server = createServer((request, response) => {
    void (async () => {
      const asked = await read(request);
      const told = asked.method === 'OPTIONS' ? { status: 204 } : await answer(asked);
      response.writeHead(told.status ?? 200, {
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'authorization, content-type, x-profile-id',
        'access-control-expose-headers': 'retry-after',
        connection: 'close',
        ...told.headers,
      });
      response.end(told.body === undefined ? '' : JSON.stringify(told.body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request: IncomingMessage): Promise<Asked> {
  let text = '';
  for await (const part of request) text += String(part);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}
