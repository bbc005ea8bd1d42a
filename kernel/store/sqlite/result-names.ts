/** The names of SQLite's primary result codes (sqlite.org/rescode.html), by their numbers. */
const names = [
  ...['OK', 'ERROR', 'INTERNAL', 'PERM', 'ABORT', 'BUSY', 'LOCKED', 'NOMEM', 'READONLY'],
  ...['INTERRUPT', 'IOERR', 'CORRUPT', 'NOTFOUND', 'FULL', 'CANTOPEN', 'PROTOCOL', 'EMPTY'],
  ...['SCHEMA', 'TOOBIG', 'CONSTRAINT', 'MISMATCH', 'MISUSE', 'NOLFS', 'AUTH', 'FORMAT'],
  ...['RANGE', 'NOTADB'],
] as const;

/** The name of a result code, as `SQLITE_BUSY`. An extended code has the name of its primary one. */
export const resultNameOf = (code: number): string => `SQLITE_${names[code & 0xff] ?? 'ERROR'}`;
