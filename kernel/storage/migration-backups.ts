/**
 * The way back from an upgrade. Before the tables of a database change, a copy of it is kept beside it,
 * as it is at that moment; the version that ran before can open it. The two newest are kept. A copy has
 * its name only when it is whole and on the disk.
 */
import { open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Knex } from 'knex';
import { KernelError } from '../errors.ts';

/** One kept copy of a database. */
export interface MigrationBackup {
  readonly file: string;
  /** Unix milliseconds. */
  readonly madeAt: number;
  readonly sizeBytes: number;
}

const kept = 2;
/** What the migrations themselves write, and the log of it. */
const roomFactor = 2;
const spareBytes = 16 * 1024 ** 2;

/** Copies the database of a file while others read it; rejects when there is no room for it. */
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
      `The database is of an older version, and there is no room for the copy that is kept before it is brought up to date: that takes ${Math.ceil(needed / 1024 ** 2)} MiB.`,
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

/** The copies that were kept of the database of a file, the newest first. */
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
