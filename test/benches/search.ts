import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer } from '../support/servers/server.ts';
import { openBare, type BareDatabase } from './bare/bare-limits.ts';
import { quantile, type Figure } from './figure.ts';
import { generatedLibrary, libraryArguments } from './generated-library.ts';
import { createClient } from './load.ts';
import { indexed, scansEnd } from './scan.ts';
import { searchTerms } from './search-terms.ts';
import { watchMemory } from './catalogue/watch-memory.ts';
import { sized } from './size.ts';

/**
 * Search over HTTP against a bare ranked FTS5 query of the same text over the same titles, taken in
 * turn; and the memory of the server with all of its hosts while it scans.
 */
export async function benchSearch(count: number): Promise<readonly Figure[]> {
  const folder = generatedLibrary(count);
  const data = mkdtempSync(path.join(tmpdir(), 'vitrine-bench-'));
  const server = await startServer({
    data,
    args: [...libraryArguments(folder), '--ingest', 'off'],
  });
  const memory = watchMemory(server);
  const scanSeconds = await scansEnd(server);
  await indexed(server);
  const peakMb = (await memory.stop()) / 1e6;
  const bare = await bareIndex(path.join(data, 'vitrine.db'), path.join(data, 'bare.db'));
  const client = createClient(server.url);
  const timeOurs = (text: string, fields: 'full' | 'tile' = 'full') =>
    client.time(`/api/search?q=${encodeURIComponent(text)}&limit=20&fields=${fields}`);
  const ours: number[] = [];
  const tiles: number[] = [];
  const again: number[] = [];
  const theirs: number[] = [];
  for (const [at, term] of searchTerms(sized(600, 120)).entries()) {
    // With spaces behind it the text is the same, and a question that was not asked before.
    const text = term + ' '.repeat(at / 20);
    const ourTime = await timeOurs(text);
    const againTime = await timeOurs(text);
    const tileTime = await timeOurs(text, 'tile');
    const theirTime = await timeBare(bare, term);
    if (at < 100) continue;
    tiles.push(tileTime);
    ours.push(ourTime);
    again.push(againTime);
    theirs.push(theirTime);
  }
  client.close();
  await bare.close();
  await server.stop();
  rmSync(data, { recursive: true });
  const pair = (share: number, times = ours) => ({
    ours: quantile(times, share),
    bare: quantile(theirs, share),
    unit: 'ms',
  });
  return [
    { name: `search: p50 over ${count} files, against bare FTS5`, ...pair(0.5), goal: 2.2 },
    { name: `search: p50 of tiles, against bare FTS5`, ...pair(0.5, tiles), goal: 2.2 },
    { name: `search: p99 over ${count} files, against bare FTS5`, ...pair(0.99), goal: 5 },
    { name: `search: p50 of the same text once more`, ...pair(0.5, again), goal: 2 },
    {
      name: `memory: peak of a first scan of ${count} files`,
      ours: peakMb,
      bare: null,
      unit: 'MB',
      goal: 400,
    },
    { name: `scan: first, ${count} files`, ours: scanSeconds, bare: null, unit: 's', goal: 60 },
  ];
}

async function bareIndex(source: string, target: string): Promise<BareDatabase> {
  const bare = await openBare(target);
  await bare.run(`attach database '${source}' as source`);
  await bare.run(
    `create virtual table titles using fts5 (title, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3')`,
  );
  await bare.run('insert into titles (title) select title from source.items');
  await bare.run('detach database source');
  return bare;
}

async function timeBare(bare: BareDatabase, text: string): Promise<number> {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const query = words.map((word, at) => `"${word}"${at === words.length - 1 ? '*' : ''}`).join(' ');
  const start = performance.now();
  await bare.all('select rowid, title from titles where titles match ? order by rank limit 20', [
    query,
  ]);
  return performance.now() - start;
}
