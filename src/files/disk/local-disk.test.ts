import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtDiskWorker } from '../../../test/support/run/disk-worker.ts';
import { silentLog } from '../../../kernel/index.ts';
import type { DiskFolder } from '../../../plugin-api/index.ts';
import { createDisk, encodePlainPath, type Disk } from './index.ts';

let top: string;
let root: string;
let disk: Disk;

beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'vitrine disk é-'));
  root = path.join(top, 'library');
  mkdirSync(root);
  disk = createDisk({
    grantedRoots: (pluginId) => (pluginId === 'granted' ? [encodePlainPath(root)] : []),
    workerScript: builtDiskWorker,
    watchTree: () => Promise.reject(new Error('Nobody watches in these tests.')),
    newEpoch: () => 'epoch',
    log: silentLog,
  });
});

afterEach(async () => {
  await disk.close();
  rmSync(top, { recursive: true, force: true });
});

function put(name: string | Buffer, content = 'x'): void {
  const file = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name)]);
  mkdirSync(file.subarray(0, file.lastIndexOf('/')), { recursive: true });
  writeFileSync(file, content);
}

const at = (name = ''): string => encodePlainPath(name === '' ? root : `${root}/${name}`);

async function list(paths: readonly string[], after = {}): Promise<readonly DiskFolder[]> {
  return JSON.parse(String(await disk.list('granted', { paths, after }))).folders;
}

async function listOne(folder = at(), after = {}): Promise<DiskFolder> {
  const [listed] = await list([folder], after);
  return listed!;
}

const names = (folder: DiskFolder): readonly string[] => folder.entries.map(({ name }) => name);

describe('host.disk.list', () => {
  test('gives size and time of a file, and distinguishes files from folders', async () => {
    put('film.mkv', 'twelve bytes');
    put('folder/inside.mkv');
    utimesSync(`${root}/film.mkv`, 1_700_000_000.5, 1_700_000_000.5);

    expect(await listOne()).toEqual({
      path: at(),
      entries: [
        { name: 'film.mkv', kind: 'file', size: 12, modifiedAt: 1_700_000_000_500 },
        { name: 'folder', kind: 'folder', size: 0, modifiedAt: 0 },
      ],
      problems: [],
    });
  });

  test('sorts by encoded name, a folder as if its name ended in a slash', async () => {
    for (const name of ['a/in.mkv', 'a-b', 'a.b', 'a b', 'a0', "a'", 'ä', 'A', '~', '!']) put(name);

    expect(names(await listOne())).toEqual([
      '!',
      '%C3%A4',
      'A',
      'a%20b',
      "a'",
      'a-b',
      'a.b',
      'a',
      'a0',
      '~',
    ]);
  });

  test('encodes names that are not UTF-8 byte by byte, beside a name that contains U+FFFD', async () => {
    put(Buffer.from([0x66, 0xff, 0x2e, 0x6d, 0x6b, 0x76]));
    put(Buffer.from([0xed, 0xa0, 0x80]));
    put('\uFFFD.mkv');
    put('plain.mkv');

    expect(names(await listOne())).toEqual(['%ED%A0%80', '%EF%BF%BD.mkv', 'f%FF.mkv', 'plain.mkv']);
  });

  test('gives names by which list and read find exactly their folder', async () => {
    const hostile = [
      'new\nline',
      '"quotes\'',
      '%41',
      'C:\\back',
      '🎬',
      '\u202Ertl',
      ' lead ',
      '*?<>|;$(x)',
    ];
    for (const name of hostile) put(`${name}/file`, name);
    put(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('/file')]), 'bytes');

    const folders = names(await listOne()).map((name) => `${at()}/${name}`);
    const listed = await list(folders);
    const read = await Promise.all(
      folders.map((folder) =>
        disk.read('granted', { path: `${folder}/file`, offset: 0, length: 100 }),
      ),
    );

    expect(listed.map(names)).toEqual(folders.map(() => ['file']));
    expect(read.map((bytes) => Buffer.from(bytes).toString()).sort()).toEqual(
      [...hostile, 'bytes'].sort(),
    );
  });

  test('with extensions leaves out other files, but no folder', async () => {
    for (const name of [
      'a.MKV',
      'b.mkv',
      'c.mp4',
      'd.mkv.part',
      'mkv',
      '.mkv',
      'e.é',
      'f.mkv/x.nfo',
    ]) {
      put(name);
    }
    symlinkSync('b.mkv', `${root}/link.nfo`);
    symlinkSync('c.mp4', `${root}/link.mkv`);
    symlinkSync('f.mkv', `${root}/link.dir`);

    const listed = await disk.list('granted', { paths: [at()], extensions: ['mkv', 'é'] });

    expect(JSON.parse(String(listed)).folders.map(names)).toEqual([
      ['a.MKV', 'b.mkv', 'e.%C3%A9', 'f.mkv', 'link.dir', 'link.mkv'],
    ]);
  });

  test('follows links to files and folders inside of the roots', async () => {
    put('real/film.mkv', '1234');
    symlinkSync('real', `${root}/linked`);
    symlinkSync('real/film.mkv', `${root}/linked.mkv`);

    const folder = await listOne();

    expect(folder.entries).toMatchObject([
      { name: 'linked.mkv', kind: 'file', size: 4 },
      { name: 'linked', kind: 'folder' },
      { name: 'real', kind: 'folder' },
    ]);
    expect(names(await listOne(at('linked')))).toEqual(['film.mkv']);
  });

  test('leaves out links that loop, leave the roots or have no target, and reports them', async () => {
    writeFileSync(`${top}/secret`, 'x');
    put('a/b/film.mkv');
    symlinkSync('../..', `${root}/a/b/up`);
    symlinkSync('.', `${root}/a/b/self`);
    symlinkSync('itself', `${root}/a/b/itself`);
    symlinkSync('/', `${root}/a/b/everything`);
    symlinkSync('../../../secret', `${root}/a/b/secret`);
    symlinkSync('elsewhere', `${root}/a/b/nowhere`);

    const folder = await listOne(at('a/b'));

    expect(names(folder)).toEqual(['film.mkv']);
    expect([...folder.problems].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'everything', code: 'outside-root' },
      { name: 'itself', code: 'symlink-loop' },
      { name: 'nowhere', code: 'not-found' },
      { name: 'secret', code: 'outside-root' },
      { name: 'self', code: 'symlink-loop' },
      { name: 'up', code: 'symlink-loop' },
    ]);
  });

  test('ends a loop through two links', async () => {
    put('a/one.mkv');
    put('b/two.mkv');
    symlinkSync('../b', `${root}/a/to-b`);
    symlinkSync('../a', `${root}/b/to-a`);

    expect((await listOne(at('a/to-b'))).problems).toEqual([
      { name: 'to-a', code: 'symlink-loop' },
    ]);
  });

  test('refuses to begin at a link that loops, or below one', async () => {
    put('a/b/film.mkv');
    symlinkSync('..', `${root}/a/up`);
    symlinkSync('.', `${root}/self`);
    symlinkSync('a', `${root}/fine`);

    for (const path of ['a/up', 'a/up/b', 'a/up/a/b', 'self', 'self/a'])
      expect((await listOne(at(path))).error?.code).toBe('symlink_loop');
    expect(names(await listOne(at('fine/b')))).toEqual(['film.mkv']);
  });

  test('does not accept a sibling whose name begins like the root', async () => {
    mkdirSync(`${root}-private`);
    writeFileSync(`${root}-private/film.mkv`, 'x');
    symlinkSync(`${root}-private`, `${root}/link`);

    expect((await listOne(`${at()}-private`)).error?.code).toBe('outside_root');
    expect((await listOne()).problems).toEqual([{ name: 'link', code: 'outside-root' }]);
    expect((await listOne(at('link'))).error?.code).toBe('outside_root');
  });

  test('skips pipes and sockets without waiting for their other end', async () => {
    execFileSync('mkfifo', [`${root}/pipe`]);
    symlinkSync('pipe', `${root}/to-pipe`);
    symlinkSync('/dev/null', `${root}/device`);
    put('film.mkv');

    const folder = await listOne();

    expect(names(folder)).toEqual(['film.mkv']);
    expect(folder.problems).toEqual([{ name: 'device', code: 'outside-root' }]);
  });

  test('answers for each folder: a missing one does not affect the others', async () => {
    put('here/film.mkv');
    put('file');

    const folders = await list([at('gone'), at('here'), at('file')]);

    expect(folders.map(({ error }) => error?.code)).toEqual(['not_found', undefined, 'not_found']);
  });

  test('reports unreadable for what the system refuses to read', async () => {
    expect((await listOne(at('x'.repeat(300)))).error).toEqual({
      code: 'unreadable',
      message: 'The folder could not be read.',
    });
  });

  const isRoot = process.getuid?.() === 0;

  test.skipIf(isRoot)(
    'reports a folder without permission (skipped for root, who has it)',
    async () => {
      put('locked/film.mkv');
      chmodSync(`${root}/locked`, 0o000);

      const [locked] = await list([at('locked')]);

      chmodSync(`${root}/locked`, 0o700);
      expect(locked?.error?.code).toBe('unreadable');
    },
  );

  test.runIf(isRoot)('reports a folder that may not be read by the user that asks', () => {
    put('locked/film.mkv');
    for (const open of [top, root]) chmodSync(open, 0o755);
    chmodSync(`${root}/locked`, 0o700);
    const calls = new URL('./disk-calls.ts', import.meta.url).href;
    const call = {
      operation: 'list',
      roots: [at()],
      paths: [at(), at('locked')],
      after: {},
      extensions: null,
    };
    // It becomes another user when it has loaded: that one may not reach the folder of the project.
    const script = `const { createDiskCalls } = await import(${JSON.stringify(calls)});
      process.setgroups([]), process.setgid(65534), process.setuid(65534);
      process.stdout.write(createDiskCalls([])(${JSON.stringify(call)}));`;

    const answer = execFileSync(process.execPath, ['--input-type=module', '-e', script]);

    const folders: readonly DiskFolder[] = JSON.parse(String(answer)).folders;
    expect(folders.map(({ error }) => error?.code)).toEqual([undefined, 'unreadable']);
  });

  test.each([
    ['relative/path', 'begin with "/"'],
    ['/a/../b', '".."'],
    ['/a//b', 'empty'],
    ['/a/%2E%2E/b', 'encodeURIComponent'],
    ['/a%2Fb', '"/"'],
    ['/a%00b', 'NUL'],
    ['/a b', 'encodeURIComponent'],
    ['/a%c3%a4', 'encodeURIComponent'],
    ['/a%', 'encodeURIComponent'],
    ['/%41', 'encodeURIComponent'],
  ])('refuses the path %j, saying what is right', async (spelled, rule) => {
    const refusal = await disk.stat('granted', spelled).catch((error: unknown) => error);

    expect(refusal).toMatchObject({ code: 'invalid_argument' });
    expect(String(refusal)).toContain(rule);
  });

  test('grants nothing to a plugin without roots', async () => {
    put('film.mkv');

    await expect(disk.stat('stranger', at('film.mkv'))).rejects.toMatchObject({
      code: 'outside_root',
    });
  });

  test('gives at most the requested number of entries, and the number of the others', async () => {
    for (const name of ['a', 'b', 'c', 'd']) put(name);

    const asked = { paths: [at()], limit: 3 };
    const [folder] = JSON.parse(String(await disk.list('granted', asked))).folders;

    expect([names(folder), folder.remaining]).toEqual([['a', 'b', 'c'], 1]);
  });

  test('cuts a folder that is too long for one answer, and continues after a name', async () => {
    const count = 5000;
    for (let index = 0; index < count; index += 1) put(`${String(index).padStart(200, '0')}.mkv`);
    put('~last/film.mkv');

    const seen: string[] = [];
    let after: string | undefined;
    for (let calls = 0; calls < 10; calls += 1) {
      const folder = await listOne(at(), after === undefined ? {} : { [at()]: after });
      expect(folder.skipped ?? 0).toBe(seen.length);
      seen.push(...names(folder));
      after = seen.at(-1);
      if (folder.remaining === undefined) break;
    }

    expect(seen).toHaveLength(count + 1);
    expect(seen).toEqual([...new Set(seen)]);
    expect(await list([at(), at('~last')])).toHaveLength(1);
  });
});

describe('host.disk.read', () => {
  const read = async (name: string, offset: number, length: number): Promise<string> =>
    Buffer.from(await disk.read('granted', { path: at(name), offset, length })).toString();

  test('gives the range, and fewer bytes at the end of the file', async () => {
    put('film.mkv', '0123456789');

    expect(await read('film.mkv', 2, 3)).toBe('234');
    expect(await read('film.mkv', 8, 100)).toBe('89');
    expect(await read('film.mkv', 50, 1)).toBe('');
  });

  test('gives the rest of a file that shrank', async () => {
    put('film.mkv', 'x'.repeat(1000));
    await truncate(`${root}/film.mkv`, 10);

    expect(await read('film.mkv', 0, 1000)).toBe('x'.repeat(10));
  });

  test('reports that a listed file is gone', async () => {
    put('film.mkv');
    await listOne();
    rmSync(`${root}/film.mkv`);

    await expect(read('film.mkv', 0, 1)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('refuses a link out of the roots, a folder, and a pipe', async () => {
    writeFileSync(`${top}/secret`, 'x');
    symlinkSync('../secret', `${root}/link.mkv`);
    mkdirSync(`${root}/folder.mkv`);
    execFileSync('mkfifo', [`${root}/pipe.mkv`]);

    await expect(read('link.mkv', 0, 1)).rejects.toMatchObject({ code: 'outside_root' });
    await expect(read('folder.mkv', 0, 1)).rejects.toMatchObject({ code: 'not_found' });
    await expect(read('pipe.mkv', 0, 1)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('leaves no descriptor open after any result', async () => {
    put('film.mkv');
    await read('film.mkv', 0, 1);
    const before = readdirSync('/proc/self/fd').length;

    for (let round = 0; round < 10; round += 1) {
      await read('film.mkv', 0, 1);
      await read('gone.mkv', 0, 1).catch(() => undefined);
      await listOne();
      const { file } = await disk.open('granted', at('film.mkv'));
      await file.close();
      await disk.open('granted', at()).catch(() => undefined);
    }

    expect(readdirSync('/proc/self/fd').length).toBe(before);
  });
});

describe('host.disk.resolve and open', () => {
  test('resolve follows the links and spells the path like a listing', async () => {
    put('real ä/film.mkv');
    symlinkSync('real ä', `${root}/link`);

    expect(await disk.resolve('granted', at('link/film.mkv'))).toBe(at('real ä/film.mkv'));
  });

  test('open gives size and time of a regular file, and refuses a path that leads out', async () => {
    put('film.mkv', '12345');
    symlinkSync('/etc/passwd', `${root}/link`);

    const { file, size } = await disk.open('granted', at('film.mkv'));
    await file.close();

    expect(size).toBe(5);
    await expect(disk.open('granted', at('link'))).rejects.toMatchObject({ code: 'outside_root' });
  });
});

describe('the disk', () => {
  test('works when the root itself is a link, and for its path with links followed', async () => {
    const linked = `${top}/by-link`;
    put('film.mkv', '123');
    symlinkSync(root, linked);
    const other = createDisk({
      grantedRoots: () => [encodePlainPath(linked)],
      workerScript: builtDiskWorker,
      watchTree: () => Promise.reject(new Error('unused')),
      newEpoch: () => 'epoch',
      log: silentLog,
    });
    try {
      const resolved = await other.resolve('any', encodePlainPath(`${linked}/film.mkv`));
      expect(resolved).toBe(at('film.mkv'));
      expect(JSON.parse(String(await other.stat('any', resolved)))).toMatchObject({ size: 3 });
    } finally {
      await other.close();
    }
  });

  test('refuses calls after it was closed', async () => {
    await disk.close();

    await expect(disk.stat('granted', at())).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});
