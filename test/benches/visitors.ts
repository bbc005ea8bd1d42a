/** Clients as people are: each asks for something, looks at it for a while, and asks for more. */
import { Agent, request } from 'node:http';
import { adminToken } from '../support/servers/server.ts';

/** What visitors met. */
export interface Visit {
  /** Milliseconds of each answer. */
  readonly times: readonly number[];
  /** Every answer that was not a 200. */
  readonly errors: readonly string[];
}

/** So many visitors, each with a connection of its own, until `end` settles. */
export async function visit(
  url: string,
  options: {
    readonly visitors: number;
    /** Between an answer and the next question. */
    readonly pauseMs: number;
    readonly routes: readonly string[];
    readonly end: Promise<unknown>;
  },
): Promise<Visit> {
  const { visitors, pauseMs, routes, end } = options;
  const times: number[] = [];
  const errors: string[] = [];
  let isOver = false;
  const over = end.finally(() => (isOver = true));

  async function one(no: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let asked = 0; !isOver; asked += 1) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + ((no * 7) % 10) / 10)));
      const route = routes[(no * 31 + asked * 17) % routes.length] ?? '/api/health';
      const start = performance.now();
      const status = await statusOf(url + route, agent);
      times.push(performance.now() - start);
      if (status !== '200') errors.push(`GET ${route}: ${status}`);
    }
    agent.destroy();
  }

  await Promise.all([over, ...Array.from({ length: visitors }, (_, no) => one(no))]);
  return { times, errors };
}

function statusOf(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const call = request(
      url,
      { agent, headers: { authorization: `Bearer ${adminToken}` } },
      (reply) => {
        let text = '';
        reply.on('data', (part: Buffer) => {
          if (reply.statusCode !== 200) text += part.toString();
        });
        reply.on('end', () => resolve(`${reply.statusCode ?? 0}${text}`));
        reply.on('error', (error) => resolve(String(error)));
      },
    );
    call.on('error', (error) => resolve(String(error)));
    call.end();
  });
}
