import { KernelError } from '../../errors.ts';

/** The code of a statement whose thread ended before it answered. */
export const threadEnded = 'SQLITE_THREAD';

/** Failures of SQLite itself, by the beginning of their codes: `SQLITE_IOERR_WRITE`. */
const failures: Readonly<Record<string, (cause: unknown) => KernelError>> = {
  FULL: (cause) =>
    new KernelError(
      'storage_full',
      'The disk of the database is full, and nothing was stored. Make room on it.',
      { cause },
    ),
  READONLY: (cause) =>
    new KernelError(
      'storage_read_only',
      'The database can only be read: its file, its folder or its disk is write-protected.',
      { cause },
    ),
  CORRUPT: (cause) =>
    new KernelError(
      'storage_damaged',
      'The database is damaged. Check it with "vitrine database check", or restore a backup.',
      { cause },
    ),
  NOTADB: (cause) =>
    new KernelError('storage_damaged', 'The database file is no longer a database.', { cause }),
  IOERR: (cause) => failed('The disk of the database failed.', cause),
  CANTOPEN: (cause) => failed('A file of the database could not be opened.', cause),
  NOMEM: (cause) => failed('There is no memory left for the database.', cause),
  PERM: (cause) => failed('The files of the database may not be used.', cause),
  THREAD: (cause) =>
    failed('The thread of the database ended; what it had not committed is not stored.', cause),
  PROTOCOL: (cause) => failed('The files of the database are held by another program.', cause),
};

const failed = (what: string, cause: unknown): KernelError =>
  new KernelError('storage_failed', what, { cause });

/** The error for callers: a failure of SQLite has a code of the kernel, and no SQL. */
export function toStorageError(error: unknown): unknown {
  if (error instanceof KernelError) return error;
  const name = /^SQLITE_([A-Z]+)/.exec(codeOf(error))?.[1] ?? '';
  return failures[name]?.(error) ?? error;
}

/** Whether the statement was wrong, or violated a rule of its table, while SQLite itself works. */
export function isStatementFault(error: unknown): boolean {
  const code = codeOf(error);
  return !code.startsWith('SQLITE_') || statementFaults.test(code);
}

const statementFaults = /^SQLITE_(ERROR|CONSTRAINT|RANGE|MISMATCH|TOOBIG)/;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
