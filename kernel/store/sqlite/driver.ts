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

/** One open connection. Statements run one at a time; a caller that needs an order awaits each. */
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

/** The names of the drivers; the first one is the default. */
export const sqliteDriverNames = ['node:sqlite', 'sqlite3'] as const;

export type SqliteDriverName = (typeof sqliteDriverNames)[number];

/** A package for SQLite, behind one interface. No driver runs a statement on the event loop. */
export interface SqliteDriver {
  readonly name: SqliteDriverName;
  /** Whether all readers use one connection, because each connection has a thread. */
  readonly sharesReader: boolean;
  readonly open: (file: string, mode: OpenMode) => Promise<SqliteConnection>;
}
