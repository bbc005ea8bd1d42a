/** Clients that ask so many times a second, with any answers, and one that edits all the time. */
import { Agent, request } from 'node:http';
import { adminToken } from './server.ts';

/** What came of it. */
export interface Load {
  readonly asked: number;
  /** Each request that failed, in words. */
  readonly failed: readonly string[];
  /** The last title of each item that was acknowledged. */
  readonly titles: ReadonlyMap<string, string>;
  readonly edits: number;
  /** Requests a second. */
  readonly rate: number;
}

const tickMs = 20;
/** A machine that cannot keep up is asked less often. */
const mostOpen = 32;

/** Begins; `stop` waits for the last answers. */
export function beginLoad(
  url: string,
  { itemIds, rate }: { readonly itemIds: readonly string[]; readonly rate: number },
): { readonly stop: () => Promise<Load> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  const failed: string[] = [];
  const titles = new Map<string, string>();
  const open = new Set<Promise<unknown>>();
  const routes = [
    '/api/items?limit=20',
    '/api/libraries',
    '/api/auth/me',
    `/api/items/${itemIds[0]}`,
  ];
  let asked = 0;
  let edits = 0;
  let isOver = false;

  function ask(method: string, route: string, body = ''): Promise<boolean> {
    asked += 1;
    const startedAt = performance.now();
    const headers = {
      authorization: `Bearer ${adminToken}`,
      ...(body !== '' && { 'content-type': 'application/json' }),
    };
    return new Promise((resolve) => {
      const end = (what: string): void => {
        const tookMs = Math.round(performance.now() - startedAt);
        if (what !== '200') failed.push(`${method} ${route}: ${what} after ${tookMs} ms`);
        resolve(what === '200');
      };
      const call = request(url + route, { agent, method, headers }, (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (part: string) => (text += part));
        reply.on('error', ({ message }) => end(message));
        reply.on('end', () =>
          end(reply.statusCode === 200 ? '200' : `${reply.statusCode} ${text.slice(0, 200)}`),
        );
      });
      call.on('error', ({ message }) => end(message));
      call.end(body);
    });
  }

  async function edit(): Promise<void> {
    while (!isOver) {
      const id = itemIds[edits % itemIds.length] ?? '';
      const title = `Edit ${(edits += 1)}`;
      if (await ask('PATCH', `/api/items/${id}`, JSON.stringify({ title }))) titles.set(id, title);
    }
  }

  const startedAt = performance.now();
  let due = 0;
  const timer = setInterval(() => {
    const until = ((performance.now() - startedAt) / 1000) * rate;
    for (; due < until; due += 1) {
      if (open.size >= mostOpen) continue;
      const one = ask('GET', routes[due % routes.length] ?? '/');
      open.add(one);
      void one.then(() => open.delete(one));
    }
  }, tickMs);
  const editing = edit();

  return {
    stop: async () => {
      clearInterval(timer);
      const seconds = (performance.now() - startedAt) / 1000;
      isOver = true;
      await editing;
      await Promise.all(open);
      agent.destroy();
      return { asked, failed, titles, edits, rate: Math.round(asked / seconds) };
    },
  };
}
