import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { grant } from '../faults/watched-server.ts';
import { writePlugin } from '../faults/write-plugin.ts';
import {
  adminToken,
  processTree,
  startServer,
  until,
  type TestServer,
} from '../support/servers/server.ts';
import { collectedBytes, inspected } from './collected-bytes.ts';
import type { Figure } from './figure.ts';
import { createFilmTree } from './film-tree.ts';
import { hammer } from './hammer.ts';
import { scanAgain, scansEnd } from './scan.ts';
import { sized } from './size.ts';

const films = sized(1000, 100);
const requests = sized(500, 20);
const eventClients = sized(20, 2);
const intervals = 12;

/** What the server has at one moment. */
interface Sample {
  readonly minutes: number;
  /** MB after a collection. */
  readonly heldMb: number;
  readonly residentMb: number;
  /** Open files and sockets of the server. */
  readonly handles: number;
  /** The server and its plugin hosts. */
  readonly processes: number;
  readonly databaseMb: number;
}

/**
 * Everything that comes and goes, time after time: scans, requests, clients of the events, restarts of
 * plugins. It prints what the server has at each interval, and holds how much of it grows an hour.
 * The first third does not count: caches fill, and code is compiled.
 */
export async function benchSoak(minutes: number): Promise<readonly Figure[]> {
  const tree = createFilmTree(films);
  const data = mkdtempSync(path.join(tmpdir(), 'vitrine-bench-'));
  await writePlugin(data, {
    id: 'soaked',
    subscriptions: { events: ['library.*'] },
    definition: `events: { 'library.*': () => {} }`,
  });
  const args = ['--library', `movies:Films:${tree.path}`, '--ingest', 'off'];
  const server = await startServer({ data, args, env: inspected });
  try {
    await scansEnd(server);
    await grant(server, 'soaked');
    const samples: Sample[] = [];
    const start = performance.now();
    const passed = (): number => (performance.now() - start) / 60_000;
    let rounds = 0;
    while (passed() < minutes) {
      await round(server);
      rounds += 1;
      if (passed() < (samples.length * minutes) / intervals) continue;
      const sample = await sampleOf(server, passed());
      samples.push(sample);
      console.log(lineOf(sample, rounds));
    }
    return figures(samples.filter(({ minutes: at }) => at > minutes / 3));
  } finally {
    await server.stop();
    tree.remove();
    rmSync(data, { recursive: true });
  }
}

async function round(server: TestServer): Promise<void> {
  const headers = { authorization: `Bearer ${adminToken}` };
  const ending = new AbortController();
  const streams = Array.from({ length: eventClients }, (_, at) =>
    at % 2 === 0 ? openStream(server, ending.signal) : openSocket(server, ending.signal),
  );
  const closed = (await Promise.all(streams)).map((ends) => ends.closed);
  await scanAgain(server);
  const { items } = await server.get<{ items: readonly { id: string }[] }>('/api/items?limit=20');
  await hammer({
    url: server.url,
    headers,
    routes: [
      '/api/items?limit=50',
      '/api/health',
      '/api/search?q=lantern',
      '/api/nowhere',
      ...items.map(({ id }) => `/api/items/${id}`),
    ],
    connections: 10,
    requests,
  });
  await server.request('POST', '/api/plugins/soaked/restart');
  await until('the plugin runs again', async () => {
    const { plugin } = await server.get<{ plugin: { state: string } }>('/api/plugins/soaked');
    return plugin.state === 'running';
  });
  ending.abort();
  await Promise.all(closed);
}

/** A client that listens, and what settles when it has ended. */
interface Ends {
  readonly closed: Promise<unknown>;
}

async function openStream(server: TestServer, signal: AbortSignal): Promise<Ends> {
  const headers = { authorization: `Bearer ${adminToken}` };
  const reply = await fetch(`${server.url}/api/events`, { headers, signal });
  return { closed: reply.text().catch(() => undefined) };
}

async function openSocket(server: TestServer, signal: AbortSignal): Promise<Ends> {
  const protocols = ['vitrine.v1', `vitrine.token.${adminToken}`];
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/ws`, protocols);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  signal.addEventListener('abort', () => socket.close());
  return { closed: new Promise((resolve) => (socket.onclose = resolve)) };
}

async function sampleOf(server: TestServer, minutes: number): Promise<Sample> {
  const { held, resident } = await collectedBytes(server);
  const sizes = await Promise.all(
    ['', '-wal'].map((end) => stat(path.join(server.data, `vitrine.db${end}`)).catch(() => null)),
  );
  return {
    minutes,
    heldMb: held / 1e6,
    residentMb: resident / 1e6,
    handles: (await readdir(`/proc/${server.pid}/fd`)).length,
    processes: (await processTree(server.pid)).length,
    databaseMb: sizes.reduce((sum, one) => sum + (one?.size ?? 0), 0) / 1e6,
  };
}

const lineOf = (sample: Sample, rounds: number): string =>
  [
    `${sample.minutes.toFixed(1).padStart(6)} min, ${String(rounds).padStart(5)} rounds:`,
    `held ${sample.heldMb.toFixed(1)} MB, resident ${sample.residentMb.toFixed(0)} MB,`,
    `${sample.handles} handles, ${sample.processes} processes,`,
    `database ${sample.databaseMb.toFixed(1)} MB`,
  ].join(' ');

function figures(samples: readonly Sample[]): readonly Figure[] {
  const perHour = (
    name: string,
    valueOf: (sample: Sample) => number,
    unit: string,
    most: number,
  ) => {
    const grown = growth(samples.map((sample) => [sample.minutes / 60, valueOf(sample)]));
    const noise = (most * 60) / Math.max(1, samples.at(-1)?.minutes ?? 0);
    console.log(`  ${name}: ${grown > noise ? 'GROWS' : 'does not grow'}`);
    return { name: `soak: growth of ${name} an hour`, ours: grown, bare: null, unit, goal: noise };
  };
  return [
    perHour('memory held', ({ heldMb }) => heldMb, 'MB', 5),
    perHour('resident memory', ({ residentMb }) => residentMb, 'MB', 20),
    perHour('handles', ({ handles }) => handles, '', 5),
    perHour('processes', ({ processes }) => processes, '', 1),
    perHour('the database', ({ databaseMb }) => databaseMb, 'MB', 5),
  ];
}

/** The slope of the straight line that lies nearest to the points. */
function growth(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (of: (point: readonly [number, number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean(([at]) => at), mean(([, value]) => value)];
  const spread = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  if (spread === 0) return 0;
  return points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / spread;
}
