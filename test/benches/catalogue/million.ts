import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer, type TestServer } from '../../support/servers/server.ts';
import { median, quantile, type Figure } from '../figure.ts';
import { createClient } from '../load.ts';
import { indexed, scanAgain, scansEnd } from '../scan.ts';
import { watchMemory } from './watch-memory.ts';
import { writeBetween } from './catalogue-bench.ts';
import { freshPages } from './lists.ts';
import { createNamedTree, frequentWord, treeTerms } from './named-tree.ts';
import { sized } from '../size.ts';

/** What one size of the library costs. */
interface Costs {
  readonly page: number;
  readonly letters: number;
  readonly search: number;
  readonly againSeconds: number;
  readonly peakMb: number;
}

const times = 10;

/**
 * Growth: names only, a library of ten times the files against one of the same shape. Ten files in
 * each folder.
 */
export async function benchMillion(files: number): Promise<readonly Figure[]> {
  const small = await costsOf(files / times);
  const large = await costsOf(files);
  const growth = (name: string, key: 'page' | 'letters' | 'search', unit = 'ms'): Figure => ({
    name: `${name}, p50 at ${files} files against ${files / times}`,
    ours: large[key],
    bare: small[key],
    unit,
    goal: 2,
  });
  return [
    growth('million: page of 60 tiles', 'page'),
    growth('million: letters', 'letters'),
    growth('million: search', 'search'),
    {
      name: 'million: scan again, nothing changed',
      ours: large.againSeconds,
      bare: small.againSeconds,
      unit: 's',
      goal: 12,
    },
    {
      name: 'million: peak of the server and its hosts',
      ours: large.peakMb,
      bare: null,
      unit: 'MB',
      goal: 1200,
    },
  ];
}

async function costsOf(files: number): Promise<Costs> {
  const tree = createNamedTree(files);
  const data = mkdtempSync(path.join(tmpdir(), 'vitrine-bench-'));
  const server = await startServer({ data, args: [...tree.arguments, '--ingest', 'off'] });
  const memory = watchMemory(server);
  try {
    console.log(`first scan of ${files} files: ${(await scansEnd(server)).toFixed(1)} s`);
    // Until then the search plugin reads titles while pages are measured.
    await indexed(server, frequentWord, tree.frequent);
    const figures = await read(server);
    // The first one reads folders that the system has dropped from memory.
    const again = [await scanAgain(server), await scanAgain(server), await scanAgain(server)];
    return { ...figures, againSeconds: median(again), peakMb: (await memory.stop()) / 1e6 };
  } finally {
    await memory.stop();
    await server.stop();
    rmSync(data, { recursive: true });
    tree.remove();
  }
}

async function read(server: TestServer): Promise<Pick<Costs, 'page' | 'letters' | 'search'>> {
  const client = createClient(server.url);
  const pages: number[] = [];
  for (const route of await freshPages({ server })) pages.push(await client.time(route));
  const letters = await writeBetween({ server, client }, '/api/items/letters', 60);
  const searches: number[] = [];
  for (const text of treeTerms(sized(300, 60)))
    searches.push(await client.time(`/api/search?q=${encodeURIComponent(text)}&limit=20`));
  client.close();
  return {
    page: quantile(pages, 0.5),
    letters: quantile(letters, 0.5),
    search: quantile(searches.slice(50), 0.5),
  };
}
