import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { builtDiskWorker } from '../../test/support/run/disk-worker.ts';
import { silentLog } from '../../kernel/index.ts';
import type { FileListing, FileProblem, Host, ListFilesInput } from '../../plugin-api/index.ts';
import { createDisk, encodePlainPath, watchTree, type Disk } from '../../src/files/disk/index.ts';
import plugin from './index.ts';

const methods = plugin.methods ?? {};
let top: string;
let disk: Disk;
let host: Host;
let root: string;

beforeAll(() => {
  top = mkdtempSync(path.join(tmpdir(), 'vitrine local-'));
  const library = `${top}/library`;
  mkdirSync(library);
  root = `file://${encodePlainPath(library)}`;
  disk = createDisk({
    grantedRoots: () => [encodePlainPath(library)],
    workerScript: builtDiskWorker,
    watchTree,
    newEpoch: () => 'e',
    log: silentLog,
  });
  host = { disk: hostDiskOf(disk) } as unknown as Host;
});

afterAll(async () => {
  await disk.close();
  rmSync(top, { recursive: true, force: true });
});

/** `host.disk` as a guest sees it. */
function hostDiskOf(served: Disk): Host['disk'] {
  const caller = {
    pluginId: 'local',
    granted: {},
    reach: 'all' as const,
    viewer: null,
    signal: new AbortController().signal,
  };
  return {
    list: async (input) => JSON.parse(String(await served.list('local', input))),
    digest: async (input) => JSON.parse(String(await served.digest('local', input))),
    stat: async ({ path: asked }) => JSON.parse(String(await served.stat('local', asked))),
    read: (input) => served.read('local', input),
    resolve: async ({ path: asked }) => ({ path: await served.resolve('local', asked) }),
    changes: (input) => served.changes(caller, input),
    unwatch: async ({ path: asked }) => {
      await served.unwatch('local', asked);
      return null;
    },
  };
}

function put(name: string | Buffer): void {
  const file = Buffer.concat([Buffer.from(`${top}/library/`), Buffer.from(name)]);
  mkdirSync(file.subarray(0, file.lastIndexOf('/')), { recursive: true });
  writeFileSync(file, 'content');
}

describe('filesystem-local over a real disk', () => {
  test('reports each omitted entry once, with pages of any length', async () => {
    const folder = `${top}/library/short pages`;
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ['b', 'd', 'f']) put(`short pages/${name}`);
    for (const name of ['a', 'c', 'e', 'g']) symlinkSync('/nowhere', `${folder}/${name}`);
    const list = methods['filesystem.list'];
    const found: string[] = [];
    for (let cursor: string | null = null; ;) {
      const asked = { uri: `${root}/short%20pages`, cursor, limit: 1 };
      const page = (await list?.(asked, host)) as FileListing;
      found.push(...[...page.problems, ...page.entries].map(({ uri }) => uri.slice(-1)));
      if (page.cursor === null) break;
      cursor = page.cursor;
    }

    expect(found).toEqual(['a', 'b', 'c', 'd', 'e', 'g', 'f']);
  });

  test('walks a hostile tree to its end, and names every file so that it can be read', async () => {
    const names = [
      'new\nline/a.mkv',
      '$(reboot)/`id`.mkv',
      '"quoted" \'both\'/<b>.mkv',
      '🎬 emoji/\u202Ertl.mkv',
      'C:\\windows\\style.mkv',
      '%2e%2e/%2F.mkv',
      'e\u0301/nfd.mkv',
      `${'long'.repeat(60)}.mkv`,
      '-rf.mkv',
    ];
    for (const name of names) put(name);
    put(
      Buffer.concat([
        Buffer.from([0x66, 0xff, 0xfe]),
        Buffer.from('/latin-'),
        Buffer.from([0xe9]),
        Buffer.from('.mkv'),
      ]),
    );
    symlinkSync('..', `${top}/library/e\u0301/loop`);
    symlinkSync('/etc', `${top}/library/escape`);
    symlinkSync('nowhere', `${top}/library/dangling`);

    const found: string[] = [];
    const problems: FileProblem[] = [];
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null;) {
      isFirst = false;
      const page: Awaited<ReturnType<NonNullable<(typeof methods)['filesystem.list']>>> =
        await methods['filesystem.list']!({ uri: root, recursive: true, cursor, limit: 2 }, host);
      found.push(...page.entries.map(({ uri }) => uri));
      problems.push(...page.problems);
      cursor = page.cursor;
    }

    expect(found).toHaveLength(names.length + 1);
    expect(found).toEqual([...found].sort((a, b) => (a < b ? -1 : 1)));
    expect(problems.map(({ code }) => code).sort()).toEqual([
      'not-found',
      'outside-root',
      'symlink-loop',
    ]);
    for (const uri of found) {
      const bytes = await methods['filesystem.read']!({ uri, offset: 0, length: 100 }, host);
      expect(Buffer.from(bytes).toString()).toBe('content');
      expect(await methods['filesystem.stat']!({ uri }, host)).toMatchObject({ uri, size: 7 });
      expect(await methods['filesystem.getLocalPath']!({ uri }, host)).toEqual({
        path: uri.slice('file://'.length),
      });
    }
  });

  test('accepts a folder as a root, and says why it refuses anything else', async () => {
    put('file.mkv');
    const validate = (uri: string) => methods['filesystem.validate']!({ uri }, host);

    expect(await validate(root)).toEqual({ ok: true });
    expect(await validate(`${root}/file.mkv`)).toMatchObject({
      ok: false,
      message: expect.stringContaining('file'),
    });
    expect(await validate(`${root}/gone`)).toMatchObject({
      ok: false,
      message: expect.stringContaining('exist'),
    });
    expect(await validate('file:///etc')).toMatchObject({
      ok: false,
      message: expect.stringContaining('granted'),
    });
    expect(await validate('http://x/y')).toMatchObject({
      ok: false,
      message: expect.stringContaining('file:'),
    });
  });

  test('reports changes by URI, and stops when the watch is ended', async () => {
    mkdirSync(`${top}/library/watched ü`);
    const uri = `${root}/watched%20%C3%BC`;
    const { cursor } = await methods['filesystem.watch']!({ uri, cursor: null, waitMs: 0 }, host);
    writeFileSync(`${top}/library/watched ü/new.mkv`, 'x');

    const page = await methods['filesystem.watch']!({ uri, cursor, waitMs: 20_000 }, host);
    await methods['filesystem.unwatch']!({ uri }, host);

    expect(page.changes[0]).toEqual({ uri: `${uri}/new.mkv`, kind: 'changed' });
  });
});

describe('a page that is known', () => {
  const folder = 'known ü';
  const input: Omit<ListFilesInput, 'uri'> = {
    recursive: true,
    limit: 3,
    extensions: ['mkv', 'srt'],
    ignore: ['.*', '@eaDir'],
  };
  let uri: string;

  const list = (asked: Partial<ListFilesInput>): Promise<FileListing> =>
    Promise.resolve(
      methods['filesystem.list']!({ ...input, uri, ignoreFilesFrom: uri, ...asked }, host),
    );

  /** All pages of a fresh walk, each with its start. */
  async function pages(): Promise<(FileListing & { readonly from: string | null })[]> {
    const all: (FileListing & { readonly from: string | null })[] = [];
    for (let from: string | null = null; ;) {
      const page = await list({ cursor: from });
      all.push({ ...page, from });
      if (page.cursor === null) return all;
      from = page.cursor;
    }
  }

  /** Which of these pages are answered as known, in requests like those of a scan. */
  async function known(
    pagesBefore: Awaited<ReturnType<typeof pages>>,
  ): Promise<readonly boolean[]> {
    const answers: boolean[] = [];
    for (const { from, cursor, digest } of pagesBefore) {
      const asked = { cursor: from, ...(digest !== undefined && { known: digest }) };
      const answer = await list({ ...asked, knownThrough: cursor });
      if (answer.isKnown) expect(answer).toMatchObject({ entries: [], cursor, digest });
      answers.push(answer.isKnown === true);
    }
    return answers;
  }

  function begin(): void {
    uri = `${root}/known%20%C3%BC`;
    const names = ['a.mkv', 'b/1.mkv', 'b/2 &.mkv', 'b/2 &.srt', 'b/c/d.mkv', 'b!.mkv', 'b.mkv'];
    for (const name of [...names, 'é/f.mkv', 'z/1.mkv', 'z/2.mkv', 'z/3.mkv', 'z/4.mkv', 'z/x.txt'])
      put(`${folder}/${name}`);
    onTestFinished(() => rmSync(`${top}/library/${folder}`, { recursive: true }));
  }

  test('is reported as unchanged while nothing in it has changed, page by page and each for itself', async () => {
    begin();
    const pagesBefore = await pages();

    expect(pagesBefore.length).toBeGreaterThan(3);
    expect(await known(pagesBefore)).toEqual(pagesBefore.map(() => true));
    expect(await known(pagesBefore.toReversed())).toEqual(pagesBefore.map(() => true));
  });

  test.each<readonly [string, () => void]>([
    ['a file is new', () => put(`${folder}/b/0a.mkv`)],
    ['a file is gone', () => rmSync(`${top}/library/${folder}/b/1.mkv`)],
    ['a file has another size', () => writeFileSync(`${top}/library/${folder}/b/1.mkv`, 'long')],
    [
      'a file has another name',
      () => renameSync(`${top}/library/${folder}/b/1.mkv`, `${top}/library/${folder}/b/0.mkv`),
    ],
    ['a folder is gone', () => rmSync(`${top}/library/${folder}/b`, { recursive: true })],
  ])('is listed when %s', async (_, change) => {
    begin();
    const pagesBefore = await pages();
    const at = pagesBefore.findIndex(({ entries }) =>
      entries.some(({ uri: one }) => one.endsWith('/b/1.mkv')),
    );

    change();

    expect((await known(pagesBefore))[at]).toBe(false);
    expect((await known(pagesBefore.slice(at + 2))).every(Boolean)).toBe(true);
  });

  test('is reported with the pages after it, up to the first changed one', async () => {
    begin();
    const pagesBefore = await pages();
    const [first, ...others] = pagesBefore;
    const run = {
      cursor: null,
      known: first?.digest ?? '',
      knownThrough: first?.cursor ?? null,
      knownParts: null,
      knownNext: others.map(({ digest = '', cursor: through }) => ({ digest, through })),
    };
    const page = { entries: [], problems: [], isKnown: true };
    const last = pagesBefore.at(-1);
    expect(await list(run)).toEqual({ ...page, cursor: null, digest: last?.digest });

    put(`${folder}/z/5.mkv`);

    const before = pagesBefore.at(-2);
    expect(await list(run)).toEqual({
      ...page,
      cursor: before?.cursor,
      digest: before?.digest,
      wantsParts: true,
    });
  });

  test('is compared by its parts where it differs, and lists only the differences', async () => {
    begin();
    const big = { limit: 100 };
    const page = await list({ ...big, cursor: null });
    const { digest, parts } = page;
    if (digest === undefined || parts === undefined) throw new Error('A page has both.');
    const known = { ...big, cursor: null, known: digest, knownThrough: null };
    expect(await list({ ...known, knownParts: null })).toMatchObject({ isKnown: true });

    writeFileSync(`${top}/library/${folder}/b/1.mkv`, 'long');
    rmSync(`${top}/library/${folder}/z/4.mkv`);

    expect(await list({ ...known, knownParts: null })).toEqual({
      entries: [],
      problems: [],
      cursor: null,
      wantsParts: true,
    });
    const changed = await list({ ...known, knownParts: parts });
    expect(changed.stretches).toEqual([
      { after: `${uri}/b.mkv`, through: `${uri}/b/2%20%26.mkv` },
      { after: `${uri}/z/3.mkv`, through: null },
    ]);
    expect(changed.entries.map((entry) => [entry.uri.slice(uri.length), entry.size])).toEqual([
      ['/b/1.mkv', 4],
      ['/b/2%20%26.mkv', 7],
    ]);
    const fresh = await list({ ...big, cursor: null });
    expect(changed).toMatchObject({ digest: fresh.digest, parts: fresh.parts, cursor: null });
  });

  test('is sent with all its files where nearly all have changed', async () => {
    begin();
    const { digest = '', parts = '', entries } = await list({ limit: 100, cursor: null });
    for (const { uri: one } of entries) {
      const file = decodeURIComponent(one.slice('file://'.length));
      writeFileSync(file, 'long');
    }

    const known = { cursor: null, known: digest, knownThrough: null, knownParts: parts };
    const page = await list({ ...known, limit: 100 });

    expect(page.stretches).toBeUndefined();
    expect(page.entries.map(({ size }) => size)).toEqual(entries.map(() => 4));
    // More than fit on the page: it is listed again, in shorter pages.
    expect((await list({ ...known, limit: 3 })).entries).toHaveLength(3);
  });

  test('is unchanged when only files that were not requested have changed', async () => {
    begin();
    const pagesBefore = await pages();

    for (const name of ['b/note.txt', '.hidden/h.mkv', '@eaDir/e.mkv', 'b/.h.mkv'])
      put(`${folder}/${name}`);

    expect(await known(pagesBefore)).toEqual(pagesBefore.map(() => true));
  });

  test('is listed when a new ignore file excludes existing files', async () => {
    begin();
    const pagesBefore = await pages();
    const at = pagesBefore.findIndex(({ entries }) =>
      entries.some(({ uri: one }) => one.endsWith('/z/1.mkv')),
    );

    put(`${folder}/z/.nomedia`);

    expect((await known(pagesBefore))[at]).toBe(false);
    const now = (await pages()).flatMap(({ entries }) => entries.map(({ uri: one }) => one));
    expect(now.filter((one) => one.includes('/z/'))).toEqual([]);
  });

  test('is listed where there are links', async () => {
    begin();
    symlinkSync('a.mkv', `${top}/library/${folder}/link.mkv`);
    const pagesBefore = await pages();
    const path = uri.slice('file://'.length);

    expect(await host.disk.digest({ path, after: '', through: null, naming: uri })).toEqual({
      digest: null,
    });
    expect(await known(pagesBefore)).toEqual(pagesBefore.map(() => true));
  });

  test('is refused for a folder outside of the roots', async () => {
    const question = { path: '/etc', after: '', through: null, naming: 'file:///etc' };

    expect(await host.disk.digest(question)).toEqual({ digest: null });
  });
});
