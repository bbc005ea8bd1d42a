/** kill -9 in the middle of a scan: after the restart it ends with exactly the right items. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { rounds } from '../support/run/nightly.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { startServer, until } from '../support/servers/server.ts';

const kills = rounds(2, 8);
const films = 1200;

let tree: MediaTree;
let data: string;

beforeAll(async () => {
  tree = await createMediaTree();
  for (let film = 0; film < films; film++) {
    const name = `Film ${film} (${1950 + (film % 70)})`;
    await tree.write(`${String(film % 50).padStart(2, '0')}/${name}/${name}.mkv`);
  }
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
});

afterAll(async () => {
  await tree.remove();
  await rm(data, { recursive: true });
});

test(
  `a scan that is killed ${kills} times ends with every file once`,
  { timeout: 240_000 },
  async () => {
    const args = ['--library', `movies:Films:${tree.path}`, '--ingest', 'off'];
    let interrupted = 0;
    for (let kill = 0; kill < kills; kill++) {
      const server = await startServer({ data, args });
      const known = async () =>
        (await server.get<{ libraries: { itemCount: number }[] }>('/api/libraries')).libraries[0]
          ?.itemCount ?? 0;
      const wanted = (films / kills) * kill;
      await until('the scan has come further', async () => (await known()) >= wanted, undefined, 5);
      if ((await known()) < films) interrupted++;
      await server.kill();
    }

    const server = await startServer({ data, args });
    await jobsOver(server);
    const items = await allItems(server);
    const search = await server.get<{ itemsTotal: number }>('/api/search?q=Film&limit=1');
    await server.stop();

    expect(interrupted).toBeGreaterThan(0);
    expect(items).toHaveLength(films);
    expect(new Set(items.map(({ title }) => title)).size).toBe(films);
    expect(new Set(items.flatMap(({ files }) => files.map(({ uri }) => uri))).size).toBe(films);
    expect(search.itemsTotal).toBeLessThanOrEqual(films);
  },
);
