/** What changes on the disk is in the library within seconds, without anybody asking for a scan. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media-tree.ts';
import { allItems, jobsOver } from '../support/scan.ts';
import { startServer, until, type TestServer } from '../support/server.ts';

const withinMs = 5000;

let tree: MediaTree;
let server: TestServer;

beforeEach(async () => {
  tree = await createMediaTree([
    'films/Alien (1979)/Alien (1979).mkv',
    'films/Brazil (1985)/Brazil (1985).mkv',
  ]);
  server = await startServer({
    args: ['--library', `movies:Films:${tree.path}/films`],
    env: { VITRINE_WATCH: 'on' },
  });
  await becomes([alien, brazil], 30_000);
  await jobsOver(server);
});

afterEach(async () => {
  await server.stop();
  await tree.remove();
});

/** The files that are there, by path below the root, with the id of their item. */
async function library(): Promise<ReadonlyMap<string, string>> {
  const prefix = `file://${tree.path}/films/`;
  const items = await allItems(server);
  const files = items.flatMap(({ id, files: some }) =>
    some
      .filter(({ status }) => status !== 'missing')
      .map(({ uri }): [string, string] => [decodeURIComponent(uri.slice(prefix.length)), id]),
  );
  return new Map(files.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const names = async (): Promise<readonly string[]> => [...(await library()).keys()];

/** Waits until the library has exactly these files. */
async function becomes(wanted: readonly string[], timeoutMs = withinMs): Promise<void> {
  const sorted = [...wanted].sort();
  await until(
    `the library has ${sorted.length} files: ${sorted.slice(0, 5).join(', ')}`,
    async () => JSON.stringify(await names()) === JSON.stringify(sorted),
    timeoutMs,
    100,
  );
}

const alien = 'Alien (1979)/Alien (1979).mkv';
const brazil = 'Brazil (1985)/Brazil (1985).mkv';

describe('within five seconds the library knows of', () => {
  test('a new file, a changed one and a removed one', async () => {
    await tree.write('films/Cube (1997)/Cube (1997).mkv');
    await becomes([alien, brazil, 'Cube (1997)/Cube (1997).mkv']);

    await tree.write(`films/${brazil}`, 'a longer cut of it');
    await until(
      'the size is the new one',
      async () => (await allItems(server)).some(({ files }) => files[0]?.size === 18),
      withinMs,
      100,
    );

    await rm(`${tree.path}/films/${alien}`);
    await becomes([brazil, 'Cube (1997)/Cube (1997).mkv']);
  });

  test('a file that was renamed, which stays the same item', async () => {
    const item = (await library()).get(alien);

    await rename(`${tree.path}/films/${alien}`, `${tree.path}/films/Alien (1979)/Alien.1979.mkv`);
    await becomes(['Alien (1979)/Alien.1979.mkv', brazil]);

    expect((await library()).get('Alien (1979)/Alien.1979.mkv')).toBe(item);
  });

  test('a tree that was moved into it, moved within it, and removed', async () => {
    await tree.write('away/Trilogy/Part 1/Dune (1984).mkv');
    await tree.write('away/Trilogy/Part 2/Deep/Akira (1988).mkv');
    const inside = ['Part 1/Dune (1984).mkv', 'Part 2/Deep/Akira (1988).mkv'];

    await rename(`${tree.path}/away/Trilogy`, `${tree.path}/films/Trilogy`);
    await becomes([alien, brazil, ...inside.map((name) => `Trilogy/${name}`)]);

    await rename(`${tree.path}/films/Trilogy`, `${tree.path}/films/Other`);
    await becomes([alien, brazil, ...inside.map((name) => `Other/${name}`)]);

    await rm(`${tree.path}/films/Other`, { recursive: true });
    await becomes([alien, brazil]);
  });

  test('folders that are made one in the other with files in them', async () => {
    await tree.write('films/A/B/C/D/Eraserhead (1977).mkv');
    await tree.write('films/A/Freaks (1932).mkv');

    await becomes([alien, brazil, 'A/B/C/D/Eraserhead (1977).mkv', 'A/Freaks (1932).mkv']);
  });
});

test('a storm of 5,000 files ends in the right library', { timeout: 200_000 }, async () => {
  const made: string[] = [];
  for (let folder = 0; folder < 50; folder += 1) {
    await mkdir(`${tree.path}/films/Shelf ${folder}`);
    for (let film = 0; film < 100; film += 1) {
      const name = `Shelf ${folder}/Film ${folder * 100 + film} (1999).mkv`;
      await writeFile(path.join(tree.path, 'films', name), name);
      if (film % 10 === 9) await rm(path.join(tree.path, 'films', name));
      else made.push(name);
    }
  }

  await becomes([alien, brazil, ...made], 100_000);
  const { jobs } = await server.get<{ jobs: readonly { type: string }[] }>('/api/jobs?limit=100');
  expect(jobs.filter(({ type }) => type === 'scan').length).toBeLessThan(20);
});

test('a root that vanishes loses nothing, and what it has when it comes back is seen', async () => {
  await rename(`${tree.path}/films`, `${tree.path}/unplugged`);
  await until(
    'somebody is told that the root is away',
    () => server.output().includes('is not watched for changes'),
    30_000,
  );
  await writeFile(`${tree.path}/unplugged/Gattaca (1997).mkv`, 'x');
  expect(await names()).toEqual([alien, brazil]);

  await rename(`${tree.path}/unplugged`, `${tree.path}/films`);
  await becomes([alien, brazil, 'Gattaca (1997).mkv'], 60_000);
  await until(
    'somebody is told that it is watched again',
    () => server.output().includes('is watched for changes again'),
    60_000,
  );

  await writeFile(`${tree.path}/films/Heat (1995).mkv`, 'x');
  await becomes([alien, brazil, 'Gattaca (1997).mkv', 'Heat (1995).mkv']);
});
