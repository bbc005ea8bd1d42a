/** Faults of disks: of the data folder, of the backups, and of the database. */
import { spawnSync } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ToldFault, ToldServer } from './told-server.ts';

const mebibyte = 1024 ** 2;

/** Mounts, remounts or unmounts; false where this user may not. */
export const mount = (...args: readonly string[]): boolean =>
  spawnSync('mount', args, { stdio: 'ignore' }).status === 0;
export const unmount = (folder: string): boolean =>
  spawnSync('umount', [folder], { stdio: 'ignore' }).status === 0;

/** Leaves so many bytes free on the disk of the data folder, which is a mount of its own. */
async function leaveFree({ data }: ToldServer, bytes: number): Promise<void> {
  const { blocks, bfree, bsize } = await statfs(data);
  const pages = blocks - bfree + Math.ceil(bytes / bsize);
  mount('-o', `remount,size=${pages * bsize}`, data);
}

const runTask = (server: ToldServer, name: string) =>
  server.ask('POST', `/api/scheduler/${name}/run`);

const space = (name: string, freeBytes: number): ToldFault => ({
  name,
  code: 'disk_nearly_full',
  induce: async (server) => {
    await leaveFree(server, freeBytes);
    await runTask(server, 'disk-space');
  },
  heal: async (server) => {
    await leaveFree(server, 2048 * mebibyte);
    await runTask(server, 'disk-space');
  },
});

/** They take a data folder on a disk of its own. */
export const dataDiskFaults: readonly ToldFault[] = [
  space('The disk of the data folder has less than 1 GiB', 700 * mebibyte),
  space('The disk of the data folder has less than 200 MiB', 100 * mebibyte),
  {
    name: 'The disk of the data folder is full',
    code: 'cannot_write',
    induce: (server) => leaveFree(server, 0),
    heal: (server) => leaveFree(server, 2048 * mebibyte),
  },
];

const backups = ({ data }: ToldServer): string => path.join(data, 'backups');

/** Breaks the folder of the backups, and mends it. */
const noBackup = (
  name: string,
  breaks: (folder: string) => unknown,
  mends: (folder: string) => unknown,
): ToldFault => ({
  name,
  code: 'backup_failed',
  induce: async (server) => {
    await server.ask('POST', '/api/backups', {});
    await breaks(backups(server));
    await runTask(server, 'backup');
  },
  heal: async (server) => {
    await mends(backups(server));
    await runTask(server, 'backup');
  },
});

/** They take the right to mount. */
export const backupDiskFaults: readonly ToldFault[] = [
  noBackup(
    'The disk of the backups is full',
    (folder) => mount('-t', 'tmpfs', '-o', 'size=16k', 'none', folder),
    unmount,
  ),
  noBackup(
    'The disk of the backups is read-only',
    (folder) => mount('-t', 'tmpfs', '-o', 'ro', 'none', folder),
    unmount,
  ),
];

const inTheWay = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true });
  await writeFile(folder, 'not a folder');
};

/** Faults of backups that take no rights. */
export const backupFaults: readonly ToldFault[] = [
  noBackup('The backup folder is a file', inTheWay, (folder) => rm(folder)),
  {
    name: 'No backup succeeds for three days',
    code: 'backup_overdue',
    induce: async (server) => {
      await inTheWay(backups(server));
      await server.clock.advance(3 * 24 * 3_600_000);
      await runTask(server, 'backup');
    },
    heal: async (server) => {
      await rm(backups(server));
      await runTask(server, 'backup');
    },
  },
];

let groups = 0;

/** The driver fails with a code of SQLite. */
const broken = (name: string, code: string, which: 'writes' | 'all'): ToldFault => ({
  name,
  code: which === 'writes' ? 'cannot_write' : 'database_unreachable',
  induce: async (server) => {
    server.disk.set({ code, which });
    await server.ask('POST', '/api/groups', { name: `Group ${(groups += 1)}` });
  },
  heal: async ({ disk }) => disk.set(null),
});

const late = (name: string, code: ToldFault['code'], delayMs: number): ToldFault => ({
  name,
  code,
  induce: async ({ disk }) => disk.set({ code: null, which: 'all', delayMs }),
  heal: async ({ disk }) => disk.set(null),
});

/** SQLite fails at each write. */
export const refusedWrites: readonly ToldFault[] = [
  broken('SQLite: each write fails (IOERR)', 'SQLITE_IOERR', 'writes'),
  broken('SQLite: the disk is full (FULL)', 'SQLITE_FULL', 'writes'),
  broken('SQLite: the file can only be read (READONLY)', 'SQLITE_READONLY', 'writes'),
  broken('SQLite: a write meets damage (CORRUPT)', 'SQLITE_CORRUPT', 'writes'),
  broken('SQLite: another program holds the lock (BUSY)', 'SQLITE_BUSY', 'writes'),
  broken('SQLite: its log cannot be opened (CANTOPEN)', 'SQLITE_CANTOPEN', 'writes'),
  broken('SQLite: no memory for a write (NOMEM)', 'SQLITE_NOMEM', 'writes'),
];

/** SQLite fails at each statement. */
export const failedReads: readonly ToldFault[] = [
  broken('SQLite: each statement fails (IOERR)', 'SQLITE_IOERR', 'all'),
  broken('SQLite: each statement meets damage (CORRUPT)', 'SQLITE_CORRUPT', 'all'),
  broken('SQLite: the file is no longer a database (NOTADB)', 'SQLITE_NOTADB', 'all'),
  broken('SQLite: the file cannot be opened (CANTOPEN)', 'SQLITE_CANTOPEN', 'all'),
  late('SQLite: each statement takes 0.6 s', 'database_slow', 600),
  late('SQLite: it does not answer', 'database_unreachable', Infinity),
];
