/** A value in a column of SQLite. */
export type SqliteValue = string | number | null | Uint8Array;

/** The result of one statement. `rows` is empty for a statement without rows. */
export interface SqliteResult {
  readonly rows: readonly unknown[];
  readonly changes: number;
  readonly lastRowId: number;
}

/** What the caller needs of a statement: its rows, or the number of changed rows. */
export type Wanted = 'rows' | 'changes';

/** One open connection. Statements run one at a time, in the order in which they were sent. */
export interface SqliteConnection {
  readonly run: (
    sql: string,
    bindings: readonly SqliteValue[],
    wanted: Wanted,
  ) => Promise<SqliteResult>;
  readonly close: () => Promise<void>;
}

/** How a file is opened. */
export interface OpenMode {
  readonly readOnly: boolean;
}

/** The names of the drivers, in the order in which they are tried. */
export const sqliteDriverNames = ['sqlite3', 'better-sqlite3'] as const;

/** The name of one driver. */
export type SqliteDriverName = (typeof sqliteDriverNames)[number];

/** A package for SQLite, behind one interface. */
export interface SqliteDriver {
  readonly name: SqliteDriverName;
  /** How long SQLite itself waits for a lock. Short where waiting blocks the event loop. */
  readonly busyTimeoutMs: number;
  readonly open: (file: string, mode: OpenMode) => Promise<SqliteConnection>;
}
