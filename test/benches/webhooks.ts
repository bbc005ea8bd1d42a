import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { processTree, startServer, until, type TestServer } from '../support/servers/server.ts';
import type { Figure } from './figure.ts';
import { sized } from './size.ts';

const webhooks = 20;
const slowMs = sized(5000, 500);
const mostMs = 30 * 60_000;

/** Receivers at one address, told apart by their paths. */
interface Receivers {
  readonly server: Server;
  readonly host: string;
  /** Ids by path; a count above one is a repetition. */
  readonly taken: Map<string, Map<string, number>>;
  isSlow: boolean;
}

async function startReceivers(): Promise<Receivers> {
  const taken = new Map<string, Map<string, number>>();
  const server = createServer((request, response) => {
    const ids = taken.get(request.url ?? '') ?? new Map<string, number>();
    taken.set(request.url ?? '', ids);
    request.resume().on('end', () => {
      const answer = (): void => {
        if (response.destroyed) return;
        const id = String(request.headers['webhook-id']);
        ids.set(id, (ids.get(id) ?? 0) + 1);
        response.writeHead(204).end();
      };
      if (receivers.isSlow) setTimeout(answer, slowMs);
      else answer();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receivers: Receivers = { server, host: `127.0.0.1:${port}`, taken, isSlow: true };
  return receivers;
}

const countOf = ({ taken }: Receivers): number =>
  [...taken.values()].reduce((sum, ids) => sum + ids.size, 0);

async function makeWebhooks(server: TestServer, host: string): Promise<void> {
  await server.request('PUT', '/api/plugins/webhooks/configuration', { allowedHosts: [host] });
  for (let no = 0; no < webhooks; no += 1) {
    const made = { name: `Hook ${no}`, url: `http://${host}/${no}`, events: 'library.updated' };
    const { status, body } = await server.request('POST', '/api/webhooks', made);
    if (status !== 201) throw new Error(`The webhook was not made: ${JSON.stringify(body)}`);
  }
}

/** CPU that a process and all that it started have used. */
async function cpuMs(pid: number): Promise<number> {
  let ticks = 0;
  for (const one of await processTree(pid)) {
    const stat = await readFile(`/proc/${one}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  }
  return ticks * 10;
}

/** Makes so many events, a few at a time. */
async function happen(server: TestServer, libraryId: string, count: number): Promise<void> {
  let made = 0;
  const work = async (): Promise<void> => {
    while (made < count) {
      made += 1;
      await server.request('PATCH', `/api/libraries/${libraryId}`, { name: `Films ${made}` });
    }
  };
  await Promise.all([work(), work(), work(), work()]);
}

/**
 * So many deliveries wait when the server is killed. All of them arrive after the next start: how many
 * are lost, how many come twice, how fast they go, and what memory that takes.
 */
export async function benchWebhooks(deliveries: number): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-bench-webhooks-'));
  const media = path.join(folder, 'media');
  await mkdir(media);
  const data = path.join(folder, 'server');
  const receivers = await startReceivers();
  let server = await startServer({ data });
  try {
    const { body } = await server.request('POST', '/api/libraries', {
      name: 'Films',
      type: 'movies',
      roots: [pathToFileURL(media).href],
    });
    const { id } = (body as { library: { id: string } }).library;
    await makeWebhooks(server, receivers.host);
    const idleBytes = await server.memory();
    const events = Math.ceil(deliveries / webhooks);
    await happen(server, id, events);
    const fullBytes = await server.memory();
    await server.kill();
    const wanted = events * webhooks;
    const before = countOf(receivers);

    receivers.isSlow = false;
    const startedAt = performance.now();
    server = await startServer({ data });
    const cpuBefore = await cpuMs(server.pid);
    let peakBytes = fullBytes;
    await until(
      'all are delivered',
      async () => {
        peakBytes = Math.max(peakBytes, await server.memory());
        return countOf(receivers) >= wanted;
      },
      mostMs,
      500,
    ).catch((error: unknown) => console.error(error));
    const seconds = (performance.now() - startedAt) / 1000;
    const usedCpuMs = (await cpuMs(server.pid)) - cpuBefore;
    const counts = [...receivers.taken.values()].flatMap((ids) => [...ids.values()]);
    const repeated = counts.filter((count) => count > 1).length;
    const figure = (name: string, ours: number, goal: number, unit: string): Figure => ({
      name: `webhooks: ${name}, ${wanted} waiting at kill -9`,
      ours,
      bare: null,
      unit,
      goal,
    });
    return [
      figure('deliveries lost', wanted - countOf(receivers), 0, 'lost'),
      figure('deliveries repeated, same id', repeated, webhooks * 17, 'twice'),
      figure('deliveries in a second', (wanted - before) / seconds, -50, '/s'),
      figure('CPU of a delivery', usedCpuMs / (wanted - before), 8, 'ms'),
      figure('memory above idle', (peakBytes - idleBytes) / 2 ** 20, 200, 'MiB'),
    ];
  } finally {
    await server.stop();
    receivers.server.closeAllConnections();
    receivers.server.close();
    await rm(folder, { recursive: true, force: true });
  }
}
