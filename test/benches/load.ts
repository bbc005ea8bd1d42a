/** Sequential requests over one kept connection, so that the client costs as little as it can. */
import { Agent, request } from 'node:http';
import { adminToken } from '../support/server.ts';

export interface Client {
  /** Milliseconds of one GET; rejects unless it answers 200. */
  readonly time: (route: string) => Promise<number>;
  readonly close: () => void;
}

export function createClient(url: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${adminToken}` };
  return {
    time: (route) =>
      new Promise((resolve, reject) => {
        const start = performance.now();
        const call = request(url + route, { agent, headers }, (reply) => {
          reply.resume();
          reply.on('end', () =>
            reply.statusCode === 200
              ? resolve(performance.now() - start)
              : reject(new Error(`GET ${route}: ${reply.statusCode ?? 0}`)),
          );
        });
        call.on('error', reject);
        call.end();
      }),
    close: () => agent.destroy(),
  };
}
