/**
 * Swaps the data with those of a backup, and back. Each step is a rename, and a journal records the
 * progress: after any interruption the next start finds either the old data or the new data,
 * complete. The old data are kept aside until an operator removes them.
 */
import { existsSync, readFileSync } from 'node:fs';
import {
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  rename,
  rm,
  unlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, type Log } from '../../../kernel/index.ts';
import {
  openReadOnly,
  type MigrationBackup,
  type MigrationSet,
} from '../../../kernel/store/index.ts';
import { ConfigError, readConfig, type Config } from '../../platform/config.ts';
import { giveToOwnerOf } from '../../platform/data-folder/index.ts';
import { keyFileNames, sealedKeysPath } from './backup.ts';
import { BackupError } from './backup-error.ts';
import { onDisk } from './disk-failure.ts';
import { databaseFault } from './backup-store.ts';
import { verifyBackup } from './backup-reader.ts';
import { openKeys } from './sealed-keys.ts';
import { bringUpToDate } from './staged-database.ts';

/** An unpacked, verified and migrated backup, beside the data that it will replace. */
export interface StagedRestore {
  /** A folder in the data folder. */
  readonly folder: string;
  readonly createdAt: string;
  /** It has keys under a passphrase, which was not given: the server keeps its keys. */
  readonly hasSealedKeys?: boolean;
  /** Whether it has keys in any form. */
  readonly hasKeys?: boolean;
}

/** The paths of the data. */
export interface DataPlaces {
  readonly dataFolder: string;
  /** The file of the database. */
  readonly databaseFile: string;
}

/** The input of a swap. */
export interface SwapParts extends DataPlaces {
  readonly nowMs: number;
  /** Replaces only the database. */
  readonly databaseOnly?: boolean;
  /** For tests of interruptions. */
  readonly move?: (from: string, to: string) => Promise<void>;
}

interface Journal extends DataPlaces {
  readonly state: 'swapping' | 'trying';
  /** The folder for the old data. */
  readonly aside: string;
  /** Sources and destinations of the moves, in order. */
  readonly moves: readonly Move[];
}

interface Move {
  readonly from: string;
  readonly to: string;
}

const journalName = 'restore.json';

/** The dependencies of the unpacking. */
export interface StagingParts {
  readonly dataFolder: string;
  /** The settings in a backup must not name a different database. */
  readonly databaseUrl: string;
  readonly migrations: readonly MigrationSet[];
  readonly appVersion?: string | undefined;
  /** Opens the keys of the backup. A backup without keys under a passphrase is refused. */
  readonly passphrase?: string | undefined;
  readonly log: Log;
}

/** Unpacks and verifies a backup; rejects with a {@link BackupError} with the fault. */
export const stageRestore = (file: string, parts: StagingParts): Promise<StagedRestore> =>
  onDisk(`data folder ${parts.dataFolder}`, () => unpack(file, parts));

async function unpack(file: string, parts: StagingParts): Promise<StagedRestore> {
  await makeFolder(parts.dataFolder, 0o700);
  const folder = await mkdtemp(path.join(parts.dataFolder, '.restore-'));
  try {
    const { createdAt } = await verifyBackup(file, folder);
    const hasSealedKeys = await unsealKeys(folder, parts.passphrase);
    assertSettings(folder, parts.databaseUrl);
    const database = databaseIn(folder, parts);
    if (database.endsWith('.db')) await bringUpToDate(database, parts);
    return { folder, createdAt, hasSealedKeys, hasKeys: hasKeys(folder) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** The unpacked database, which must be of the kind that the server uses. */
function databaseIn(folder: string, { databaseUrl }: Pick<StagingParts, 'databaseUrl'>): string {
  const isFile = databaseUrl.startsWith('sqlite:');
  const file = path.join(folder, isFile ? 'database.db' : 'database.pgdump');
  if (existsSync(file)) return file;
  throw new BackupError(
    isFile
      ? 'It is a backup of a database of PostgreSQL: give the url of one with --database.'
      : 'It is a backup of a database of SQLite: restore it with --database sqlite:<file>, and copy that with "vitrine database copy".',
  );
}

const hasKeys = (folder: string): boolean =>
  [sealedKeysPath, ...keyFileNames.map((name) => `keys/${name}`)].some((name) =>
    existsSync(path.join(folder, name)),
  );

/** Puts opened keys where plain keys of a backup are; returns whether the keys stay sealed. */
async function unsealKeys(folder: string, passphrase: string | undefined): Promise<boolean> {
  const sealed = path.join(folder, sealedKeysPath);
  if (passphrase === undefined) return existsSync(sealed);
  if (!existsSync(sealed))
    throw new BackupError('It has no keys under a passphrase: leave out --passphrase-file.');
  const keys = await openKeys(await readFile(sealed, 'utf8'), passphrase);
  for (const name of keyFileNames) {
    const text = keys[name];
    if (text !== undefined)
      await writeFile(path.join(folder, 'keys', name), text, { mode: 0o600, flag: 'wx' });
  }
  return false;
}

/** Prepares a copy from before an upgrade; it is neither moved nor migrated. */
export async function stageCopy(
  { file, madeAt }: MigrationBackup,
  { dataFolder, log }: Pick<StagingParts, 'dataFolder' | 'log'>,
): Promise<StagedRestore> {
  const folder = await mkdtemp(path.join(dataFolder, '.restore-'));
  try {
    const copy = path.join(folder, 'database.db');
    await copyFile(file, copy);
    const storage = await openReadOnly({ url: `sqlite:${copy}`, log });
    try {
      const fault = await databaseFault(storage.read);
      if (fault !== null) throw new BackupError(`The copy is damaged: ${fault}.`);
    } finally {
      await storage.close();
    }
    return { folder, createdAt: new Date(madeAt).toISOString() };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Refuses settings that the next start would refuse, or that name a different database. */
function assertSettings(folder: string, databaseUrl: string): void {
  if (!existsSync(path.join(folder, 'vitrine.json'))) return;
  const usual = `sqlite:${path.join(folder, 'vitrine.db')}`;
  const { database } = settingsIn(folder);
  if (database !== usual && database !== databaseUrl)
    throw new BackupError(
      `Its settings name the database "${database}", but this server uses a different one.`,
    );
}

function settingsIn(folder: string): Config {
  try {
    return readConfig({ flags: { data: folder }, env: {}, cwd: folder });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const why = error.message.replaceAll(`${folder}${path.sep}`, '');
    throw new BackupError(`Its settings cannot be used: ${why}`);
  }
}

/**
 * Moves the old data aside and the new data in. The server must not be running. Returns the folder
 * with the old data; `null` = there were none.
 */
export async function swapIn(
  staged: StagedRestore,
  { dataFolder, databaseFile, nowMs, databaseOnly = false, move = rename }: SwapParts,
): Promise<string | null> {
  const stamp = new Date(nowMs).toISOString().replace(/[-:.]/g, '');
  const aside = path.join(dataFolder, `before-restore-${stamp}`);
  const others = databaseOnly ? [] : ['vitrine.json', 'plugins'];
  const old: Move[] = [
    // The database last: while it is in place, its `-wal` and `-shm` files are never deleted.
    ...['-wal', '-shm', ''].map((end) => ({
      from: `${databaseFile}${end}`,
      to: path.join(aside, `database.db${end}`),
    })),
    ...others.map((name) => moved(name, dataFolder, aside)),
  ].filter(({ from }) => existsSync(from));
  const given: Move[] = [
    { from: path.join(staged.folder, 'database.db'), to: databaseFile },
    ...others.map((name) => moved(name, staged.folder, dataFolder)),
  ].filter(({ from }) => existsSync(from));
  for (const name of keyFileNames) {
    const from = path.join(staged.folder, 'keys', name);
    if (!existsSync(from)) continue;
    if (existsSync(path.join(dataFolder, name))) old.push(moved(name, dataFolder, aside));
    given.push({ from, to: path.join(dataFolder, name) });
  }
  const journal: Journal = {
    state: 'swapping',
    dataFolder,
    databaseFile,
    aside,
    moves: [...old, ...given],
  };
  if (old.length > 0) await mkdir(aside, { mode: 0o700 });
  await writeJournal(journal);
  for (const made of [staged.folder, aside]) giveToOwnerOf(dataFolder, made);
  for (const { from, to } of journal.moves) await move(from, to);
  await writeJournal({ ...journal, state: 'trying' });
  await rm(staged.folder, { recursive: true, force: true });
  return old.length > 0 ? aside : null;
}

/** Confirms the restore after the restored server has started; the old data stay aside. */
export async function acceptRestore(dataFolder: string): Promise<void> {
  await rm(path.join(dataFolder, journalName), { force: true });
}

/** Restores the old data from any step of an interrupted swap. */
export async function takeBack(dataFolder: string): Promise<boolean> {
  const journal = readJournal(dataFolder);
  if (journal === null) return false;
  const { aside, moves, databaseFile } = journal;
  const isAside = ({ to }: Move): boolean => to.startsWith(`${aside}${path.sep}`);
  const old = moves.filter(isAside);
  const given = moves.filter((move) => !isAside(move));
  // If the old file is aside, the file in its place is the new one; otherwise it is the old one.
  const holdsNew = (place: string): boolean =>
    old.every(({ from, to }) => from !== place || existsSync(to));
  for (const { from, to } of given) {
    if (existsSync(from) || !holdsNew(to)) continue;
    await rm(to, { recursive: true, force: true });
    if (to !== databaseFile) continue;
    for (const end of ['-wal', '-shm']) await rm(`${databaseFile}${end}`, { force: true });
  }
  for (const { from, to } of old.toReversed()) if (existsSync(to)) await rename(to, from);
  await rm(aside, { recursive: true, force: true });
  await discardRestore(dataFolder);
  await unlink(path.join(dataFolder, journalName));
  return true;
}

/**
 * Runs at a start, before anything is opened: rolls back a swap that was interrupted, or whose
 * server never started, and removes unpacked backups. Returns whether old data were restored.
 */
export async function settleRestore(dataFolder: string): Promise<boolean> {
  const wasCutOff = await takeBack(dataFolder);
  await discardRestore(dataFolder);
  return wasCutOff;
}

/** Removes unpacked backups. */
export async function discardRestore(dataFolder: string): Promise<void> {
  for (const name of await readdir(dataFolder))
    if (name.startsWith('.restore-'))
      await rm(path.join(dataFolder, name), { recursive: true, force: true });
}

const moved = (name: string, from: string, to: string): Move => ({
  from: path.join(from, name),
  to: path.join(to, name),
});

function readJournal(dataFolder: string): Journal | null {
  const file = path.join(dataFolder, journalName);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Journal) : null;
}

/** Written atomically and synced to disk before anything is moved. */
async function writeJournal(journal: Journal): Promise<void> {
  const file = path.join(journal.dataFolder, journalName);
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(journal));
    await handle.sync();
  } finally {
    await handle.close();
  }
  giveToOwnerOf(journal.dataFolder, `${file}.new`);
  await rename(`${file}.new`, file);
}
