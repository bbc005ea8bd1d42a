/** A real server under observation: is it up all along, and what does it tell? */
import type { Permissions } from '../../plugin-api/index.ts';
import { adminToken, startServer, until, type TestServer } from '../support/servers/server.ts';

/** An event as the feed sends it. */
export interface HeardEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A server that is asked for its health and for a search all along. */
export interface WatchedServer extends TestServer {
  /** Everything that `GET /api/events` has sent so far. */
  readonly events: readonly HeardEvent[];
  /** How often it was asked, and every answer that was not a 200 in time. */
  readonly watch: { readonly asked: number; readonly faults: readonly string[] };
}

const watchedRoutes = ['/api/health', '/api/search?q=film'];
const patienceMs = 5000;
/** Between two looks, so that it is not they that keep the machine busy. */
const pauseMs = 100;

/** Starts one over a data folder. */
export async function startWatchedServer(
  data: string,
  args: readonly string[] = [],
): Promise<WatchedServer> {
  const server = await startServer({ data, args });
  const ending = new AbortController();
  const events: HeardEvent[] = [];
  const watch = { asked: 0, faults: [] as string[] };
  await follow(server.url, events, ending.signal);

  async function ask(): Promise<void> {
    for (const route of watchedRoutes) {
      watch.asked += 1;
      const fault = await faultOf(server.url + route);
      if (fault !== null && !ending.signal.aborted) watch.faults.push(`${route}: ${fault}`);
    }
  }

  const asking = (async () => {
    while (!ending.signal.aborted) {
      await ask();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();

  return {
    ...server,
    events,
    watch,
    stop: async () => {
      ending.abort();
      await asking;
      return server.stop();
    },
  };
}

async function faultOf(url: string): Promise<string | null> {
  try {
    const reply = await fetch(url, {
      headers: { authorization: `Bearer ${adminToken}` },
      signal: AbortSignal.timeout(patienceMs),
    });
    await reply.arrayBuffer();
    const { status } = reply;
    return status === 200 ? null : `status ${status}`;
  } catch (error) {
    return String(error);
  }
}

/** Resolves when the feed is open, and goes on filling the list until the signal. */
export async function follow(url: string, into: HeardEvent[], signal: AbortSignal): Promise<void> {
  const reply = await fetch(`${url}/api/events`, {
    headers: { authorization: `Bearer ${adminToken}` },
    signal,
  });
  if (reply.status !== 200 || reply.body === null) throw new Error(`No events: ${reply.status}`);
  void read(reply.body, into);
}

async function read(body: ReadableStream<Uint8Array>, into: HeardEvent[]): Promise<void> {
  let rest = '';
  try {
    for await (const part of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('data: {"type"')) {
          into.push(JSON.parse(line.slice('data: '.length)) as HeardEvent);
        }
      }
    }
  } catch {
    // The feed ends with the test.
  }
}

/**
 * Grants a plugin permissions, with all that it serves, hears and takes part in, and waits until it runs.
 */
export async function grant(
  server: TestServer,
  pluginId: string,
  granted: object = {},
): Promise<void> {
  const route = `/api/plugins/${pluginId}`;
  const { asked } = await server.get<{ asked: Permissions }>(`${route}/permissions`);
  const { serves, hears, hooks } = asked;
  const { status, body } = await server.request('PUT', `${route}/permissions`, {
    granted: { serves, hears, hooks, ...granted },
  });
  if (status !== 200) throw new Error(`${pluginId} was not granted: ${JSON.stringify(body)}`);
  await until(`${pluginId} runs`, async () => {
    const { plugin } = await server.get<{ plugin: { state: string } }>(route);
    return plugin.state === 'running';
  });
}

/** Makes a plugin the provider of everything that it was granted to serve. */
export async function makeProvider(server: TestServer, pluginId: string): Promise<void> {
  const route = '/api/plugins/providers';
  const { providers } = await server.get<{
    providers: readonly { key: string; candidates: readonly { pluginId: string }[] }[];
  }>(route);
  const own = providers.filter(({ candidates }) =>
    candidates.some((candidate) => candidate.pluginId === pluginId),
  );
  for (const { key } of own)
    await server.request('PUT', `${route}/${encodeURIComponent(key)}`, { pluginId });
}

/** Makes a library over a folder and begins its scan. */
export async function beginScan(server: TestServer, root: string): Promise<void> {
  const made = await server.request('POST', '/api/libraries', {
    name: 'Films',
    type: 'movies',
    roots: [root],
  });
  const { library } = made.body as { library: { id: string } };
  const { status } = await server.request('POST', '/api/jobs', {
    type: 'scan',
    libraryId: library.id,
  });
  if (status !== 201) throw new Error(`The scan was not taken: ${status}`);
}
