/**
 * A whole server that delivers to a webhook, killed again and again (SIGKILL). What it acknowledged has
 * to arrive, at least once, with one id for each event, however often it was killed meanwhile.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { startHttpSource } from '../servers/http-source.ts';
import { startServer, until, type TestServer } from '../servers/server.ts';

/** Deliveries to interrupt. */
export interface KilledDeliveries {
  /** Starts the server, makes things happen, and kills it at a random moment. */
  readonly kill: () => Promise<void>;
  /** So many changes were acknowledged. */
  readonly acknowledged: () => number;
  /** Starts it once more, and gives what did not arrive, or came as two events. */
  readonly wrongs: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** Prepares a server with one webhook; a life makes things happen for so long at most. */
export async function openKilledDeliveries(
  random: () => number,
  longestLifeMs: number,
): Promise<KilledDeliveries> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-deliveries-'));
  const data = path.join(folder, 'server');
  const media = path.join(folder, 'media');
  await mkdir(media);
  /** The ids with which each name came. */
  const arrived = new Map<string, Set<string>>();
  const receiver = await startHttpSource(async (request, response) => {
    const { data: told } = JSON.parse(await text(request)) as { data: { name: string } };
    const ids = arrived.get(told.name) ?? new Set();
    arrived.set(told.name, ids.add(String(request.headers['webhook-id'])));
    response.writeHead(200).end('{}');
  });
  const acknowledged: string[] = [];
  let asked = 0;

  const first = await startServer({ data });
  const made = await first.request('POST', '/api/libraries', {
    ...{ name: 'Films', type: 'movies', roots: [pathToFileURL(media).href] },
  });
  const { library } = made.body as { library: { id: string } };
  await first.request('PUT', '/api/plugins/webhooks/configuration', {
    allowedHosts: [receiver.host],
  });
  const hook = { name: 'x', url: receiver.url, events: 'library.updated' };
  const { status } = await first.request('POST', '/api/webhooks', hook);
  if (status !== 201) throw new Error(`The webhook was not made: ${status}`);
  await first.stop();

  async function rename(server: TestServer): Promise<void> {
    const name = `name ${asked++}`;
    const answer = await server.request('PATCH', `/api/libraries/${library.id}`, { name });
    if (answer.status === 200) acknowledged.push(name);
  }

  return {
    kill: async () => {
      const server = await startServer({ data });
      // A life has something to lose, however slow the machine is.
      await rename(server);
      const endsAt = performance.now() + random() * longestLifeMs;
      const dying = new Promise<void>((resolve) =>
        setTimeout(() => resolve(server.kill()), Math.max(1, endsAt - performance.now())),
      );
      // The last one is cut off in the middle.
      while (performance.now() < endsAt) await rename(server).catch(() => undefined);
      await dying;
    },
    acknowledged: () => acknowledged.length,
    wrongs: async () => {
      const server = await startServer({ data });
      const missing = () => acknowledged.filter((name) => !arrived.has(name));
      await until('all have arrived', () => missing().length === 0, 60_000).catch(() => undefined);
      await server.stop();
      const twice = [...arrived].filter(([, ids]) => ids.size > 1);
      return [
        ...missing().map((name) => `${name} was acknowledged and did not arrive`),
        ...twice.map(([name, ids]) => `${name} came as ${ids.size} events`),
      ];
    },
    close: async () => {
      await receiver.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
