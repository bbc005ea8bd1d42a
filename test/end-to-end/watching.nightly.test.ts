/** What changes on the disk is in the library within seconds, without anybody asking for a scan. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { rounds } from '../support/run/nightly.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

/** Less than the time between two scheduled scans, so that only watching can find the change. */
const withinMs = 60_000;
const stormFiles = rounds(1500, 5000);

const alien = 'Alien (1979)/Alien (1979).mkv';
const brazil = 'Brazil (1985)/Brazil (1985).mkv';
/** Each test has a root of its own in one server. */
const roots = ['changed', 'renamed', 'moved', 'nested', 'stormy', 'unplugged'] as const;

type Root = (typeof roots)[number];

let tree: MediaTree;
let server: TestServer;

beforeAll(async () => {
  tree = await createMediaTree(
    roots.flatMap((root) => [alien, brazil].map((film) => `${root}/${film}`)),
  );
  const libraries = roots.flatMap((root) => ['--library', `movies:${root}:${tree.path}/${root}`]);
  server = await startServer({ args: libraries, env: { VITRINE_WATCH: 'on' } });
  for (const root of roots) await becomes(root, [alien, brazil]);
  await jobsOver(server);
});

afterAll(async () => {
  await server.stop();
  await tree.remove();
});

/** The files that are there, by path below the root, with the id of their item. */
async function library(root: Root): Promise<ReadonlyMap<string, string>> {
  const prefix = `file://${tree.path}/${root}/`;
  const items = await allItems(server);
  const files = items.flatMap(({ id, files: some }) =>
    some
      .filter(({ status, uri }) => status !== 'missing' && uri.startsWith(prefix))
      .map(({ uri }): [string, string] => [decodeURIComponent(uri.slice(prefix.length)), id]),
  );
  return new Map(files.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const names = async (root: Root): Promise<readonly string[]> => [...(await library(root)).keys()];

/** Waits until the library has exactly these files. */
async function becomes(
  root: Root,
  wanted: readonly string[],
  timeoutMs = withinMs,
  everyMs = 100,
): Promise<void> {
  const sorted = [...wanted].sort();
  await until(
    `${root} has ${sorted.length} files: ${sorted.slice(0, 5).join(', ')}`,
    async () => JSON.stringify(await names(root)) === JSON.stringify(sorted),
    timeoutMs,
    everyMs,
  );
}

const scans = async (): Promise<number> => {
  const { jobs } = await server.get<{ jobs: readonly { type: string }[] }>('/api/jobs?limit=100');
  return jobs.filter(({ type }) => type === 'scan').length;
};

describe('within five seconds the library knows of', () => {
  test('a new file, a changed one and a removed one', async () => {
    await tree.write('changed/Cube (1997)/Cube (1997).mkv');
    await becomes('changed', [alien, brazil, 'Cube (1997)/Cube (1997).mkv']);

    await tree.write(`changed/${brazil}`, 'a longer cut of it');
    await until(
      'the size is the new one',
      async () => (await allItems(server)).some(({ files }) => files[0]?.size === 18),
      withinMs,
      100,
    );

    await rm(`${tree.path}/changed/${alien}`);
    await becomes('changed', [brazil, 'Cube (1997)/Cube (1997).mkv']);
  });

  test('a file that was renamed, which stays the same item', async () => {
    const item = (await library('renamed')).get(alien);

    await rename(
      `${tree.path}/renamed/${alien}`,
      `${tree.path}/renamed/Alien (1979)/Alien.1979.mkv`,
    );
    await becomes('renamed', ['Alien (1979)/Alien.1979.mkv', brazil]);

    expect((await library('renamed')).get('Alien (1979)/Alien.1979.mkv')).toBe(item);
  });

  test('a tree that was moved into it, moved within it, and removed', async () => {
    await tree.write('away/Trilogy/Part 1/Dune (1984).mkv');
    await tree.write('away/Trilogy/Part 2/Deep/Akira (1988).mkv');
    const inside = ['Part 1/Dune (1984).mkv', 'Part 2/Deep/Akira (1988).mkv'];

    await rename(`${tree.path}/away/Trilogy`, `${tree.path}/moved/Trilogy`);
    await becomes('moved', [alien, brazil, ...inside.map((name) => `Trilogy/${name}`)]);

    await rename(`${tree.path}/moved/Trilogy`, `${tree.path}/moved/Other`);
    await becomes('moved', [alien, brazil, ...inside.map((name) => `Other/${name}`)]);

    await rm(`${tree.path}/moved/Other`, { recursive: true });
    await becomes('moved', [alien, brazil]);
  });

  test('folders that are made one in the other with files in them', async () => {
    await tree.write('nested/A/B/C/D/Eraserhead (1977).mkv');
    await tree.write('nested/A/Freaks (1932).mkv');

    await becomes('nested', [
      alien,
      brazil,
      'A/B/C/D/Eraserhead (1977).mkv',
      'A/Freaks (1932).mkv',
    ]);
  });
});

interface Told {
  readonly code: string;
  readonly subject?: object;
}

/** What each part tells of the library `unplugged`. */
async function told() {
  const { libraries } = await server.get<{
    libraries: readonly { id: string; name: string; problems: readonly Told[] }[];
  }>('/api/libraries');
  const library = libraries.find(({ name }) => name === 'unplugged');
  const { problems } = await server.get<{ problems: readonly Told[] }>('/api/health');
  const { notifications } = await server.get<{
    notifications: readonly { title: string; message: string }[];
  }>('/api/notifications?unread');
  const title = 'A folder of the library unplugged cannot be used.';
  return {
    library: library?.problems.map(({ code }) => code),
    health: problems
      .filter(({ subject }) => JSON.stringify(subject).includes(String(library?.id)))
      .map(({ code }) => code),
    notifications: notifications.filter((one) => one.title === title).length,
    lines: server.output().split(title).length - 1,
  };
}

test('a root that vanishes loses nothing, is told once in every place, and what it has when it comes back is seen', async () => {
  await rename(`${tree.path}/unplugged`, `${tree.path}/in a drawer`);
  await until('somebody is told that the root is away', () =>
    server.output().includes('A folder of the library unplugged cannot be used.'),
  );
  await until('admins have a notification', async () => (await told()).notifications > 0);
  const away = await told();
  await writeFile(`${tree.path}/in a drawer/Gattaca (1997).mkv`, 'x');
  expect(await names('unplugged')).toEqual([alien, brazil]);

  await rename(`${tree.path}/in a drawer`, `${tree.path}/unplugged`);
  await becomes('unplugged', [alien, brazil, 'Gattaca (1997).mkv']);
  await until('somebody is told that it is back', () =>
    server.output().includes('Solved: A folder of the library unplugged cannot be used.'),
  );
  await until('the notification is read', async () => (await told()).notifications === 0);

  expect(away).toEqual({
    library: ['unreachable'],
    health: ['library_unreachable'],
    notifications: 1,
    lines: 1,
  });
  expect(await told()).toEqual({ library: [], health: [], notifications: 0, lines: 2 });

  await writeFile(`${tree.path}/unplugged/Heat (1995).mkv`, 'x');
  await becomes('unplugged', [alien, brazil, 'Gattaca (1997).mkv', 'Heat (1995).mkv']);
});

test(`a storm of ${stormFiles} files ends in the right library`, { timeout: 200_000 }, async () => {
  const before = await scans();
  const made: string[] = [];
  for (let folder = 0; folder < stormFiles / 100; folder += 1) {
    await mkdir(`${tree.path}/stormy/Shelf ${folder}`);
    for (let film = 0; film < 100; film += 1) {
      const name = `Shelf ${folder}/Film ${folder * 100 + film} (1999).mkv`;
      await writeFile(path.join(tree.path, 'stormy', name), name);
      if (film % 10 === 9) await rm(path.join(tree.path, 'stormy', name));
      else made.push(name);
    }
  }

  // Seldom: to read thousands of items is work, too.
  await becomes('stormy', [alien, brazil, ...made], 100_000, 1000);
  expect((await scans()) - before).toBeLessThan(20);
});
