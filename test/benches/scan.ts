import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer, type TestServer } from '../support/servers/server.ts';
import { bareInsertSeconds, bareWalkSeconds } from './bare/bare-limits.ts';
import { changedFiles } from './changed-files.ts';
import { median, quantile, type Figure } from './figure.ts';
import { generatedLibrary, libraryArguments } from './generated-library.ts';
import { createClient } from './load.ts';
import { searchTerms } from './search-terms.ts';
import { sized } from './size.ts';

/** The tables whose rows a scan writes. */
const scannedTables = ['items', 'files', 'entities', 'item_entities'];

interface JobList {
  readonly jobs: readonly {
    readonly id: string;
    readonly type: string;
    readonly status: string;
    readonly createdAt: string;
    readonly completedAt: string | null;
    readonly errorMessage: string | null;
  }[];
  readonly counts: Readonly<Record<string, number>>;
}

/** First scan and re-scans against the bare walk and inserts, and each other; search while a scan runs. */
export async function benchScan(count: number, rounds = 3): Promise<readonly Figure[]> {
  const folder = generatedLibrary(count);
  const first = [];
  const again = [];
  const floor = [];
  const walk = [];
  let last: readonly Figure[] = [];
  for (let round = 0; round < rounds; round++) {
    const data = mkdtempSync(path.join(tmpdir(), 'vitrine-bench-'));
    const args = [...libraryArguments(folder), '--ingest', 'off'];
    const server = await startServer({ data, args });
    first.push(await scansEnd(server));
    await indexed(server);
    walk.push(bareWalkSeconds(folder));
    again.push(await scanAgain(server));
    if (round === rounds - 1) {
      const rescan = async () => {
        const reply = await scanAgain(server);
        await indexed(server);
        return reply;
      };
      const changed = await changedFiles(rescan, folder, median(again));
      last = [changed, await searchDuringScan(server)];
    }
    await server.stop();
    const database = path.join(data, 'vitrine.db');
    const insert = await bareInsertSeconds(database, scannedTables, path.join(data, 'bare.db'));
    floor.push((walk.at(-1) ?? 0) + insert);
    rmSync(data, { recursive: true });
  }
  return [
    {
      name: `scan: first, ${count} files, names only`,
      ours: median(first),
      bare: median(floor),
      unit: 's',
      goal: 3,
    },
    {
      name: `scan: again, nothing changed`,
      ours: median(again),
      bare: median(walk),
      unit: 's',
      goal: 3,
    },
    ...last,
  ];
}

/** Seconds from the first scan's making to the last one's end. */
export async function scansEnd(server: TestServer): Promise<number> {
  return jobsEnd(server, (job) => job.type === 'scan');
}

/** Seconds from the making of the first of these jobs to the end of the last one. */
export async function jobsEnd(
  server: TestServer,
  isMeant: (job: JobList['jobs'][number]) => boolean,
): Promise<number> {
  for (;;) {
    const { jobs, counts } = await server.get<JobList>('/api/jobs?limit=500');
    if (counts['failed']) throw new Error(`A job failed: ${JSON.stringify(jobs)}`);
    const meant = jobs.filter(isMeant);
    if (meant.length > 0 && meant.every(({ completedAt }) => completedAt !== null)) {
      const starts = meant.map((job) => Date.parse(job.createdAt));
      const ends = meant.map((job) => Date.parse(job.completedAt ?? ''));
      return (Math.max(...ends) - Math.min(...starts)) / 1000;
    }
    // Seldom: a client that asks all the time is one for whom a scan makes room.
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/**
 * Waits until the search plugin has caught up: until the count of a frequent word stands still, and has
 * reached the number of items that are known to have it.
 */
export async function indexed(server: TestServer, word?: string, atLeast = 1): Promise<void> {
  let last = -1;
  for (let same = 0; same < 5;) {
    const { itemsTotal } = await server.get<{ itemsTotal: number }>(
      `/api/search?q=${word ?? 'the'}&limit=1`,
    );
    const isThere = word === undefined || itemsTotal >= atLeast;
    same = isThere && itemsTotal === last ? same + 1 : 0;
    last = itemsTotal;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
}

async function startScans(server: TestServer): Promise<void> {
  await server.request('DELETE', '/api/jobs?status=completed');
  const { libraries } = await server.get<{ libraries: readonly { id: string }[] }>(
    '/api/libraries',
  );
  for (const { id } of libraries)
    await server.request('POST', '/api/jobs', { type: 'scan', libraryId: id });
}

/** Seconds of one more scan of every library. */
export async function scanAgain(server: TestServer): Promise<number> {
  await startScans(server);
  return scansEnd(server);
}

/** p95 of a search while scans run one after the other, against idle. */
async function searchDuringScan(server: TestServer): Promise<Figure> {
  const client = createClient(server.url);
  const terms = searchTerms(60);
  let asked = 0;
  const round = async (requests: number) => {
    const times = [];
    for (let at = 0; at < requests; at++) {
      asked += 1;
      // With spaces behind it the text is the same, and a question that was not asked before.
      const text = (terms[at % terms.length] ?? '') + ' '.repeat(asked / 20);
      times.push(await client.time(`/api/search?q=${encodeURIComponent(text)}`));
    }
    return quantile(times, 0.95);
  };
  await round(sized(200, 5));
  const idle = await round(sized(600, 20));
  await forgetEverything(server);
  const busy = await round(sized(600, 20));
  await scansEnd(server);
  client.close();
  return {
    name: 'search: p95 while a scan runs, against idle',
    ours: busy,
    bare: idle,
    unit: 'ms',
    goal: 1.5,
  };
}

/** Makes the next scan a first one again, and starts it. */
async function forgetEverything(server: TestServer): Promise<void> {
  const { libraries } = await server.get<{
    libraries: readonly { id: string; name: string; type: string; roots: readonly string[] }[];
  }>('/api/libraries');
  await server.request('DELETE', '/api/jobs?status=completed');
  for (const { name, type, roots } of libraries) {
    const copy = { name: `${name} again`, type, roots };
    const { body } = await server.request('POST', '/api/libraries', copy);
    const { library } = body as { library: { id: string } };
    await server.request('POST', '/api/jobs', { type: 'scan', libraryId: library.id });
  }
}
