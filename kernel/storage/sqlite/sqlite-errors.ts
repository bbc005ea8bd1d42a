import { KernelError } from '../../errors.ts';

/** What SQLite itself failed with, by how its codes begin: `SQLITE_IOERR_WRITE`. */
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
      'The database is damaged. Look at it with "vitrine database check", or restore a backup.',
      { cause },
    ),
  NOTADB: (cause) =>
    new KernelError('storage_damaged', 'The file of the database is no longer one.', { cause }),
  IOERR: (cause) => failed('The disk of the database failed.', cause),
  CANTOPEN: (cause) => failed('A file of the database could not be opened.', cause),
  NOMEM: (cause) => failed('There is no memory left for the database.', cause),
  PERM: (cause) => failed('The files of the database may not be used.', cause),
  PROTOCOL: (cause) => failed('The files of the database are held by another program.', cause),
};

const failed = (what: string, cause: unknown): KernelError =>
  new KernelError('storage_failed', what, { cause });

/** An error as the parts above may see it: a failure of SQLite itself has a code, and no SQL. */
export function toStorageError(error: unknown): unknown {
  if (error instanceof KernelError) return error;
  const name = /^SQLITE_([A-Z]+)/.exec(codeOf(error))?.[1] ?? '';
  return failures[name]?.(error) ?? error;
}

/** Whether a statement was wrong, or broke a rule of its table: SQLite itself is well. */
export function isStatementFault(error: unknown): boolean {
  const code = codeOf(error);
  return !code.startsWith('SQLITE_') || statementFaults.test(code);
}

const statementFaults = /^SQLITE_(ERROR|CONSTRAINT|RANGE|MISMATCH|TOOBIG)/;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
