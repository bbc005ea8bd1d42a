import { mkdtemp, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../../kernel/index.ts';
import { toTimestamp } from '../../platform/clock.ts';
import { giveToOwnerOf } from '../../platform/data-folder/index.ts';
import { backupName, isPartPath, keyFileNames, sealedKeysPath, type BackupKeys } from './backup.ts';
import { verifyBackup } from './backup-reader.ts';
import type { CopiedDatabase } from './copied-database.ts';
import { onDisk, TooLittleRoom } from './disk-failure.ts';
import { sealKeys } from './sealed-keys.ts';
import { writeBackup, type PartFile } from './backup-writer.ts';

/** The sources of a backup, and its destination. */
export interface BackupSources {
  readonly database: CopiedDatabase;
  readonly dataFolder: string;
  readonly folder: string;
  readonly serverVersion: string;
  readonly nowMs: number;
}

/** A copy of the database and the packed file exist at the same time. */
const roomFactor = 1.5;
const leftAfterMs = 12 * 3_600_000;

/** Creates a backup and verifies it; returns its name. After a failure no file remains. */
export async function makeBackup(
  label: string | null,
  keys: BackupKeys,
  sources: BackupSources,
): Promise<string> {
  const { database, folder, nowMs } = sources;
  return onDisk(`backup folder ${folder}`, async () => {
    await makeBackupFolder(sources);
    await removeLeftovers(folder, nowMs);
    await assertRoom(folder, (await database.sizeBytes()) * roomFactor);
    return write(label, keys, sources);
  });
}

async function write(
  label: string | null,
  keys: BackupKeys,
  { database, dataFolder, folder, serverVersion, nowMs }: BackupSources,
): Promise<string> {
  const copies = await mkdtemp(path.join(folder, '.copy-'));
  try {
    const copy = path.join(copies, database.part);
    await database.copy(copy);
    const files = [
      { path: database.part, file: copy },
      ...(await keyParts(keys, dataFolder, copies)),
      ...(await others(dataFolder)),
    ];
    const filename = backupName(nowMs, label);
    const target = path.join(folder, filename);
    await writeBackup(target, files, { createdAt: toTimestamp(nowMs), serverVersion, label });
    await readBack(target);
    giveToOwnerOf(dataFolder, target);
    return filename;
  } finally {
    await rm(copies, { recursive: true, force: true });
  }
}

/**
 * The folder of the backups belongs to the owner of the data folder, so a backup that root made does
 * not stop the server from making its own.
 */
async function makeBackupFolder({ folder, dataFolder }: BackupSources): Promise<void> {
  const first = await makeFolder(folder, 0o700);
  const isInside = folder.startsWith(`${dataFolder}${path.sep}`);
  if (first !== undefined || isInside) giveToOwnerOf(dataFolder, first ?? folder);
}

/**
 * Removes what killed backups left, at the start of a server, when none is in progress. A folder
 * that cannot be read is a problem of the next backup.
 */
export async function clearLeftovers(folder: string): Promise<void> {
  await removeLeftovers(folder, Number.POSITIVE_INFINITY).catch(() => undefined);
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
    throw new TooLittleRoom(
      `There is not enough space in the backup folder ${folder}: the backup may need ${Math.ceil(needed / 1024 ** 2)} MiB.`,
    );
}

/** The keys, as they are or sealed into a file in the folder of the copies. */
async function keyParts(
  keys: BackupKeys,
  dataFolder: string,
  copies: string,
): Promise<readonly PartFile[]> {
  if (keys === 'none') return [];
  const found = await present(dataFolder, keyFileNames);
  if (keys === 'plain')
    return found.map(({ path: name, file }) => ({ path: `keys/${name}`, file }));
  const texts: Record<string, string> = {};
  for (const { path: name, file } of found) texts[name] = await readFile(file, 'utf8');
  const sealed = await sealKeys(texts, keys.passphrase);
  const file = path.join(copies, 'sealed.json');
  await writeFile(file, sealed, { mode: 0o600 });
  return [{ path: sealedKeysPath, file }];
}

/** The files of a folder with these names. */
async function present(folder: string, names: readonly string[]): Promise<readonly PartFile[]> {
  const files = names.map((name) => ({ path: name, file: path.join(folder, name) }));
  const found = await Promise.all(files.map(({ file }) => stat(file).catch(() => null)));
  return files.filter((_, at) => found[at]?.isFile() === true);
}

/** Settings and plugins; links and unusual names are skipped. */
async function others(dataFolder: string): Promise<readonly PartFile[]> {
  const files = [...(await present(dataFolder, ['vitrine.json']))];
  const plugins = path.join(dataFolder, 'plugins');
  const entries = await readdir(plugins, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    const part = path.relative(dataFolder, file).split(path.sep).join('/');
    if (entry.isFile() && isPartPath(part)) files.push({ path: part, file });
  }
  return files;
}
