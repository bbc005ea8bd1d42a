import { mkdir, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { openReadOnly, type Log, type Queries } from '../../kernel/index.ts';
import { toTimestamp } from '../clock.ts';
import { backupName, isPartPath } from './backup.ts';
import { BackupError } from './backup-error.ts';
import { verifyBackup } from './backup-reader.ts';
import { copyDatabase, databaseFault } from './backup-store.ts';
import { sizeOf, writeBackup, type PartFile } from './backup-writer.ts';

/** Of what a backup is made, and where it goes. */
export interface BackupSources {
  readonly read: Queries;
  readonly databaseFile: string;
  readonly dataFolder: string;
  readonly folder: string;
  readonly serverVersion: string;
  readonly nowMs: number;
  readonly log: Log;
}

/** A copy of the database and the packed file are there at once. */
const roomFactor = 1.5;
const leftAfterMs = 12 * 3_600_000;

/** Makes one and reads it back; gives its name. Nothing is left behind when it fails. */
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

/** What a backup left that was killed. One that is at work elsewhere is younger. */
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
      `There is no room for it in ${folder}: it may take ${Math.ceil(needed / 1024 ** 2)} MiB.`,
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

/** Settings, plugins, and the keys when they are wanted; links and odd names stay where they are. */
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
