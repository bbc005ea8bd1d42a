/**
 * The data folder belongs to one process at a time; two would corrupt the database, and one would go
 * on admitting users whom the other has removed. A lock of the operating system holds it between all
 * processes of a machine, in containers too. Where other machines can use the disk, or it has no
 * locks, a lease holds it as well (`lease.ts`). `vitrine.owner` says who the owner is.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { systemClock, toTimestamp, type Clock } from '../clock.ts';
import { ConfigError } from '../config.ts';
import { giveToOwnerOf } from './give-away.ts';
import { isLocked, lockFile, type FileLock, type LockAttempt } from './file-lock.ts';
import { leaseSeconds, renewLease, staysOwner, watchLease } from './lease.ts';
import { makeNewFilesPrivate, makePrivate } from './private-files.ts';
import {
  isLocalDisk,
  isRunning,
  nameOf,
  readOwner,
  sharesKernel,
  startOf,
  thisPlace,
  writeOwner,
  type Owner,
  type Place,
} from './owner.ts';

/** A locked data folder. */
export interface DataFolder {
  readonly path: string;
  /** Sentences for the log about the rights of other users. */
  readonly notes: readonly string[];
  /** Resolves, with a sentence for the log, when another machine took the folder: stop at once. */
  readonly lost: Promise<string>;
  /** Notes where the server listens, for `vitrine doctor`. */
  readonly listensAt: (url: string) => void;
  /** Releases the lock. */
  readonly release: () => void;
}

/** Options; all are for tests. */
export interface DataFolderOptions {
  readonly here?: Place;
  readonly isLocal?: boolean;
  readonly lock?: (file: string) => LockAttempt;
  readonly clock?: Clock;
}

interface Opening extends Required<DataFolderOptions> {
  readonly folder: string;
  readonly lockName: string;
  readonly ownerName: string;
}

/**
 * Creates the folder if needed and locks it, or throws a {@link ConfigError} that names the owner.
 * New files of this process are private from then on.
 */
export async function openDataFolder(
  folder: string,
  options: DataFolderOptions = {},
): Promise<DataFolder> {
  makeNewFilesPrivate();
  makeFolder(folder);
  const opening: Opening = {
    here: options.here ?? thisPlace(),
    isLocal: options.isLocal ?? isLocalDisk(folder),
    lock: options.lock ?? lockFile,
    clock: options.clock ?? systemClock,
    folder,
    lockName: path.join(folder, 'vitrine.lock'),
    ownerName: path.join(folder, 'vitrine.owner'),
  };
  const lock = take(opening);
  try {
    giveToOwnerOf(folder, opening.lockName);
    return await own(opening, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Whether a process, here or on another machine, uses the folder. */
export function isHeld(folder: string, here = thisPlace()): boolean {
  if (isLocked(path.join(folder, 'vitrine.lock'))) return true;
  const file = path.join(folder, 'vitrine.owner');
  const owner = readOwner(file);
  if (owner === null || owner.leaseSeconds === 0) return false;
  const ageMs = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return !sharesKernel(owner, here) && ageMs < leaseSeconds * 1000;
}

const addressFile = (folder: string): string => path.join(folder, 'vitrine.address');

/** Where the server of the folder listens; `null` = it does not say. */
export function addressOf(folder: string): string | null {
  try {
    const text = readFileSync(addressFile(folder), 'utf8').trim();
    return /^http:\/\//.test(text) && URL.canParse(text) ? text : null;
  } catch {
    return null;
  }
}

/** A disk that is full is told elsewhere. */
function noteAddress(folder: string, url: string): void {
  try {
    writeFileSync(addressFile(folder), `${url}\n`, { mode: 0o600 });
  } catch {
    remove(addressFile(folder));
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError(`The data folder ${folder} cannot be made: ${String(error)}.`);
  }
  const mark = path.join(folder, `vitrine.lock.${process.pid}`);
  try {
    writeFileSync(mark, 'x', { mode: 0o600 });
  } catch (error) {
    throw notWritable(folder, error);
  } finally {
    remove(mark);
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // On a read-only disk there is nothing to remove.
  }
}

/** The lock; `null` = the disk has no locks, and the lease alone holds the folder. */
function take({ folder, lockName, ownerName, lock, here }: Opening): FileLock | null {
  const attempt = attempted(folder, () => lock(lockName));
  if (attempt === 'unsupported') return null;
  if (attempt !== 'taken') return attempt;
  // Some network disks answer "taken" to every lock.
  const trial = `${lockName}.${process.pid}`;
  const other = attempted(folder, () => lock(trial));
  if (typeof other === 'object') other.release();
  remove(trial);
  if (typeof other === 'object') throw inUse(folder, nameOf(readOwner(ownerName), here));
  return null;
}

function attempted(folder: string, lock: () => LockAttempt): LockAttempt {
  try {
    return lock();
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `The lock of the data folder, ${path.join(folder, 'vitrine.lock')}, cannot be written (${cause}): make the user of the server its owner.`,
    );
  }
}

/** Writes the record of this process, when no other machine holds a lease. */
async function own(opening: Opening, lock: FileLock | null): Promise<DataFolder> {
  const { folder, ownerName, lockName, clock, here } = opening;
  const hasLease = lock === null || !opening.isLocal;
  const found = readOwner(ownerName);
  const waits = hasLease && found !== null && mayBeAlive(found, opening, lock);
  if (waits) await assertLapsed(found, opening);
  const owner: Owner = {
    id: randomUUID(),
    pid: process.pid,
    processStart: startOf(process.pid),
    ...here,
    inode: statSync(lockName, { throwIfNoEntry: false })?.ino ?? 0,
    leaseSeconds: hasLease ? leaseSeconds : 0,
    renewedAt: toTimestamp(clock.now()),
  };
  try {
    writeOwner(ownerName, owner);
  } catch (error) {
    throw notWritable(folder, error);
  }
  if (waits && !(await staysOwner(ownerName, owner, clock)))
    throw inUse(folder, nameOf(readOwner(ownerName), here));
  const lost = Promise.withResolvers<string>();
  const onLost = (other: Owner): void =>
    lost.resolve(`The data folder ${folder} was taken by ${nameOf(other, here)}.`);
  const stopRenewals = hasLease ? renewLease(ownerName, owner, { clock, onLost }) : () => undefined;
  return {
    path: folder,
    notes: makePrivate(folder),
    lost: lost.promise,
    listensAt: (url) => noteAddress(folder, url),
    release: () => {
      stopRenewals();
      remove(addressFile(folder));
      if (readOwner(ownerName)?.id === owner.id) remove(ownerName);
      lock?.release();
    },
  };
}

/** Whether the lock that this process got, if any, says nothing about the owner of a record. */
function mayBeAlive(found: Owner, { here }: Opening, lock: FileLock | null): boolean {
  if (!sharesKernel(found, here)) return true;
  return lock === null && isRunning(found, here) !== false;
}

async function assertLapsed(found: Owner, opening: Opening): Promise<void> {
  const { folder, ownerName, lockName, here, clock } = opening;
  if (isRunning(found, here) === true) throw inUse(folder, nameOf(found, here));
  if (found.leaseSeconds === 0) {
    // The owner has the disk as its own and renews nothing; a copy of its folder is another folder.
    if (statSync(lockName, { throwIfNoEntry: false })?.ino !== found.inode) return;
    throw inUse(
      folder,
      nameOf(found, here),
      `If that server does not run any longer, remove ${ownerName}.`,
    );
  }
  const other = await watchLease(ownerName, clock);
  if (other === null) return;
  throw inUse(folder, `${nameOf(other, here)}, which renewed its lease at ${other.renewedAt}`);
}

function inUse(folder: string, who: string, also = ''): ConfigError {
  const text = `The data folder ${folder} is in use by ${who}; stop it first, or choose another with --data.`;
  return new ConfigError(also === '' ? text : `${text} ${also}`);
}

function notWritable(folder: string, error: unknown): ConfigError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const reason = reasons[code] ?? 'the server stores its data there';
  return new ConfigError(`The data folder ${folder} cannot be written (${code}): ${reason}.`);
}

const reasons: Readonly<Record<string, string>> = {
  EROFS: 'its disk is read-only; mount it for writing',
  ENOSPC: 'its disk is full; make room on it',
  EDQUOT: 'the quota of its disk is used up; make room on it',
  EACCES: 'the user of the server lacks permission; make that user its owner',
  EPERM: 'the user of the server lacks permission; make that user its owner',
};
