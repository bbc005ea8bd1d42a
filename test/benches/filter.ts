import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processTree, startServer, type TestServer } from '../support/servers/server.ts';
import { openBare } from './bare/bare-limits.ts';
import { quantile, type Figure } from './figure.ts';
import { generatedLibrary, libraryArguments } from './generated-library.ts';
import { createClient, type Client } from './load.ts';
import { indexed, scansEnd } from './scan.ts';
import { searchTerms } from './search-terms.ts';
import { isSmallest, sized } from './size.ts';

/** What limited profiles may see, by the names of libraries. */
const profiles = {
  'two of four libraries up to PG-13': { Films: 'PG-13', Series: 'PG-13' },
  'one item of a thousand': {
    Films: 'FSK 0',
    Series: 'FSK 0',
    Music: 'FSK 0',
    Audiobooks: 'FSK 0',
  },
} as const;

/** An answer that found something has more bytes. */
const emptyAnswer = 200;
const rounds = sized(400, 20);
const warmUp = sized(40, 20);
const block = 20;

/**
 * What the access filter costs: lists and searches of limited profiles against those of one without
 * limits, taken in turn on the same server.
 */
export async function benchFilter(count: number): Promise<readonly Figure[]> {
  const data = mkdtempSync(path.join(tmpdir(), 'vitrine-bench-'));
  await fill(data, generatedLibrary(count));
  const server = await startServer({ data, args: ['--ingest', 'off'] });
  const everybody = createClient(server.url);
  const figures: Figure[] = [];
  for (const [name, access] of Object.entries(profiles)) {
    const limited = createClient(server.url, {
      'x-profile-id': await profile(server, name, access),
    });
    await rated(limited);
    for (const [what, routes] of Object.entries(questions)) {
      const [ours, bare] = await inTurn(server, [limited, everybody], routes);
      // How much it answers, so that a fast nothing shows.
      const title = `filter: ${what}, ${name} (${await limited.size(routes(0))} B)`;
      figures.push(
        {
          name: `${title}, p50`,
          ours: quantile(ours.times, 0.5),
          bare: quantile(bare.times, 0.5),
          unit: 'ms',
          goal: 1.2,
        },
        {
          name: `${title}, CPU`,
          ours: ours.cpuMs / ours.times.length,
          bare: bare.cpuMs / bare.times.length,
          unit: 'ms',
          goal: 1.2,
        },
      );
    }
    limited.close();
  }
  everybody.close();
  await server.stop();
  rmSync(data, { recursive: true });
  return figures;
}

/** Every block asks the same. */
const sorts = ['title', 'addedAt', 'year'].flatMap((by) => [by, `${by}&sortOrder=desc`]);
const questions: Readonly<Record<string, (at: number) => string>> = {
  'GET /api/items': (at) =>
    `/api/items?limit=50&sortBy=${sorts[(at % block) % sorts.length] ?? ''}`,
  'GET /api/search': (at) =>
    `/api/search?limit=20&q=${encodeURIComponent(searchTerms(at + 1)[at] ?? '')}`,
};

/** Scans a library, and rates what was found: seven of ten items, by the numbers of their rows. */
async function fill(data: string, folder: string): Promise<void> {
  const server = await startServer({
    data,
    args: [...libraryArguments(folder), '--ingest', 'off'],
  });
  await scansEnd(server);
  await indexed(server);
  await server.stop();
  const database = await openBare(path.join(data, 'vitrine.db'));
  const place = '(no * 7919) % 1000';
  const steps = ['G', 'PG', 'PG-13', 'R', 'NC-17', 'TV-PG', 'TV-14', 'TV-MA', 'FSK 12', 'FSK 16'];
  const rated = steps.map((step, at) => `when ${place} < ${370 + at * 70} then '${step}'`);
  await database.run(`update items set
    seq = seq + (select value from library_counter),
    certification = case when ${place} = 0 then 'FSK 0' when ${place} < 300 then null
      ${rated.join(' ')} end`);
  await database.run('update library_counter set value = value * 2');
  await database.close();
}

/** Waits until the search index has followed: what it finds for the profile grows no more. */
async function rated(limited: Client): Promise<void> {
  let last = 0;
  for (let same = 0; same < 8;) {
    const size = await limited.size('/api/search?q=the&limit=200');
    // Of a few items none may be left for the profile.
    const isThere = size > emptyAnswer || isSmallest;
    same = size === last && isThere ? same + 1 : 0;
    last = size;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function profile(
  server: TestServer,
  name: string,
  access: Readonly<Record<string, string>>,
): Promise<string> {
  const { libraries } = await server.get<{
    libraries: readonly { id: string; name: string }[];
  }>('/api/libraries');
  const libraryAccess = libraries.flatMap((library) => {
    const maxRating = access[library.name];
    return maxRating === undefined ? [] : { libraryId: library.id, maxRating };
  });
  const { status, body } = await server.request('POST', '/api/profiles', { name, libraryAccess });
  if (status !== 201) throw new Error(`POST /api/profiles: ${status} ${JSON.stringify(body)}`);
  return (body as { profile: { id: string } }).profile.id;
}

/** What the questions of one client cost: the waiting for each, and the server's processors for all. */
interface Cost {
  readonly times: number[];
  cpuMs: number;
}

/** The clients change places after each block of questions. */
async function inTurn(
  server: TestServer,
  [one, other]: readonly [Client, Client],
  routes: (at: number) => string,
): Promise<readonly [Cost, Cost]> {
  const ours: Cost = { times: [], cpuMs: 0 };
  const bare: Cost = { times: [], cpuMs: 0 };
  for (let at = -warmUp; at < rounds; at += block) {
    const turns = [
      [one, ours],
      [other, bare],
    ] as const;
    for (const [client, cost] of (at / block) % 2 === 0 ? turns : turns.toReversed()) {
      const before = await cpuMsOf(server);
      const times: number[] = [];
      for (let next = 0; next < block; next++)
        times.push(await client.time(routes(at + warmUp + next)));
      const after = await cpuMsOf(server);
      if (at < 0) continue;
      cost.times.push(...times);
      cost.cpuMs += after - before;
    }
  }
  return [ours, bare];
}

const msPerTick = 10;

/** Processor time of the server and all of its plugin hosts. */
async function cpuMsOf({ pid }: TestServer): Promise<number> {
  let ticks = 0;
  for (const one of await processTree(pid)) {
    const stat = await readFile(`/proc/${one}/stat`, 'utf8').catch(() => '');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    ticks += Number(user ?? 0) + Number(system ?? 0);
  }
  return ticks * msPerTick;
}
