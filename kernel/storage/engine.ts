import type { Knex } from 'knex';
import type { Log } from '../log.ts';
import type { Patience } from './busy.ts';
import type { Dialect } from './dialect.ts';
import type { MigrationBackup } from './migration-backups.ts';
import type { SharedLine, SharedLineUser } from './postgres/shared-line.ts';
import type { SqliteDriverName } from './sqlite/driver.ts';

/** The package that speaks to a database. */
export type DriverName = SqliteDriverName | 'pg';

/** One kind of database: how it is connected to, and how it is left. */
export interface Engine {
  readonly dialect: Dialect;
  readonly driver: DriverName;
  /** Readers see what is committed and can change nothing; the writer is one connection. */
  readonly connect: (role: 'reader' | 'writer') => Knex;
  /** The last words to the database before its connections are closed. */
  readonly beforeClose: (writer: Knex) => Promise<void>;
  /** Where several processes may work on the database at once; `null` = it has one owner. */
  readonly shared: SharedDatabase | null;
  /** Keeps the database as it is beside it; absent where that is for others to do. */
  readonly makeMigrationBackup?: (read: Knex, now: Date) => Promise<MigrationBackup>;
  /** What to tell whoever gave the url, when the database could not be opened. */
  readonly whyNotOpened: (cause: unknown) => unknown;
}

/** What the processes that share a database have between them. */
export interface SharedDatabase {
  /** Tells this process from the others in what the database notes of a change. */
  readonly origin: string;
  readonly openLine: (channel: string, user: SharedLineUser) => Promise<SharedLine>;
}

/** What connections are made with. */
export interface EngineParts {
  readonly patience: Patience;
  readonly log: Log;
}

/** What knex is given for every database. */
export function knexConfig(log: Log): Knex.Config {
  const write =
    (level: 'debug' | 'warn' | 'error') =>
    (message: unknown): void =>
      log[level]({}, String(message));
  return {
    // An error's text would hold the values of the statement: passwords, tokens.
    compileSqlOnError: false,
    log: {
      debug: write('debug'),
      warn: write('warn'),
      error: write('error'),
      deprecate: write('warn'),
    },
  };
}
