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
  /** False after the connection broke: it has to be replaced by another. */
  readonly isOpen: () => boolean;
  readonly close: () => Promise<void>;
}

/** How a file is opened. */
export interface OpenMode {
  readonly readOnly: boolean;
}

/** The names of the drivers, in the order in which they are tried. */
export const sqliteDriverNames = ['sqlite3', 'node:sqlite'] as const;

/** The name of one driver. */
export type SqliteDriverName = (typeof sqliteDriverNames)[number];

/** A package for SQLite, behind one interface. No driver runs a statement on the event loop. */
export interface SqliteDriver {
  readonly name: SqliteDriverName;
  readonly open: (file: string, mode: OpenMode) => Promise<SqliteConnection>;
}
