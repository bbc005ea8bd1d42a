import type { Knex } from 'knex';
import type { Log } from '../log.ts';
import type { Patience } from './busy.ts';
import type { Dialect } from './dialect.ts';
import type { MigrationBackup } from './migration-backups.ts';
import type { SharedLine, SharedLineUser } from './postgres/shared-line.ts';
import type { SqliteDriverName } from './sqlite/driver.ts';

/** The package of a database driver. */
export type DriverName = SqliteDriverName | 'pg';

/** One kind of database: how to connect to it and how to leave it. */
export interface Engine {
  readonly dialect: Dialect;
  readonly driver: DriverName;
  /** Readers see committed data and cannot write; the writer is one connection. */
  readonly connect: (role: 'reader' | 'writer') => Knex;
  /** Runs before the connections are closed. */
  readonly beforeClose: () => Promise<void>;
  /** For several processes on one database; `null` = it has one owner. */
  readonly shared: SharedDatabase | null;
  /** Copies the database before a migration; absent where the operator does this. */
  readonly makeMigrationBackup?: (read: Knex, now: Date) => Promise<MigrationBackup>;
  /** The error for the operator when the database could not be opened. */
  readonly whyNotOpened: (cause: unknown) => unknown;
}

/** What processes that share a database have in common. */
export interface SharedDatabase {
  /** Identifies this process in the changes that the database records. */
  readonly origin: string;
  readonly openLine: (channel: string, user: SharedLineUser) => Promise<SharedLine>;
}

export interface EngineParts {
  readonly patience: Patience;
  readonly log: Log;
}

/** The knex configuration of every database. */
export function knexConfig(log: Log): Knex.Config {
  const write =
    (level: 'debug' | 'warn' | 'error') =>
    (message: unknown): void => {
      // What knex adds is a stack trace.
      const line = String(message).split('\n', 1)[0] ?? '';
      // The caller of a statement without a connection gets its error and tells it.
      log[line.startsWith('Acquire connection error') ? 'debug' : level]({}, line);
    };
  return {
    // The error text would hold the values of the statement: passwords, tokens.
    compileSqlOnError: false,
    log: {
      debug: write('debug'),
      warn: write('warn'),
      error: write('error'),
      deprecate: write('warn'),
    },
  };
}
