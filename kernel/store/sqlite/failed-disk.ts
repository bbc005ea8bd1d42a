import { KernelError } from '../../errors.ts';

/** Tries to write into a folder; `null` = that worked. */
export type ProbeFolder = (folder: string) => Promise<string | null>;

export interface FailedDiskParts {
  readonly folder: string;
  /** Without it, every failure stays as SQLite reports it. */
  readonly probeFolder?: ProbeFolder;
  readonly now: () => number;
}

const freshMs = 3000;

/**
 * Says more of a failing disk: a system that finds a fault makes the disk read-only, and SQLite then
 * reports only that its disk failed. The folder is tried at most once in three seconds.
 */
export function createFailedDisk(parts: FailedDiskParts): (error: unknown) => Promise<unknown> {
  const { folder, probeFolder, now } = parts;
  let probedAt = Number.NEGATIVE_INFINITY;
  let probed: Promise<string | null> = Promise.resolve(null);

  return async (error) => {
    if (probeFolder === undefined || !isDiskFailure(error)) return error;
    if (now() - probedAt >= freshMs) {
      probedAt = now();
      probed = probeFolder(folder).catch(() => null);
    }
    const { cause } = error;
    const fault = await probed;
    if (fault === 'read-only')
      return new KernelError('storage_read_only', 'The disk of the database is read-only.', {
        cause,
      });
    return fault === 'full'
      ? new KernelError('storage_full', 'The disk of the database is full. Make room on it.', {
          cause,
        })
      : error;
  };
}

function isDiskFailure(error: unknown): error is KernelError {
  if (!(error instanceof KernelError) || error.code !== 'storage_failed') return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_IOERR');
}
