/** What changes on the disk is in the library within seconds, without anybody asking for a scan. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { follow, type HeardEvent } from '../faults/watched-server.ts';
import { createMediaTree, type MediaTree } from '../support/media-tree.ts';
import type { JobReply, ListedItem } from '../support/scan.ts';
import { startServer, until, type TestServer } from '../support/server.ts';

const withinMs = 5000;
/** One server for all, since each test has a library of its own. */
let server: TestServer;
const trees: MediaTree[] = [];
const events: HeardEvent[] = [];
const ending = new AbortController();

beforeAll(async () => {
  server = await startServer({ env: { VITRINE_WATCH: 'on' } });
  await follow(server.url, events, ending.signal);
});

afterAll(async () => {
  ending.abort();
  await server.stop();
  await Promise.all(trees.map(({ remove }) => remove()));
});

/** A library over the folder `films` of a tree. */
interface Films {
  readonly id: string;
  readonly tree: MediaTree;
  readonly items: () => Promise<readonly ListedItem[]>;
  /** The files that are there, by path below the root, with the id of their item. */
  readonly files: () => Promise<ReadonlyMap<string, string>>;
  /** Waits until something holds, looking whenever a scan of the library has ended. */
  readonly soon: (what: string, holds: () => Promise<boolean>, timeoutMs?: number) => Promise<void>;
  /** Waits until the library has exactly these files. */
  readonly becomes: (wanted: readonly string[], timeoutMs?: number) => Promise<void>;
}

/** Makes a library with two films, which was scanned and is watched. */
async function openFilms(name: string): Promise<Films> {
  const tree = await createMediaTree([`films/${alien}`, `films/${brazil}`]);
  trees.push(tree);
  const { body } = await server.request('POST', '/api/libraries', {
    name,
    type: 'movies',
    roots: [`${tree.path}/films`],
  });
  const { id } = (body as { library: { id: string } }).library;

  const scansOver = (): number =>
    events.filter(({ type, data }) => type === 'library.scan.completed' && data['libraryId'] === id)
      .length;

  async function items(): Promise<readonly ListedItem[]> {
    const all: ListedItem[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: { items: readonly ListedItem[]; nextCursor: string | null } = await server.get(
        `/api/items?limit=500&libraryId=${id}${after}`,
      );
      all.push(...page.items);
      cursor = page.nextCursor;
    }
    return all;
  }

  async function files(): Promise<ReadonlyMap<string, string>> {
    const prefix = `file://${tree.path}/films/`;
    const found = (await items()).flatMap(({ id: item, files: some }) =>
      some
        .filter(({ status }) => status !== 'missing')
        .map(({ uri }): [string, string] => [decodeURIComponent(uri.slice(prefix.length)), item]),
    );
    return new Map(found.sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  async function soon(
    what: string,
    holds: () => Promise<boolean>,
    timeoutMs = withinMs,
  ): Promise<void> {
    let looked = -1;
    await until(
      what,
      async () => {
        const over = scansOver();
        if (over === looked) return false;
        looked = over;
        return holds();
      },
      timeoutMs,
    );
  }

  async function becomes(wanted: readonly string[], timeoutMs = withinMs): Promise<void> {
    const sorted = [...wanted].sort();
    await soon(
      `the library has ${sorted.length} files: ${sorted.slice(0, 5).join(', ')}`,
      async () => JSON.stringify([...(await files()).keys()]) === JSON.stringify(sorted),
      timeoutMs,
    );
  }

  await server.request('POST', '/api/jobs', { type: 'scan', libraryId: id });
  await becomes([alien, brazil], 30_000);
  await until('what was found was looked into', async () => {
    const { counts } = await server.get<JobReply>(`/api/jobs?libraryId=${id}`);
    return counts['pending'] === 0 && counts['running'] === 0;
  });
  return { id, tree, items, files, soon, becomes };
}

const alien = 'Alien (1979)/Alien (1979).mkv';
const brazil = 'Brazil (1985)/Brazil (1985).mkv';

describe.concurrent('within five seconds the library knows of', () => {
  test('a new file, a changed one and a removed one', async () => {
    const { tree, items, soon, becomes } = await openFilms('Changed');
    await tree.write('films/Cube (1997)/Cube (1997).mkv');
    await becomes([alien, brazil, 'Cube (1997)/Cube (1997).mkv']);

    await tree.write(`films/${brazil}`, 'a longer cut of it');
    await soon('the size is the new one', async () =>
      (await items()).some(({ files }) => files[0]?.size === 18),
    );

    await rm(`${tree.path}/films/${alien}`);
    await becomes([brazil, 'Cube (1997)/Cube (1997).mkv']);
  });

  test('a file that was renamed, which stays the same item', async () => {
    const { tree, files, becomes } = await openFilms('Renamed');
    const item = (await files()).get(alien);

    await rename(`${tree.path}/films/${alien}`, `${tree.path}/films/Alien (1979)/Alien.1979.mkv`);
    await becomes(['Alien (1979)/Alien.1979.mkv', brazil]);

    expect((await files()).get('Alien (1979)/Alien.1979.mkv')).toBe(item);
  });

  test('a tree that was moved into it, moved within it, and removed', async () => {
    const { tree, becomes } = await openFilms('Moved');
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
    const { tree, becomes } = await openFilms('Nested');
    await tree.write('films/A/B/C/D/Eraserhead (1977).mkv');
    await tree.write('films/A/Freaks (1932).mkv');

    await becomes([alien, brazil, 'A/B/C/D/Eraserhead (1977).mkv', 'A/Freaks (1932).mkv']);
  });
});

test.concurrent(
  'a root that vanishes loses nothing, and what it has when it comes back is seen',
  async () => {
    const { tree, files, becomes } = await openFilms('Vanishing');
    await rename(`${tree.path}/films`, `${tree.path}/unplugged`);
    await until(
      'somebody is told that the root is away',
      () => server.output().includes('The library Vanishing is not watched for changes'),
      30_000,
    );
    await writeFile(`${tree.path}/unplugged/Gattaca (1997).mkv`, 'x');
    expect([...(await files()).keys()]).toEqual([alien, brazil]);

    await rename(`${tree.path}/unplugged`, `${tree.path}/films`);
    await becomes([alien, brazil, 'Gattaca (1997).mkv'], 60_000);
    await until(
      'somebody is told that it is watched again',
      () => server.output().includes('The library Vanishing is watched for changes again'),
      60_000,
    );

    await writeFile(`${tree.path}/films/Heat (1995).mkv`, 'x');
    await becomes([alien, brazil, 'Gattaca (1997).mkv', 'Heat (1995).mkv']);
  },
);

test('a storm of 5,000 files ends in the right library', { timeout: 200_000 }, async () => {
  const { id, tree, becomes } = await openFilms('Stormy');
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
  const { jobs } = await server.get<{ jobs: readonly { type: string }[] }>(
    `/api/jobs?limit=100&libraryId=${id}`,
  );
  expect(jobs.filter(({ type }) => type === 'scan').length).toBeLessThan(20);
});
