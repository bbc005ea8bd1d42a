import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer } from '../../support/servers/server.ts';
import { startBare } from '../bare/start-bare.ts';
import type { Figure } from '../figure.ts';
import { generatedLibrary, libraryArguments } from '../generated-library.ts';
import { createClient } from '../load.ts';
import { indexed, scansEnd } from '../scan.ts';
import type { CatalogueFigures } from './catalogue-bench.ts';
import { entityFigures, homeFigures } from './first-page.ts';
import { filteredFigures, keptPageFigures, letterFigures, pageFigures } from './lists.ts';

/** What is measured, in this order. */
const parts: Readonly<Record<string, CatalogueFigures>> = {
  page: pageFigures,
  filters: filteredFigures,
  letters: letterFigures,
  kept: keptPageFigures,
  home: homeFigures,
  entities: entityFigures,
};

/** What the first pages of a client cost, over a library of so many files; `only` names one part. */
export async function benchCatalogue(count: number, only = ''): Promise<readonly Figure[]> {
  const asked = Object.entries(parts).filter(([name]) => only === '' || only === name);
  if (asked.length === 0) return [];
  const data = mkdtempSync(path.join(tmpdir(), 'vitrine-bench-'));
  const args = [...libraryArguments(generatedLibrary(count)), '--ingest', 'off'];
  const server = await startServer({ data, args });
  await scansEnd(server);
  await indexed(server);
  const bare = await startBare();
  const client = createClient(server.url);
  try {
    const figures: Figure[] = [];
    for (const [, part] of asked)
      figures.push(
        ...(await part({ server, client, bare, database: path.join(data, 'vitrine.db'), count })),
      );
    return figures;
  } finally {
    client.close();
    bare.stop();
    await server.stop();
    rmSync(data, { recursive: true });
  }
}
