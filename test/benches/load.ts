/** Sequential requests over one kept connection, so that the client costs as little as it can. */
import { Agent, request } from 'node:http';
import { adminToken } from '../support/servers/server.ts';

export interface Client {
  /** Milliseconds of one GET; rejects unless it answers 200. */
  readonly time: (route: string) => Promise<number>;
  /** Bytes of the body of one GET. */
  readonly size: (route: string) => Promise<number>;
  readonly close: () => void;
}

/** As the admin, unless further headers say as whom. */
export function createClient(url: string, further: Readonly<Record<string, string>> = {}): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${adminToken}`, ...further };
  const get = (route: string): Promise<{ readonly time: number; readonly size: number }> =>
    new Promise((resolve, reject) => {
      const start = performance.now();
      let size = 0;
      const call = request(url + route, { agent, headers }, (reply) => {
        reply.on('data', (part: Buffer) => (size += part.length));
        reply.on('end', () =>
          reply.statusCode === 200
            ? resolve({ time: performance.now() - start, size })
            : reject(new Error(`GET ${route}: ${reply.statusCode ?? 0}`)),
        );
      });
      call.on('error', reject);
      call.end();
    });
  return {
    time: async (route) => (await get(route)).time,
    size: async (route) => (await get(route)).size,
    close: () => agent.destroy(),
  };
}
