import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtDiskWorker } from '../../../test/support/run/disk-worker.ts';
import { silentLog } from '../../../kernel/index.ts';
import { createBarred } from './confinement.ts';
import { createDisk, encodePlainPath, type Disk } from './index.ts';

let top: string;
let disk: Disk;

beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'vitrine-barred-'));
  for (const name of ['library/vault', 'library/films', 'moved'])
    mkdirSync(path.join(top, name), { recursive: true });
  for (const name of ['library/vault/key', 'library/server.db', 'library/server.db-wal'])
    writeFileSync(path.join(top, name), 'secret');
  writeFileSync(path.join(top, 'library/films/One.mkv'), 'a film');
  symlinkSync('../vault/key', path.join(top, 'library/films/link.mkv'));
  symlinkSync(path.join(top, 'moved'), path.join(top, 'backups'));
  writeFileSync(path.join(top, 'moved/copy'), 'secret');
  disk = createDisk({
    grantedRoots: (id) =>
      ({ all: [at('library'), at('moved')], vault: [at('library/vault')] })[id] ?? [],
    workerScript: builtDiskWorker,
    barred: [
      { path: path.join(top, 'library/vault') },
      { path: path.join(top, 'library/server.db'), isFile: true },
      { path: path.join(top, 'backups') },
    ],
    watchTree: () => Promise.reject(new Error('unused')),
    newEpoch: () => 'e',
    log: silentLog,
  });
});

afterEach(async () => {
  await disk.close();
  rmSync(top, { recursive: true });
});

const at = (name: string): string => encodePlainPath(path.join(top, name));
const read = (id: string, name: string) => disk.read(id, { path: at(name), offset: 0, length: 9 });

describe('a barred place', () => {
  test('cannot be read, also below a granted root', async () => {
    const refused = { code: 'outside_root' };
    for (const [id, name] of [
      ['all', 'library/vault/key'],
      ['all', 'library/films/link.mkv'],
      ['all', 'library/server.db'],
      ['all', 'library/server.db-wal'],
      ['all', 'moved/copy'],
      ['vault', 'library/vault/key'],
    ] as const) {
      await expect(read(id, name)).rejects.toMatchObject(refused);
      await expect(disk.open(id, at(name))).rejects.toMatchObject(refused);
      await expect(disk.stat(id, at(name))).rejects.toMatchObject(refused);
      expect(await disk.fingerprints(id, [at(name)])).toEqual([null]);
      expect(await disk.resolveAll(id, [at(name)])).toEqual([null]);
    }
  });

  test('is not listed, and files beside it can still be read', async () => {
    const list = async (name: string) => String(await disk.list('all', { paths: [at(name)] }));

    expect(await list('library/vault')).not.toContain('key');
    expect(await list('library/films')).toContain('One.mkv');
    expect(Buffer.from(await read('all', 'library/films/One.mkv')).toString()).toBe('a film');
  });

  test('is checked where it is now', () => {
    let time = 0;
    const places = createBarred([{ path: path.join(top, 'backups') }], () => time);
    const before = places().map((place) => place.path);
    rmSync(path.join(top, 'backups'));
    symlinkSync(path.join(top, 'library/films'), path.join(top, 'backups'));
    time = 2000;

    expect(before).toContain(path.join(top, 'moved'));
    expect(places().map((place) => place.path)).toContain(path.join(top, 'library/films'));
  });
});

describe('reads confined to some roots', () => {
  test('follow no link out of them, and refuse a root that is not granted', async () => {
    const films = disk.within([at('library/films')]);
    symlinkSync('../plain', path.join(top, 'library/films/out'));
    writeFileSync(path.join(top, 'library/plain'), 'x');
    const range = { offset: 0, length: 1 };

    expect(await films.read('all', { path: at('library/films/One.mkv'), ...range })).toHaveLength(
      1,
    );
    await expect(
      films.read('all', { path: at('library/films/out'), ...range }),
    ).rejects.toMatchObject({ code: 'outside_root' });
    await expect(
      disk.within(['/etc']).read('all', { path: '/etc/passwd', ...range }),
    ).rejects.toMatchObject({ code: 'outside_root' });
  });
});
