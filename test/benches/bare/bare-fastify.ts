import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { adminToken, startServer, type TestServer } from '../../support/servers/server.ts';
import type { Figure } from '../figure.ts';
import { startBare, type BareServer } from './start-bare.ts';
import { generatedLibrary, libraryArguments } from '../generated-library.ts';
import { cpuMsOf, hammer, type Round } from '../hammer.ts';
import { indexed, scansEnd } from '../scan.ts';
import { sized } from '../size.ts';

const headers = { authorization: `Bearer ${adminToken}` };
const connections = 20;
const rounds = sized(8, 1);

interface Cost {
  requests: number;
  seconds: number;
  cpuMs: number;
}

/**
 * The requests per second of two routes against a fastify that answers the same bytes and does
 * nothing for them, in turn on the same machine; and the processor time that a request costs each.
 */
export async function benchBareFastify(count: number): Promise<readonly Figure[]> {
  const data = mkdtempSync(path.join(tmpdir(), 'vitrine-bench-'));
  const args = [...libraryArguments(generatedLibrary(count)), '--ingest', 'off'];
  const server = await startServer({ data, args });
  await scansEnd(server);
  await indexed(server);
  const bare = await startBare();
  try {
    const pages = await pagesOf(server, 'title', 'asc');
    await bare.readFrom(path.join(data, 'vitrine.db'));
    return [
      ...(await against(server, bare, {
        name: 'GET /api/items, one page of 50 again and again',
        routes: pages.slice(0, 1),
        requests: sized(500, 50),
        goal: 0.35,
      })),
      ...(await against(server, bare, {
        name: `GET /api/items, ${pages.length} pages of 50 in turn`,
        routes: pages,
        requests: sized(500, 50),
        goal: 0.35,
      })),
      ...(await uncached(server, bare)),
      ...(await against(server, bare, {
        name: 'GET /api/health',
        routes: ['/api/health'],
        requests: sized(10_000, 100),
        goal: 0.6,
      })),
    ];
  } finally {
    bare.stop();
    await server.stop();
    rmSync(data, { recursive: true });
  }
}

/**
 * Pages of which the server has kept none: there are twice as many as it keeps, and each comes again
 * after all the others. The other server reads its 50 rows by one statement, and nothing beside them.
 */
async function uncached(server: TestServer, bare: BareServer): Promise<readonly Figure[]> {
  const routes: string[] = [];
  for (const sortBy of ['title', 'addedAt', 'year'])
    for (const order of ['asc', 'desc']) routes.push(...(await pagesOf(server, sortBy, order)));
  return compare(
    [
      { server, routes },
      { server: bare, routes: ['/rows'] },
    ],
    { name: 'GET /api/items, a page that nobody asked for', requests: routes.length, goal: 0.25 },
  );
}

/** The paths of the pages of a list of all items, as a client walks through it. */
async function pagesOf(
  server: TestServer,
  sortBy: string,
  sortOrder: string,
): Promise<readonly string[]> {
  const pages: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null && pages.length < 200) {
    const list = `/api/items?limit=50&sortBy=${sortBy}&sortOrder=${sortOrder}`;
    const route: string = cursor === '' ? list : `${list}&cursor=${cursor}`;
    const page = await server.get<{ nextCursor: string | null }>(route);
    if (page.nextCursor !== null) pages.push(route);
    cursor = page.nextCursor === null ? null : encodeURIComponent(page.nextCursor);
  }
  return pages;
}

async function against(
  server: TestServer,
  bare: BareServer,
  question: {
    readonly name: string;
    readonly routes: readonly string[];
    readonly requests: number;
    readonly goal: number;
  },
): Promise<readonly Figure[]> {
  const { routes } = question;
  for (const route of routes) {
    const reply = await fetch(server.url + route, { headers });
    await bare.serve(route, await reply.text());
  }
  return compare(
    [
      { server, routes },
      { server: bare, routes },
    ],
    question,
  );
}

interface Side {
  readonly server: { readonly url: string; readonly pid: number };
  readonly routes: readonly string[];
}

async function compare(
  [ourSide, theirSide]: readonly [Side, Side],
  question: { readonly name: string; readonly requests: number; readonly goal: number },
): Promise<readonly Figure[]> {
  const { name, requests, goal } = question;
  const [ours, theirs] = [newCost(), newCost()];
  for (let round = -2; round < rounds; round += 1) {
    const turns = [
      [ourSide, ours],
      [theirSide, theirs],
    ] as const;
    for (const [{ server, routes }, cost] of round % 2 === 0 ? turns : turns.toReversed()) {
      const { url, pid } = server;
      const before = await cpuMsOf(pid);
      const done = await hammer({ url, routes, headers, connections, requests });
      if (round >= 0) add(cost, done, (await cpuMsOf(pid)) - before);
    }
  }
  return [
    {
      name: `${name}: requests per second`,
      ours: ours.requests / ours.seconds,
      bare: theirs.requests / theirs.seconds,
      unit: '/s',
      goal: -goal,
    },
    {
      name: `${name}: processor time`,
      ours: ours.cpuMs / ours.requests,
      bare: theirs.cpuMs / theirs.requests,
      unit: 'ms',
      goal: 1 / goal,
    },
  ];
}

const newCost = (): Cost => ({ requests: 0, seconds: 0, cpuMs: 0 });

function add(cost: Cost, { requests, seconds, statuses }: Round, cpuMs: number): void {
  if (statuses.get(200) !== requests)
    throw new Error(`Not all answered 200: ${JSON.stringify([...statuses])}`);
  cost.requests += requests;
  cost.seconds += seconds;
  cost.cpuMs += cpuMs;
}
