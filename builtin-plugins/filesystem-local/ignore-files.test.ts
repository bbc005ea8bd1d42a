import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtDiskWorker } from '../../test/support/run/disk-worker.ts';
import { silentLog } from '../../kernel/index.ts';
import type { Host, ListFilesInput } from '../../plugin-api/index.ts';
import { createDisk, encodePlainPath, watchTree, type Disk } from '../../src/files/disk/index.ts';
import { list } from './list.ts';

let library: string;
let root: string;
let disk: Disk;
let host: Host;

beforeEach(() => {
  library = mkdtempSync(path.join(tmpdir(), 'vitrine ignore-'));
  root = `file://${encodePlainPath(library)}`;
  disk = createDisk({
    grantedRoots: () => [encodePlainPath(library)],
    workerScript: builtDiskWorker,
    watchTree,
    newEpoch: () => 'e',
    log: silentLog,
  });
  const served: Pick<Host['disk'], 'list' | 'read'> = {
    list: async (input) => JSON.parse(String(await disk.list('local', input))),
    read: (input) => disk.read('local', input),
  };
  // A listing calls only these methods.
  host = { disk: served } as unknown as Host;
});

afterEach(async () => {
  await disk.close();
  rmSync(library, { recursive: true });
});

function put(files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(library, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** Paths of all files that are listed, page by page. */
async function listed(input: Partial<ListFilesInput> = {}, limit = 500): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof list>> = await list(
      {
        uri: root,
        recursive: true,
        ignoreFilesFrom: root,
        extensions: ['mkv'],
        limit,
        cursor,
        ...input,
      },
      host,
    );
    found.push(...page.entries.map(({ uri }) => decodeURIComponent(uri.slice(root.length + 1))));
    if (page.cursor === null) return found;
    cursor = page.cursor;
  }
}

describe('ignore files', () => {
  test('.nomedia excludes its folder with everything below, also if it is not empty', async () => {
    put({
      'a/1.mkv': '',
      'b/.nomedia': 'text',
      'b/2.mkv': '',
      'b/c/3.mkv': '',
      'd/4.mkv': '',
    });

    expect(await listed()).toEqual(['a/1.mkv', 'd/4.mkv']);
  });

  test('.ignore excludes its folder when it contains only white space', async () => {
    put({
      'a/.ignore': '',
      'a/1.mkv': '',
      'b/.ignore': ' \n',
      'b/2.mkv': '',
      'c/.plexignore': '',
      'c/3.mkv': '',
    });

    expect(await listed()).toEqual(['c/3.mkv']);
  });

  test.each(['.ignore', '.plexignore', '.jellyfinignore'])(
    'the lines of %s are patterns for its folder and everything below',
    async (name) => {
      put({
        [`a/${name}`]: 'sample*\nextras/\n/only here.mkv\n',
        'a/sample-1.mkv': '',
        'a/1.mkv': '',
        'a/only here.mkv': '',
        'a/b/only here.mkv': '',
        'a/b/Sample.mkv': '',
        'a/extras/2.mkv': '',
        'sample.mkv': '',
      });

      expect(await listed()).toEqual(['a/1.mkv', 'a/b/only here.mkv', 'sample.mkv']);
    },
  );

  test('the nearest folder wins', async () => {
    put({
      '.ignore': '*.mkv\n',
      'a/.ignore': '!*.mkv\n',
      'a/1.mkv': '',
      'a/b/2.mkv': '',
      'c/3.mkv': '',
    });

    expect(await listed()).toEqual(['a/1.mkv', 'a/b/2.mkv']);
  });

  test('hold wherever a listing begins: on any page, and in any folder below the root', async () => {
    put({
      '.ignore': 'out/\n*.skip.mkv',
      'a/b/.nomedia': '',
      'a/b/(1).mkv': '',
      'a/b/2.mkv': '',
      'a/c/(3).mkv': '',
      'a/c/4.skip.mkv': '',
      'a/c/5.mkv': '',
      'out/6.mkv': '',
      'out/d/7.mkv': '',
    });

    for (const limit of [1, 2, 500]) {
      expect(await listed({}, limit)).toEqual(['a/c/(3).mkv', 'a/c/5.mkv']);
    }
    expect(await listed({ cursor: `${root}/a/b/(1).mkv` })).toEqual(['a/c/(3).mkv', 'a/c/5.mkv']);
    expect(await listed({ uri: `${root}/a/b` })).toEqual([]);
    expect(await listed({ uri: `${root}/out/d` })).toEqual([]);
    expect(await listed({ uri: `${root}/a/c` })).toEqual(['a/c/(3).mkv', 'a/c/5.mkv']);
    expect(await listed({ uri: `${root}/a/b`, recursive: false })).toEqual([]);
    expect(await listed({ uri: `${root}/a/c`, recursive: false })).toEqual([
      'a/c/(3).mkv',
      'a/c/5.mkv',
    ]);
  });

  test('are obeyed only on request', async () => {
    put({ 'a/.nomedia': '', 'a/1.mkv': '' });
    const { entries } = await list({ uri: root, recursive: true, extensions: ['mkv'] }, host);

    expect(entries.map(({ uri }) => uri)).toEqual([`${root}/a/1.mkv`]);
  });
});
