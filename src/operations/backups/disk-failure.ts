import { KernelError } from '../../../kernel/index.ts';
import { BackupError } from './backup-error.ts';

/** Too little room for a file, as found before it is written. */
export class TooLittleRoom extends KernelError {
  constructor(message: string) {
    super('storage_full', message);
  }
}

/**
 * Runs work on files of a backup. A failure of their disk gets the code that other writes get, and
 * says what to do. `place` names the folder: `backup folder /srv/backups`.
 */
export async function onDisk<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isDiskFailure(error) ? named(place, error) : error;
  }
}

/** Whether the disk failed, or may not be written. */
export const isDiskFailure = (error: unknown): boolean =>
  error instanceof TooLittleRoom || codeOf(error) in failures;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

const failures: Readonly<Record<string, (place: string, cause: unknown) => unknown>> = {
  ENOSPC: full,
  EDQUOT: full,
  storage_full: full,
  EROFS: readOnly,
  storage_read_only: readOnly,
  EACCES: refused,
  EPERM: refused,
  EIO: failed,
  EEXIST: taken,
  ENOTDIR: taken,
};

function named(place: string, cause: unknown): unknown {
  if (cause instanceof TooLittleRoom) return cause;
  return failures[codeOf(cause)]?.(place, cause) ?? cause;
}

function full(place: string, cause: unknown): Error {
  const message = `The disk of the ${place} is full, and nothing was stored. Make room on it.`;
  return new KernelError('storage_full', message, { cause });
}

function readOnly(place: string, cause: unknown): Error {
  const message = `The disk of the ${place} is read-only. Mount it for writing.`;
  return new KernelError('storage_read_only', message, { cause });
}

function refused(place: string, cause: unknown): Error {
  return new BackupError(
    `The ${place} cannot be used by the user of this process (${codeOf(cause)}). Make that user its owner.`,
    { cause },
  );
}

function failed(place: string, cause: unknown): Error {
  const message = `The disk of the ${place} failed (${codeOf(cause)}). The log of the system (dmesg) says more.`;
  return new KernelError('storage_failed', message, { cause });
}

/** Only a folder that cannot be made says so; a file in it that exists is another fault. */
function taken(place: string, cause: unknown): unknown {
  const isFile = cause instanceof Error && 'syscall' in cause && cause.syscall === 'open';
  if (isFile) return cause;
  return new BackupError(
    `The ${place} is not a folder, or lies in a file (${codeOf(cause)}). Move that file away.`,
    { cause },
  );
}
