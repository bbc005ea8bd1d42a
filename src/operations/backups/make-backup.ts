import { mkdir, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../../kernel/index.ts';
import { openReadOnly, type Queries } from '../../../kernel/storage/index.ts';
import { toTimestamp } from '../../platform/clock.ts';
import { backupName, isPartPath } from './backup.ts';
import { BackupError } from './backup-error.ts';
import { verifyBackup } from './backup-reader.ts';
import { copyDatabase, databaseFault } from './backup-store.ts';
import { sizeOf, writeBackup, type PartFile } from './backup-writer.ts';

/** The sources of a backup, and its destination. */
export interface BackupSources {
  readonly read: Queries;
  readonly databaseFile: string;
  readonly dataFolder: string;
  readonly folder: string;
  readonly serverVersion: string;
  readonly nowMs: number;
  readonly log: Log;
}

/** A copy of the database and the packed file exist at the same time. */
const roomFactor = 1.5;
const leftAfterMs = 12 * 3_600_000;

/** Creates a backup and verifies it; returns its name. After a failure no file remains. */
export async function makeBackup(
  label: string | null,
  withKeys: boolean,
  sources: BackupSources,
): Promise<string> {
  const { read, databaseFile, dataFolder, folder, serverVersion, nowMs, log } = sources;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftovers(folder, nowMs);
  await assertRoom(folder, (await sizeOf(databaseFile)) * roomFactor);
  const copies = await mkdtemp(path.join(folder, '.copy-'));
  try {
    const copy = path.join(copies, 'database.db');
    await copyDatabase(read, copy);
    await assertWhole(copy, log);
    const files = [{ path: 'database.db', file: copy }, ...(await others(dataFolder, withKeys))];
    const filename = backupName(nowMs, label);
    const target = path.join(folder, filename);
    await writeBackup(target, files, { createdAt: toTimestamp(nowMs), serverVersion, label });
    await readBack(target);
    return filename;
  } finally {
    await rm(copies, { recursive: true, force: true });
  }
}

/** Removes leftovers of a killed backup. The files of one in progress are younger. */
async function removeLeftovers(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('.copy-') && !name.endsWith('.vbackup.unfinished')) continue;
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found !== null && found.mtimeMs < nowMs - leftAfterMs)
      await rm(file, { recursive: true, force: true });
  }
}

async function readBack(target: string): Promise<void> {
  try {
    await verifyBackup(target);
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
}

async function assertRoom(folder: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < needed)
    throw new BackupError(
      `There is not enough space in ${folder}: the backup may need ${Math.ceil(needed / 1024 ** 2)} MiB.`,
    );
}

async function assertWhole(file: string, log: Log): Promise<void> {
  const copy = await openReadOnly({ url: `sqlite:${file}`, log });
  try {
    const fault = await databaseFault(copy.read);
    if (fault !== null) throw new BackupError(`The database is damaged: ${fault}.`);
  } finally {
    await copy.close();
  }
}

/** Settings, plugins, and the keys on request; links and unusual names are skipped. */
async function others(dataFolder: string, withKeys: boolean): Promise<readonly PartFile[]> {
  const single = ['vitrine.json', ...(withKeys ? ['server.key', 'server-id.key'] : [])];
  const files: PartFile[] = [];
  for (const name of single) {
    const file = path.join(dataFolder, name);
    const found = await stat(file).catch(() => null);
    if (found?.isFile()) files.push({ path: name.endsWith('.key') ? `keys/${name}` : name, file });
  }
  const plugins = path.join(dataFolder, 'plugins');
  const entries = await readdir(plugins, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    const part = path.relative(dataFolder, file).split(path.sep).join('/');
    if (entry.isFile() && isPartPath(part)) files.push({ path: part, file });
  }
  return files;
}
