/** A real HTTP server on the loopback, to be asked by what a test is about. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Milliseconds; only differences count. */
  readonly at: number;
}

/** A server that listens. */
export interface HttpSource {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** `127.0.0.1:<port>` */
  readonly host: string;
  readonly port: number;
  /** Every request so far, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** The most that were under way at one time. */
  readonly busiest: () => number;
  /** Ends it, and all connections to it. */
  readonly close: () => Promise<void>;
}

/** What answers. */
export type SourceHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Starts it, on a free port or the one that is named. */
export async function startHttpSource(handler: SourceHandler, port = 0): Promise<HttpSource> {
  const requests: SeenRequest[] = [];
  let running = 0;
  let busiest = 0;
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, path: url, headers, at: performance.now() });
    running += 1;
    busiest = Math.max(busiest, running);
    response.on('close', () => {
      running -= 1;
    });
    void handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  const host = `127.0.0.1:${address.port}`;
  return {
    url: `http://${host}`,
    host,
    port: address.port,
    requests,
    busiest: () => busiest,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

/** The most requests that started in any span of so many milliseconds. */
export function mostWithin(requests: readonly SeenRequest[], spanMs: number): number {
  return Math.max(
    0,
    ...requests.map(
      ({ at }) => requests.filter((one) => one.at >= at && one.at < at + spanMs).length,
    ),
  );
}
