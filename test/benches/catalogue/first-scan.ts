import { startServer } from '../../support/servers/server.ts';
import { quantile, type Figure } from '../figure.ts';
import { generatedLibrary, libraryArguments } from '../generated-library.ts';
import { createClient, type Client } from '../load.ts';
import { indexed, scansEnd } from '../scan.ts';
import { writeBetween } from './catalogue-bench.ts';
import { sized } from '../size.ts';

const tiles = 'fields=tile&limit=60';
/** Lists that a person sees first, in the orders that pages offer. */
const lists = [
  `/api/items?sortBy=title&${tiles}`,
  `/api/items?sortBy=addedAt&sortOrder=desc&${tiles}`,
  `/api/items?sortBy=releasedAt&sortOrder=desc&${tiles}`,
  '/api/items/letters',
  '/api/entities?type=show&sortBy=name&limit=60',
  '/api/entities?type=show&sortBy=addedAt&sortOrder=desc&limit=60',
  '/api/entities/letters?type=show',
  '/api/entities?type=artist&sortBy=name&limit=60',
  '/api/home',
  '/api/search?q=the&limit=20&fields=tile',
] as const;
const quietTimes = sized(20, 2);
/** As of a person. */
const pauseMs = 400;
/** As of a program that reads the whole library. */
const shortPauseMs = 20;

/** Milliseconds of the answers of each list. */
type Times = ReadonlyMap<string, readonly number[]>;

/**
 * Lists while a first scan fills the library; prints those of the same lists when it has ended. It
 * measures PostgreSQL with `VITRINE_TEST_DATABASE=postgres`.
 */
export async function benchFirstScan(count: number): Promise<readonly Figure[]> {
  const folder = generatedLibrary(count);
  const server = await startServer({ args: [...libraryArguments(folder), '--ingest', 'off'] });
  const client = createClient(server.url);
  try {
    const { times: during } = await timesDuring(client, scansEnd(server), pauseMs);
    await indexed(server);
    const quiet = new Map<string, readonly number[]>();
    for (const list of lists)
      quiet.set(list, await writeBetween({ server, client }, list, quietTimes));
    for (const list of lists)
      console.log(`${list}: quiet ${wordsOf(quiet, list)}; in the scan ${wordsOf(during, list)}`);
    return [
      {
        name: `first scan of ${count} files: lists, p95`,
        ours: quantile([...during.values()].flat(), 0.95),
        bare: null,
        unit: 'ms',
        goal: 250,
      },
      {
        name: 'first scan: the slowest list',
        ours: Math.max(...[...during.values()].flat()),
        bare: null,
        unit: 'ms',
        goal: 1000,
      },
      await besideProgram(count / 10),
    ];
  } finally {
    client.close();
    await server.stop();
  }
}

/** Asks for the lists in turn until the scan has ended. */
async function timesDuring(
  client: Client,
  scan: Promise<number>,
  pause: number,
): Promise<{ readonly times: Times; readonly seconds: number }> {
  const times = new Map<string, number[]>(lists.map((list) => [list, []]));
  let isOver = false;
  const ended = scan.finally(() => (isOver = true));
  while (!isOver) {
    for (const list of lists) {
      times.get(list)?.push(await client.time(list));
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  const seconds = await ended;
  console.log(`first scan, asked every ${pause} ms: ${seconds.toFixed(1)} s`);
  return { times, seconds };
}

/** A first scan beside a program that asks again and again, against one that is alone. */
async function besideProgram(count: number): Promise<Figure> {
  const folder = generatedLibrary(count);
  const secondsOf = async (asks: boolean): Promise<number> => {
    const server = await startServer({ args: [...libraryArguments(folder), '--ingest', 'off'] });
    const client = createClient(server.url);
    try {
      const scan = scansEnd(server);
      return asks ? (await timesDuring(client, scan, shortPauseMs)).seconds : await scan;
    } finally {
      client.close();
      await server.stop();
    }
  };
  return {
    name: `first scan of ${count} files beside a program, against alone`,
    ours: await secondsOf(true),
    bare: await secondsOf(false),
    unit: 's',
    goal: 10,
  };
}

function wordsOf(times: Times, list: string): string {
  const all = times.get(list) ?? [];
  return `${quantile(all, 0.5).toFixed(0)} ms, at most ${Math.max(...all).toFixed(0)} ms`;
}
