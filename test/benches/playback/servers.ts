/** Several servers on one PostgreSQL: pages, conversions, and segments of another server. */
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { cagedTranscoder } from '../../support/media/caged.ts';
import { segmentsOf } from '../../support/media/hls-rules.ts';
import { bars, makeMedia, tone } from '../../support/media/media-files.ts';
import { startCluster, type TestCluster } from '../../support/servers/cluster.ts';
import { allItems, jobsOver } from '../../support/servers/scan.ts';
import { processTree, until, type TestServer } from '../../support/servers/server.ts';
import { hasPostgres, stopServer } from '../../support/storage/postgres.ts';
import { median, type Figure } from '../figure.ts';
import { createFilmTree } from '../film-tree.ts';
import { createClient } from '../load.ts';
import { isSmallest, sized } from '../size.ts';

const films = sized(2000, 20);
const clients = 12;
const askedMs = sized(8000, 500);
const seconds = sized(120, 30);
/** Servers, PostgreSQL and clients need a core each; with fewer, only the work for a page can be compared. */
const coresFor = (servers: number): number => servers + 2;

export async function benchServers(): Promise<readonly Figure[]> {
  if (!hasPostgres()) {
    console.error('The figures of several servers are skipped: this machine has no PostgreSQL.');
    return [];
  }
  try {
    return [...(await pageFigures()), ...(await conversionFigures())];
  } finally {
    await stopServer();
  }
}

function at(cluster: TestCluster, no: number): TestServer {
  const server = cluster.servers[no];
  if (server === undefined) throw new Error(`There is no server ${no}.`);
  return server;
}

// --- Pages -------------------------------------------------------------------------------------------

interface Asked {
  readonly perSecond: number;
  /** Processor time of the servers for a page. */
  readonly cpuMs: number;
}

async function pageFigures(): Promise<readonly Figure[]> {
  const tree = createFilmTree(films);
  const cluster = await startCluster(3, [
    ...['--library', `movies:Films:${tree.path}`, '--ingest', 'off', '--scan-hours', '0'],
  ]);
  try {
    await jobsOver(at(cluster, 0), 300_000);
    await askPages(cluster.servers);
    const [one, two, three] = [
      await askPages(cluster.servers.slice(0, 1)),
      await askPages(cluster.servers.slice(0, 2)),
      await askPages(cluster.servers),
    ];
    return [
      {
        ...{ name: 'servers: pages a second of one', ours: one.perSecond, bare: null },
        ...{ unit: 'a second', goal: -1 },
      },
      figureOf(2, two, one),
      figureOf(3, three, one),
    ];
  } finally {
    await cluster.end();
    tree.remove();
  }
}

function figureOf(servers: number, ours: Asked, one: Asked): Figure {
  const name = `servers: ${servers} against one`;
  if (availableParallelism() >= coresFor(servers))
    return {
      ...{ name: `${name}, pages a second`, ours: ours.perSecond, bare: one.perSecond },
      ...{ unit: 'a second', goal: servers === 2 ? -1.8 : -2.5 },
    };
  console.log(`  ${servers} servers: ${Math.round(ours.perSecond)} pages a second on few cores`);
  return {
    ...{ name: `${name}, processor for a page`, ours: ours.cpuMs, bare: one.cpuMs },
    ...{ unit: 'ms', goal: 1.1 },
  };
}

/** Asks these servers for pages from a dozen connections, as fast as they answer. */
async function askPages(servers: readonly TestServer[]): Promise<Asked> {
  const before = await cpuOf(servers);
  const startedAt = performance.now();
  const route = '/api/items?limit=20&sortBy=title';
  let pages = 0;
  await Promise.all(
    Array.from({ length: clients }, async (_, no) => {
      const client = createClient(servers[no % servers.length]?.url ?? '');
      for (; performance.now() - startedAt < askedMs; pages += 1) await client.time(route);
      client.close();
    }),
  );
  const tookMs = performance.now() - startedAt;
  return {
    perSecond: (pages / tookMs) * 1000,
    cpuMs: ((await cpuOf(servers)) - before) / pages,
  };
}

/** Milliseconds of processor of these servers and their children. */
async function cpuOf(servers: readonly TestServer[]): Promise<number> {
  const tickMs = 10;
  let ticks = 0;
  for (const { pid } of servers)
    for (const one of await processTree(pid)) {
      const stat = await readFile(`/proc/${one}/stat`, 'utf8').catch(() => '');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
    }
  return ticks * tickMs;
}

// --- Conversions -------------------------------------------------------------------------------------

async function conversionFigures(): Promise<readonly Figure[]> {
  if (cagedTranscoder.kind === 'missing') {
    console.error(`The figures of conversion are skipped: ${cagedTranscoder.why}`);
    return [];
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-bench-servers-'));
  const size = isSmallest ? '160x120' : '640x360';
  const film = makeMedia('avi', [
    ...[...bars(seconds, size, '24'), ...tone(seconds)],
    ...['-c:v', 'mpeg4', '-q:v', '3', '-c:a', 'mp3', '-shortest'],
  ]);
  for (let no = 0; no < 5; no += 1) {
    const place = path.join(folder, `Old ${no} (2001)`);
    await mkdir(place);
    await copyFile(film, path.join(place, `Old ${no} (2001).avi`));
  }
  const cluster = await startCluster(2, [
    ...['--library', `movies:Films:${folder}`, '--scan-hours', '0'],
    ...['--internal-listen', '127.0.0.1:0', '--playback-conversions', '8'],
  ]);
  try {
    const [one, two] = [at(cluster, 0), at(cluster, 1)];
    await jobsOver(one, 120_000);
    const ids = (await allItems(one)).map(({ id }) => id);
    const segments = await segmentFigure([one, two], ids[0] ?? '');
    const alone = await convertAll([one, one], ids.slice(1, 3));
    const both = await convertAll([one, two], ids.slice(3, 5));
    const isWide = availableParallelism() >= 4;
    return [
      segments,
      {
        ...{ name: 'servers: two films converted by two against one', ours: alone, bare: both },
        ...{ unit: 's', goal: isWide ? -1.2 : -0.8 },
      },
    ];
  } finally {
    await cluster.end();
    await rm(folder, { recursive: true });
  }
}

interface Playing {
  readonly folder: string;
  readonly segments: readonly string[];
  readonly end: () => Promise<unknown>;
}

const everyPicture = ['avc1.640028', 'avc1.42c00d', 'avc1.42c01e'];
const client = {
  mse: [
    ...everyPicture.map((codec) => `video/mp4; codecs="${codec}"`),
    'audio/mp4; codecs="mp4a.40.2"',
  ],
  src: [],
};

async function begin(server: TestServer, itemId: string): Promise<Playing> {
  const body = { itemId, client, takesOver: false };
  const { status, body: reply } = await server.request('POST', '/api/playback/sessions', body);
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(reply)}`);
  const { id, url } = (reply as { session: { id: string; url: string } }).session;
  const base = url.slice(0, url.lastIndexOf('/'));
  const master = await textOf(server, url);
  const [list = ''] = /v0\/[^/"\n]+\/index\.m3u8/.exec(master) ?? [];
  const folder = `${base}/${list.slice(0, list.lastIndexOf('/'))}`;
  const playlist = await textOf(server, `${base}/${list}`);
  return {
    folder,
    segments: segmentsOf(playlist).map(({ uri }) => `${folder}/${uri}`),
    end: () => server.request('DELETE', `/api/playback/sessions/${id}`),
  };
}

async function textOf(server: TestServer, route: string): Promise<string> {
  const reply = await fetch(server.url + route);
  if (!reply.ok) throw new Error(`GET ${route}: ${reply.status} ${await reply.text()}`);
  return reply.text();
}

/** Segments that one server makes, at that server and at another one that fetches them there. */
async function segmentFigure(
  [maker, other]: readonly [TestServer, TestServer],
  itemId: string,
): Promise<Figure> {
  const { segments, end } = await begin(maker, itemId);
  const [here, there] = [createClient(maker.url), createClient(other.url)];
  await here.time(segments[0] ?? '');
  const local: number[] = [];
  const fetched: number[] = [];
  for (const segment of segments.slice(0, sized(12, 3))) {
    // The first to ask waits until it is made.
    await here.time(segment);
    local.push(await here.time(segment));
    fetched.push(await there.time(segment));
  }
  here.close();
  there.close();
  await end();
  return {
    ...{ name: 'servers: a segment of another server against its own', unit: 'ms', goal: 1.5 },
    ...{ ours: median(fetched), bare: median(local) },
  };
}

/** Seconds until the servers have converted a film each. */
async function convertAll(servers: readonly TestServer[], ids: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(
    servers.map(async (server, no) => {
      const { segments, end } = await begin(server, ids[no] ?? '');
      for (const segment of segments)
        await until('it is made', async () => (await fetch(server.url + segment)).ok);
      await end();
    }),
  );
  return (performance.now() - startedAt) / 1000;
}
