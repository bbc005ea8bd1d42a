import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtDiskWorker } from '../../../test/support/run/disk-worker.ts';
import localPlugin from '../../../builtin-plugins/filesystem-local/index.ts';
import { type CallPlugin, KernelError, silentLog } from '../../../kernel/index.ts';
import { splitRanges, type Host, type ListFilesInput } from '../../../plugin-api/index.ts';
import { callService } from '../../../test/support/plugins/call-service.ts';
import { testPluginViewers } from '../../../test/support/plugins/plugin-viewers.ts';
import { serverViewer } from '../../people/viewer/index.ts';
import { createDisk, encodePlainPath, type Disk } from '../disk/index.ts';
import { createDiskRoots, createFilesystems, createFsService, type Filesystems } from './index.ts';

let top: string;
let root: string;
let disk: Disk;
let filesystems: Filesystems;
let called: string[];

beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'vitrine fs-'));
  mkdirSync(`${top}/library`);
  root = `file://${encodePlainPath(`${top}/library`)}`;
  called = [];
  const plugins = {
    filesystemFor: (scheme: string) => ({ file: 'local', mem: 'memory' })[scheme],
    roots: () => [root, 'mem://shelf'],
    rootsWithin: (_id: string, all: readonly string[]) => all,
  };
  disk = createDisk({
    grantedRoots: createDiskRoots(plugins),
    workerScript: builtDiskWorker,
    watchTree: () => Promise.reject(new Error('unused')),
    newEpoch: () => 'e',
    log: silentLog,
  });
  const call: CallPlugin = (pluginId, method, input) => {
    called.push(method);
    return pluginId === 'local' ? callLocal(method, input) : callMemory(method, input);
  };
  filesystems = createFilesystems({
    ...plugins,
    call,
    hasLocalFiles: (pluginId) => pluginId === 'local',
    disk,
  });
});

afterEach(async () => {
  await disk.close();
  rmSync(top, { recursive: true, force: true });
});

/** The built-in as the kernel calls it, but for the sandbox between. */
async function callLocal(method: string, input: unknown): Promise<unknown> {
  const host = {
    disk: {
      list: async (asked: never) => JSON.parse(String(await disk.list('local', asked))),
      stat: async ({ path: at }: { path: string }) =>
        JSON.parse(String(await disk.stat('local', at))),
      read: (asked: never) => disk.read('local', asked),
      resolve: async ({ path: at }: { path: string }) => ({
        path: await disk.resolve('local', at),
      }),
    },
  } as unknown as Host;
  const handlers = localPlugin.methods as Record<string, (input: unknown, host: Host) => unknown>;
  try {
    return await handlers[method]!(input, host);
  } catch (error) {
    throw new KernelError('plugin_failed', String(error), { cause: error });
  }
}

const shelf = Buffer.alloc(3_000_000, 'abc');

/** A filesystem that is on no disk: one file, `mem://shelf/film.mkv`. */
async function callMemory(method: string, input: unknown): Promise<unknown> {
  const {
    uri,
    offset = 0,
    length = 0,
  } = input as { uri: string; offset?: number; length?: number };
  if (method === 'filesystem.stat') return { uri, kind: 'file', size: shelf.length, modifiedAt: 5 };
  if (method === 'filesystem.read') return new Uint8Array(shelf.subarray(offset, offset + length));
  if (method === 'filesystem.list')
    return { entries: [{ uri, kind: 'file' }], problems: [], cursor: null };
  throw new KernelError('plugin_failed', 'no such method');
}

const put = (name: string, content = 'content'): string => {
  mkdirSync(path.dirname(`${top}/library/${name}`), { recursive: true });
  writeFileSync(`${top}/library/${name}`, content);
  return `${root}/${name.split('/').map(encodeURIComponent).join('/')}`;
};

describe('host.fs', () => {
  test('lists, stats and reads files below the roots', async () => {
    const uri = put('Film ä/film.mkv', '0123456789');

    const page = await filesystems.list({ uri: root, recursive: true });

    expect(page).toMatchObject({ entries: [{ uri, kind: 'file', size: 10 }], cursor: null });
    expect(await filesystems.stat(uri)).toEqual(page.entries[0]);
    expect(Buffer.from(await filesystems.read({ uri, offset: 8, length: 10 })).toString()).toBe(
      '89',
    );
  });

  test.each([
    'file:///library/../etc/passwd',
    'file:///library/%2e%2e/etc',
    'file:///library/%2E%2E/etc',
    'file:///library//film.mkv',
    'file:///library/a%2Fb',
    'file:///library/a%00b',
    'file:///library/a b',
    'file:///library/%61',
    'file:///library/a%c3%a4',
    'file:///library/a?b',
    'file:///library/a#b',
    'file:///library/',
    'FILE:///library/a',
    '/library/a',
    '',
  ])('refuses the spelling %j', async (uri) => {
    await expect(filesystems.stat(uri)).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(called).toEqual([]);
  });

  test('refuses a URI outside of all libraries before it calls a plugin', async () => {
    for (const uri of ['file:///etc/passwd', `${root}-other/film.mkv`, 'mem://other/film.mkv']) {
      await expect(filesystems.read({ uri, offset: 0, length: 1 })).rejects.toMatchObject({
        code: 'permission_denied',
      });
    }
    expect(called).toEqual([]);
  });

  test('names a scheme that has no filesystem plugin', async () => {
    await expect(filesystems.stat('smb://nas/films')).rejects.toThrow('smb:');
  });

  test('refuses a link that leads out of the library', async () => {
    writeFileSync(`${top}/secret`, 'x');
    symlinkSync('../secret', `${top}/library/link.mkv`);

    const reading = filesystems.read({ uri: `${root}/link.mkv`, offset: 0, length: 1 });

    await expect(reading).rejects.toMatchObject({ code: 'outside_root' });
  });

  test('asks a plugin once where a file is, not for each range', async () => {
    const uri = put('film.mkv');
    for (let offset = 0; offset < 5; offset += 1)
      await filesystems.read({ uri, offset, length: 1 });

    expect(called).toEqual(['filesystem.getLocalPath']);
  });

  test('finds a file again whose folder was replaced by a link', async () => {
    const uri = put('disk/film.mkv', 'old');
    await filesystems.read({ uri, offset: 0, length: 3 });
    renameSync(`${top}/library/disk`, `${top}/library/moved`);
    symlinkSync('moved', `${top}/library/disk`);

    expect(Buffer.from(await filesystems.read({ uri, offset: 0, length: 3 })).toString()).toBe(
      'old',
    );
  });

  test('says not_found for a file that vanished', async () => {
    const uri = put('film.mkv');
    await filesystems.read({ uri, offset: 0, length: 1 });
    rmSync(`${top}/library/film.mkv`);

    await expect(filesystems.read({ uri, offset: 0, length: 1 })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(filesystems.stat(uri)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('reads a file that is not on a disk through its plugin', async () => {
    const bytes = await filesystems.read({ uri: 'mem://shelf/film.mkv', offset: 1, length: 3 });

    expect(Buffer.from(bytes).toString()).toBe('bca');
    expect(await filesystems.localPath('mem://shelf/film.mkv')).toBeNull();
  });

  test('rejects malformed answers of a plugin', async () => {
    await expect(filesystems.list({ uri: 'mem://shelf' })).rejects.toMatchObject({
      code: 'plugin_failed',
      message:
        'The filesystem plugin gave a wrong answer to filesystem.list: entries[0].size must be a whole number of bytes.',
    });
  });

  test('stops before the next known page while the server answers clients', async () => {
    const asked: ListFilesInput[] = [];
    const list = async (input: ListFilesInput) => {
      asked.push(input);
      return { entries: [], problems: [], cursor: null };
    };
    const knownNext = [{ digest: 'd', through: null }];
    const input = { uri: 'mem://shelf', recursive: true, limit: 1000, knownNext };
    for (const batchSize of [1000, 100]) {
      const pace = { batchSize: async () => batchSize };
      const call = callService(createFsService({ ...filesystems, list }, pace), { files: 'read' });
      await call('list', input);
    }

    expect(asked.map(({ limit, knownNext: next }) => [limit, next])).toEqual([
      [1000, knownNext],
      [100, undefined],
    ]);
  });

  test('lists a whole tree for a person without waiting for the server to be quiet', async () => {
    const never = { batchSize: () => new Promise<number>(() => undefined) };
    const viewer = testPluginViewers().toPlugins(serverViewer);
    const list = async ({ limit = 0 }: ListFilesInput) => ({
      entries: [],
      problems: [],
      cursor: String(limit),
    });
    const service = createFsService({ ...filesystems, list }, never);
    const call = callService(service, { files: 'read' }, { pluginId: 'example', viewer });

    const listing = await call('list', { uri: 'mem://shelf', recursive: true, limit: 1000 });

    expect(listing).toMatchObject({ cursor: '1000' });
  });

  test('needs files: read for everything it offers', () => {
    const { methods } = createFsService(filesystems, { batchSize: async (wanted) => wanted });

    expect(Object.values(methods).map(({ permission }) => permission)).toEqual(
      ['list', 'stat', 'read', 'readRanges'].map(() => ({ name: 'files', level: 'read' })),
    );
  });
});

describe('host.fs.readRanges', () => {
  const textsOf = (answer: Uint8Array) =>
    splitRanges(answer).map((bytes) => bytes && Buffer.from(bytes).toString());

  const range = (uri: string, offset = 0, length = 10) => ({ uri, offset, length });

  test('reads many ranges of many files, in the order of the request', async () => {
    const uri = put('Film ä/film.mkv', '0123456789');
    const other = put('other.mkv', 'abc');

    const answer = await filesystems.readRanges([
      range(other, 1, 1),
      range(uri, 8, 10),
      range('mem://shelf/film.mkv', 0, 4),
      range(uri, 0, 3),
      range(uri, 100, 5),
    ]);

    expect(textsOf(answer)).toEqual(['b', '89', 'abca', '012', '']);
  });

  test('asks a plugin once where all the files are', async () => {
    const uris = Array.from({ length: 20 }, (_, index) => put(`film ${index}.mkv`));

    await filesystems.readRanges(uris.map((uri) => range(uri)));
    await filesystems.readRanges(uris.map((uri) => range(uri, 2)));

    expect(called).toEqual(['filesystem.getLocalPaths']);
  });

  test('marks a file that cannot be read in its place, and reads the others', async () => {
    const uri = put('film.mkv');
    mkdirSync(`${top}/library/folder.mkv`);

    const answer = await filesystems.readRanges([
      range(`${root}/gone.mkv`),
      range(`${root}/folder.mkv`),
      range(uri),
    ]);

    expect(textsOf(answer)).toEqual([null, null, 'content']);
  });

  test('does not read a file through a link out of the library', async () => {
    writeFileSync(`${top}/secret`, 'secret');
    mkdirSync(`${top}/vault`);
    writeFileSync(`${top}/vault/film.mkv`, 'secret');
    symlinkSync('../secret', `${top}/library/link.mkv`);
    symlinkSync('../vault', `${top}/library/vault`);
    put('film.mkv');
    symlinkSync('film.mkv', `${top}/library/inner.mkv`);

    const answer = await filesystems.readRanges([
      range(`${root}/link.mkv`),
      range(`${root}/vault/film.mkv`),
      range(`${root}/inner.mkv`),
    ]);

    expect(textsOf(answer)).toEqual([null, null, 'content']);
  });

  test('reads a file that came back after it could not be read', async () => {
    const uri = put('film.mkv');
    await filesystems.readRanges([range(uri)]);
    rmSync(`${top}/library/film.mkv`);
    await filesystems.readRanges([range(uri)]);
    put('film.mkv', 'again');

    expect(textsOf(await filesystems.readRanges([range(uri)]))).toEqual(['again']);
  });

  test('refuses a URI outside of the libraries, and one that is misspelled', async () => {
    await expect(filesystems.readRanges([range('file:///etc/passwd')])).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await expect(filesystems.readRanges([range(`${root}/../x`)])).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  test('refuses more than 4 MiB together', async () => {
    const { methods } = createFsService(filesystems, { batchSize: async (wanted) => wanted });
    const ranges = Array.from({ length: 5 }, () => range(`${root}/film.mkv`, 0, 1_048_576));

    const reading = methods['readRanges']?.run({ ranges }, {} as never);

    await expect(reading).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('asks a plugin without getLocalPaths file by file', async () => {
    const uri = put('film.mkv');
    const plain = createFilesystems({
      filesystemFor: () => 'local',
      roots: () => [root],
      hasLocalFiles: () => true,
      disk,
      call: async (_pluginId, method, input) => {
        if (method === 'filesystem.getLocalPath') return callLocal(method, input);
        const cause = { code: 'unknown_handler', message: '' };
        throw new KernelError('plugin_failed', method, { cause });
      },
    });

    expect(textsOf(await plain.readRanges([range(uri), range(`${root}/gone`)]))).toEqual([
      'content',
      null,
    ]);
  });
});

describe('fingerprints', () => {
  const large = Buffer.alloc(200_000, 'abc');
  const put200k = (name: string, change?: number): string => {
    const bytes = Buffer.from(large);
    if (change !== undefined) bytes[change] = 0;
    put(name);
    writeFileSync(`${top}/library/${name}`, bytes);
    return `${root}/${name}`;
  };

  test('are SHA-256 over the size and 16 KiB from the start, the middle and the end', async () => {
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(200_000n);
    const samples = [0, 91_808, 183_616].map((at) => large.subarray(at, at + 16_384));
    const expected = createHash('sha256').update(Buffer.concat([size, ...samples]));

    expect(await filesystems.fingerprints([put200k('film.mkv')])).toEqual([
      expected.digest('hex').slice(0, 32),
    ]);
  });

  test('do not depend on the path, and differ for other bytes or another size', async () => {
    const [one, copy, start, middle, end] = await filesystems.fingerprints([
      put200k('one.mkv'),
      put200k('folder/copy.mkv'),
      put200k('start.mkv', 1),
      put200k('middle.mkv', 100_000),
      put200k('end.mkv', 199_999),
    ]);
    const [small, smaller] = await filesystems.fingerprints([put('a', 'abc'), put('b', 'ab')]);

    expect(copy).toBe(one);
    expect(new Set([one, start, middle, end, small, smaller]).size).toBe(6);
  });

  test('are equal for a file on a disk and behind a plugin', async () => {
    put('film.mkv');
    writeFileSync(`${top}/library/film.mkv`, shelf);

    const [here, there] = await filesystems.fingerprints([
      `${root}/film.mkv`,
      'mem://shelf/film.mkv',
    ]);

    expect(there).toBe(here);
  });

  test('are null for a file that cannot be read, also in more files than one batch has', async () => {
    const uris = Array.from({ length: 70 }, (_, index) => put(`${index}.mkv`, `${index}`));

    const made = await filesystems.fingerprints([`${root}/gone.mkv`, root, ...uris]);

    expect(made.slice(0, 2)).toEqual([null, null]);
    expect(new Set(made.slice(2)).size).toBe(70);
    expect(called).toEqual(['filesystem.getLocalPaths', 'filesystem.getLocalPaths']);
  });
});

describe('localPath', () => {
  test('gives the plain path, links followed', async () => {
    put('real ä/film.mkv');
    symlinkSync('real ä', `${top}/library/link`);

    const local = await filesystems.localPath(`${root}/link/film.mkv`);

    expect(local).toBe(`${top}/library/real ä/film.mkv`);
    expect(existsSync(local!)).toBe(true);
  });

  test('gives null for a name that is not valid text', async () => {
    const name = Buffer.from([0x66, 0xff]);
    writeFileSync(Buffer.concat([Buffer.from(`${top}/library/`), name]), 'x');

    expect(await filesystems.localPath(`${root}/f%FF`)).toBeNull();
  });
});

describe('open', () => {
  test.each([
    ['on the disk', () => put('film.mkv', 'x'.repeat(700_000)), 700_000],
    ['in a plugin', () => 'mem://shelf/film.mkv', shelf.length],
  ])('streams a range of a file %s', async (_where, make, size) => {
    const opened = await filesystems.open(make());
    const bytes = await buffer(await opened.stream({ first: 10, last: size - 11 }));

    expect(opened.size).toBe(size);
    expect(bytes.length).toBe(size - 20);
  });

  test('fails the stream of a file that became shorter, instead of ending it', async () => {
    const uri = put('film.mkv', 'x'.repeat(700_000));
    const opened = await filesystems.open(uri);
    const stream = await opened.stream({ first: 0, last: opened.size - 1 });
    truncateSync(`${top}/library/film.mkv`, 100);

    await expect(buffer(stream)).rejects.toMatchObject({ code: 'unreadable' });
  });

  test('closes the file when the stream ends, is destroyed before or in the middle, or is never made', async () => {
    const uri = put('film.mkv', 'x'.repeat(2_000_000));
    await (await filesystems.open(uri)).close();
    const before = readdirSync('/proc/self/fd').length;

    const streamTo = async (last: number) =>
      (await filesystems.open(uri)).stream({ first: 0, last });
    await buffer(await streamTo(1_999_999));
    const unread = await streamTo(9);
    const halfRead = await streamTo(1_999_999);
    await expect((await filesystems.open(uri)).stream({ first: 3e6, last: 4e6 })).rejects.toThrow();
    const closed = [unread, halfRead].map(
      (stream) => new Promise((resolve) => stream.once('close', resolve)),
    );
    await new Promise((resolve) => halfRead.once('data', resolve));
    unread.destroy();
    halfRead.destroy();
    await Promise.all(closed);
    await (await filesystems.open(uri)).close();

    expect(readdirSync('/proc/self/fd').length).toBe(before);
  });
});

test('a plugin that does not serve file: sees nothing of the disk', async () => {
  const roots = createDiskRoots({
    roots: () => ['file:///media/a%20b', 'file://', 'mem://shelf'],
    filesystemFor: () => 'local',
    rootsWithin: (_id, all) => all,
  });

  expect(roots('local')).toEqual(['/media/a%20b', '/']);
  expect(roots('other')).toEqual([]);
});
