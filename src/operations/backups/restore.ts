/**
 * Swaps the data with those of a backup, and back. Each step is a rename, and a journal records the
 * progress: after any interruption the next start finds either the old data or the new data,
 * complete. The old data are kept aside until an operator removes them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../../kernel/index.ts';
import {
  openReadOnly,
  openStorage,
  type MigrationBackup,
  type MigrationSet,
} from '../../../kernel/storage/index.ts';
import { ConfigError, readConfig, type Config } from '../../platform/config.ts';
import { BackupError } from './backup-error.ts';
import { databaseFault } from './backup-store.ts';
import { verifyBackup } from './backup-reader.ts';

/** An unpacked, verified and migrated backup, beside the data that it will replace. */
export interface StagedRestore {
  /** A folder in the data folder. */
  readonly folder: string;
  readonly createdAt: string;
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
  readonly log: Log;
}

/** Unpacks and verifies a backup; rejects with a {@link BackupError} with the fault. */
export async function stageRestore(file: string, parts: StagingParts): Promise<StagedRestore> {
  await mkdir(parts.dataFolder, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(parts.dataFolder, '.restore-'));
  try {
    const { createdAt } = await verifyBackup(file, folder);
    assertSettings(folder, parts.databaseUrl);
    await bringUpToDate(path.join(folder, 'database.db'), parts);
    return { folder, createdAt };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
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

/** Detects a damaged or newer database before the swap, and migrates an older one. */
async function bringUpToDate(file: string, { migrations, log }: StagingParts): Promise<void> {
  try {
    const storage = await openStorage({ url: `sqlite:${file}`, migrations, log });
    try {
      const fault = await databaseFault(storage.database.read);
      if (fault !== null) throw new BackupError(`Its database is damaged: ${fault}.`);
    } finally {
      await storage.close();
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new BackupError(`Its database cannot be used: ${why}`);
  }
}

/** Moves the old data aside and the new data in. The server must not be running. */
export async function swapIn(
  staged: StagedRestore,
  { dataFolder, databaseFile, nowMs, databaseOnly = false, move = rename }: SwapParts,
): Promise<string> {
  const stamp = new Date(nowMs).toISOString().replace(/[-:.]/g, '');
  const aside = path.join(dataFolder, `before-restore-${stamp}`);
  await mkdir(aside, { mode: 0o700 });
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
  for (const name of ['server.key', 'server-id.key']) {
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
  await writeJournal(journal);
  for (const { from, to } of journal.moves) await move(from, to);
  await writeJournal({ ...journal, state: 'trying' });
  await rm(staged.folder, { recursive: true, force: true });
  return aside;
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
  await rename(`${file}.new`, file);
}
