import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { grant } from '../faults/watched-server.ts';
import { writePlugin, type PluginText } from '../faults/write-plugin.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import { quantile, type Figure } from './figure.ts';
import { createFilmTree } from './film-tree.ts';
import { Patience } from './failures/patience.ts';
import { scansEnd } from './scan.ts';
import { visit, type Visit } from './visitors.ts';
import { sized } from './size.ts';

const visitors = sized(50, 5);
const plugins = sized(20, 2);
const shown = sized(2000, 100);
const idleMs = sized(20_000, 2000);
/** Then it gives up: a busy machine may need very long. */
const longestMs = sized(20 * 60_000, 100_000);
const longestStopMs = 15_000;

/**
 * Fifty clients and twenty plugins that hear of every item, while so many new items are scanned: no
 * answer may be an error, and answers may take half as long again as before and after the scan.
 */
export async function benchOverload(items: number): Promise<readonly Figure[]> {
  const [first, second] = [createFilmTree(shown), createFilmTree(items)];
  const data = mkdtempSync(path.join(tmpdir(), 'vitrine-bench-'));
  const ids = Array.from({ length: plugins }, (_, at) => `listener-${at}`);
  for (const id of ids) await writePlugin(data, listener(id));
  const patience = new Patience('overload', longestMs);
  const starting = startServer({
    data,
    args: ['--library', `movies:Shown:${first.path}`, '--ingest', 'off'],
  });
  let server: TestServer | null = null;
  try {
    server = await patience.wait('the start of the server', starting);
    return await measured(server, { patience, ids, items, root: second.path });
  } finally {
    const stopping = new Patience('overload', longestStopMs);
    // A server that is too busy to answer is too busy to stop in time.
    if (server === null)
      await stopping.wait(
        'the start',
        starting.then(({ kill }) => kill()),
      );
    else await stopping.wait('the stop', server.stop()).catch(server.kill);
    for (const tree of [first, second]) tree.remove();
    rmSync(data, { recursive: true, force: true });
  }
}

interface Measure {
  readonly patience: Patience;
  readonly ids: readonly string[];
  readonly items: number;
  /** The folder of the new items. */
  readonly root: string;
}

async function measured(
  server: TestServer,
  { patience, ids, items, root }: Measure,
): Promise<readonly Figure[]> {
  await patience.wait(`the scan of the first ${shown} items`, scansEnd(server));
  const granting = async (): Promise<void> => {
    for (const id of ids) await grant(server, id);
  };
  await patience.wait(`the start of ${plugins} plugins`, granting());
  const routes = await patience.wait('a list of items', routesOf(server));
  const during = (what: string, end: Promise<unknown>): Promise<Visit> =>
    patience.wait(what, visit(server.url, { visitors, pauseMs: 500, routes, end }));
  const idle = (ms = idleMs) =>
    during('the visit of an idle server', new Promise((resolve) => setTimeout(resolve, ms)));
  await idle(idleMs / 4);

  const before = await idle();
  const busy = await during(`the visit during a scan of ${items} items`, scanOf(server, root));
  const after = await idle();

  const quiet = [...before.times, ...after.times];
  const errors = [...before.errors, ...busy.errors, ...after.errors];
  for (const error of errors.slice(0, 10)) console.log(`  ${error}`);
  const title = `overload: ${visitors} clients, ${plugins} plugins, a scan of ${items}`;
  const p95 = { ours: quantile(busy.times, 0.95), bare: quantile(quiet, 0.95), unit: 'ms' };
  const asked = busy.times.length + quiet.length;
  return [
    { name: `${title}: p95 against idle`, ...p95, goal: 1.5 },
    { name: `${title}: errors of ${asked}`, ours: errors.length, bare: null, unit: '', goal: 0 },
  ];
}

/** Makes the library, and waits until its scan has ended. */
async function scanOf(server: TestServer, root: string): Promise<void> {
  await server.request('DELETE', '/api/jobs?status=completed');
  const library = { name: 'New', type: 'movies', roots: [`file://${root}`] };
  const { status, body } = await server.request('POST', '/api/libraries', library);
  if (status !== 201) throw new Error(`POST /api/libraries: ${status} ${JSON.stringify(body)}`);
  const { library: made } = body as { library: { id: string } };
  await server.request('POST', '/api/jobs', { type: 'scan', libraryId: made.id });
  await scansEnd(server);
}

/** What visitors look at: pages in each order, searches, and some of what is on them. */
async function routesOf(server: TestServer): Promise<readonly string[]> {
  const { items } = await server.get<{ items: readonly { id: string }[] }>('/api/items?limit=50');
  const sorts = ['title', 'addedAt', 'year'].flatMap((by) => [by, `${by}&sortOrder=desc`]);
  const terms = ['lantern', 'har', 'winter orchard', 'sig', 'quarry 12', 'merid'];
  return [
    ...sorts.map((by) => `/api/items?limit=50&sortBy=${by}`),
    ...terms.map((term) => `/api/search?limit=20&q=${encodeURIComponent(term)}`),
    ...items.slice(0, 30).map(({ id }) => `/api/items/${id}`),
    '/api/libraries',
    '/api/auth/me',
  ];
}

const listener = (id: string): PluginText => ({
  id,
  subscriptions: { events: ['library.item.added', 'library.scan.completed'] },
  definition: `events: {
    'library.item.added': () => {},
    'library.scan.completed': () => {},
  }`,
});
