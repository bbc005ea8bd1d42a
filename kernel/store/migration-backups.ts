/**
 * Backups for the return to an earlier version. Before the tables of a database change, a copy is
 * made beside it, which the earlier version can open. The two newest copies are kept. A copy gets its
 * final name only when it is complete and synced.
 */
import { open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Knex } from 'knex';
import { KernelError } from '../errors.ts';

/** One backup of a database file. */
export interface MigrationBackup {
  readonly file: string;
  /** Unix milliseconds. */
  readonly madeAt: number;
  readonly sizeBytes: number;
}

const kept = 2;
/** For the writes of the migrations, and their log. */
const roomFactor = 2;
const spareBytes = 16 * 1024 ** 2;

/** Copies a database file while others read it; rejects when the disk has no room for it. */
export async function makeMigrationBackup(
  read: Knex,
  file: string,
  now: Date,
): Promise<MigrationBackup> {
  const folder = path.dirname(file);
  const { size } = await stat(file);
  const needed = size * roomFactor + spareBytes;
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < needed)
    throw new KernelError(
      'storage_full',
      `The database is of an older version, and the disk has no room for the backup before its migration: it needs ${Math.ceil(needed / 1024 ** 2)} MiB.`,
    );
  const target = `${file}.before-${stampOf(now)}`;
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { force: true });
  try {
    await read.raw('vacuum into ?', [unfinished]);
    await synced(unfinished);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  const [newest, ...others] = await listMigrationBackups(file);
  for (const old of others.slice(kept - 1)) await rm(old.file, { force: true });
  if (newest === undefined) throw new Error(`The copy ${target} is gone.`);
  return newest;
}

/** The backups of a database file, the newest first. */
export async function listMigrationBackups(file: string): Promise<readonly MigrationBackup[]> {
  const folder = path.dirname(file);
  const beginning = `${path.basename(file)}.before-`;
  const copies: MigrationBackup[] = [];
  for (const name of await readdir(folder)) {
    const madeAt = name.startsWith(beginning) ? timeOf(name.slice(beginning.length)) : null;
    if (madeAt === null) continue;
    const copy = path.join(folder, name);
    copies.push({ file: copy, madeAt, sizeBytes: (await stat(copy)).size });
  }
  return copies.toSorted((a, b) => b.madeAt - a.madeAt);
}

const stampOf = (moment: Date): string => moment.toISOString().replace(/[-:.]/g, '');

function timeOf(stamp: string): number | null {
  const [, year, month, day, hour, minute, second, ms] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(stamp) ?? [];
  if (year === undefined) return null;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
}

async function synced(file: string): Promise<void> {
  const opened = await open(file, 'r+');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
