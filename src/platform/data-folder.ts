/**
 * The lock of the data folder, which belongs to one process. The lock is a file that names its
 * owner; `link` creates it atomically, so two servers that start at once cannot both get it.
 */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from './config.ts';

/** A locked data folder. */
export interface DataFolder {
  readonly path: string;
  /** Releases the lock. */
  readonly release: () => void;
}

/** Creates the folder if needed and locks it, or throws a {@link ConfigError} that names the owner. */
export function openDataFolder(folder: string): DataFolder {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError(`The data folder ${folder} cannot be made: ${String(error)}.`);
  }
  const lock = path.join(folder, 'vitrine.lock');
  const own = `${lock}.${process.pid}`;
  const owner = ownerOf(process.pid);
  try {
    writeFileSync(own, owner, { mode: 0o600 });
  } catch (error) {
    throw new ConfigError(
      `The data folder ${folder} cannot be written (${codeOf(error)}): ${reasons[codeOf(error)] ?? 'the server stores its data there'}.`,
    );
  }
  try {
    while (!take(own, lock)) refuseWhileAlive(lock, folder);
  } finally {
    rmSync(own, { force: true });
  }
  return {
    path: folder,
    release: () => {
      if (readOwner(lock) === owner) rmSync(lock, { force: true });
    },
  };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';

const reasons: Readonly<Record<string, string>> = {
  EROFS: 'its disk is read-only; mount it for writing',
  ENOSPC: 'its disk is full; make room on it',
  EDQUOT: 'the quota of its disk is used up; make room on it',
  EACCES: 'the user of the server lacks permission; make that user its owner',
  EPERM: 'the user of the server lacks permission; make that user its owner',
};

function take(own: string, lock: string): boolean {
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether a running process holds the lock. */
export function isHeld(folder: string): boolean {
  const owner = readOwner(path.join(folder, 'vitrine.lock'));
  return owner !== '' && ownerOf(Number(owner.split(' ')[0])) === owner;
}

function refuseWhileAlive(lock: string, folder: string): void {
  const owner = readOwner(lock);
  const pid = Number(owner.split(' ')[0]);
  if (owner !== '' && ownerOf(pid) === owner) {
    throw new ConfigError(
      `The data folder ${folder} is in use by process ${pid}; stop it first, or choose another with --data.`,
    );
  }
  const stale = `${lock}.stale-${process.pid}`;
  try {
    renameSync(lock, stale);
  } catch {
    return;
  }
  rmSync(stale, { force: true });
}

const readOwner = (lock: string): string => {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return '';
  }
};

/** `<pid> <start time>`, to distinguish processes with the same number. */
function ownerOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
  } catch {
    return isAlive(pid) ? `${pid} ` : '';
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
