/**
 * A lock on a file by the operating system (`fcntl` on Unix), through SQLite. It holds between all
 * processes of one kernel, also in different containers, and over the network where the file system
 * passes locks on. The system releases it when the process ends, however it ends.
 *
 * On Unix a process loses its locks on a file when it closes any descriptor of that file. So the
 * process that holds the lock must never open the file in another way.
 */
import { statSync, truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** A lock that this process holds. */
export interface FileLock {
  readonly release: () => void;
}

/** `taken` = another process holds it; `unsupported` = the file system has no locks. */
export type LockAttempt = FileLock | 'taken' | 'unsupported';

/** How long another process may look whether the lock is held. */
const patienceMs = 250;
const [busy, locked, readOnly, cantOpen] = [5, 6, 8, 14];

/** Locks a file, which is created if it is missing. Throws when it cannot be opened for writing. */
export function lockFile(file: string): LockAttempt {
  // SQLite would refuse a file with other content. Only an empty file is ever locked.
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) truncateSync(file);
  const database = new DatabaseSync(file, { timeout: patienceMs });
  try {
    // A journal in memory leaves no second file.
    database.exec('PRAGMA journal_mode=MEMORY; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    const code = codeOf(error);
    if (code === busy || code === locked) return 'taken';
    if (code === readOnly || code === cantOpen) throw error;
    return 'unsupported';
  }
}

/**
 * Whether a process holds the lock, as far as this user can see. Takes no lock that could make a
 * starting server fail.
 */
export function isLocked(file: string): boolean {
  let database: DatabaseSync | undefined;
  try {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return false;
    database = new DatabaseSync(file, { readOnly: true });
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    return codeOf(error) === busy;
  } finally {
    database?.close();
  }
}

/** The primary code of SQLite. */
const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
