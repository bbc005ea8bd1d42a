/** Requests that cost their sender little, so that the machine is left to the server. */
import { readdir, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';

/** What a round of requests cost. */
export interface Round {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds of each request, as its client saw it. */
  readonly times: readonly number[];
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
}

/** How to ask. */
export interface RoundOptions {
  readonly url: string;
  /** The path of each request, in turn. */
  readonly routes: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly requests: number;
}

/** Sends so many requests over so many kept connections, each with one on its way. */
export async function hammer(options: RoundOptions): Promise<Round> {
  const { url, routes, headers = {}, connections, requests } = options;
  const { hostname, port, host } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const texts = routes.map((route) =>
    Buffer.from(`GET ${route} HTTP/1.1\r\n${lines.join('')}\r\n`),
  );
  const times: number[] = [];
  const statuses = new Map<number, number>();
  let sent = 0;
  const next = (): Buffer | undefined => {
    if (sent >= requests) return undefined;
    sent += 1;
    return texts[sent % texts.length];
  };
  const start = performance.now();
  await Promise.all(
    Array.from({ length: connections }, () =>
      oneConnection(connect(Number(port), hostname), next, (status, ms) => {
        times.push(ms);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }),
    ),
  );
  return { requests, seconds: (performance.now() - start) / 1000, times, statuses };
}

/** Asks over one connection until there is nothing more to ask. */
function oneConnection(
  socket: Socket,
  next: () => Buffer | undefined,
  answered: (status: number, ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let from = 0;
    let missing = -1;
    let status = 0;
    let head = '';
    const ask = (): void => {
      const text = next();
      if (text === undefined) {
        socket.end();
        resolve();
        return;
      }
      missing = -1;
      head = '';
      from = performance.now();
      socket.write(text);
    };
    socket.setNoDelay(true);
    socket.on('connect', ask);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The server closed a connection.')));
    socket.on('data', (part: Buffer) => {
      if (missing < 0) {
        head += part.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        status = Number(head.slice(9, 12));
        const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1];
        if (length === undefined) {
          reject(new Error(`No length: ${head.slice(0, end)}`));
          return;
        }
        missing = Number(length) - (head.length - end - 4);
      } else {
        missing -= part.length;
      }
      if (missing > 0) return;
      answered(status, performance.now() - from);
      ask();
    });
  });
}

/**
 * Processor time of a process so far, of all its threads, in milliseconds. Of a thread that has ended
 * nothing is counted, so it is for servers, whose threads stay.
 */
export async function cpuMsOf(pid: number): Promise<number> {
  const tasks = `/proc/${pid}/task`;
  let nanoseconds = 0;
  for (const thread of await readdir(tasks)) {
    const stat = await readFile(`${tasks}/${thread}/schedstat`, 'utf8').catch(() => '0');
    nanoseconds += Number(stat.split(' ')[0]);
  }
  return nanoseconds / 1e6;
}
