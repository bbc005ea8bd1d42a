import { createRequire } from 'node:module';
import { KernelError } from '../../errors.ts';
import { type SqliteDriver, type SqliteDriverName, sqliteDriverNames } from './driver.ts';
import { nodeSqliteDriver } from './node-sqlite-driver.ts';
import type { Log } from '../../log.ts';
import { createSqlite3Driver } from './sqlite3-driver.ts';

/** Loads a package by its name, or throws. */
export type LoadPackage = (name: string) => unknown;

const loadInstalled: LoadPackage = createRequire(import.meta.url);

/** Options of the choice of a driver. `only` forces one. */
export interface DriverChoice {
  readonly only?: SqliteDriverName | undefined;
  readonly log: Log;
  readonly load?: LoadPackage | undefined;
}

/**
 * Loads `sqlite3`, or `node:sqlite` when the former has no binary, and logs that. A driver that was
 * requested by name is loaded or refused, never replaced.
 */
export function loadSqliteDriver({ only, log, load = loadInstalled }: DriverChoice): SqliteDriver {
  if (only !== undefined) return loadOnly(only, load);
  try {
    return loadSqlite3(load);
  } catch (cause) {
    log.warn(
      { driver: nodeSqliteDriver.name, reason: firstLine(cause) },
      'The SQLite driver sqlite3 has no binary for this machine; node:sqlite is used instead.',
    );
    return nodeSqliteDriver;
  }
}

function loadOnly(name: SqliteDriverName, load: LoadPackage): SqliteDriver {
  switch (name) {
    case 'node:sqlite':
      return nodeSqliteDriver;
    case 'sqlite3':
      return loadRequestedSqlite3(load);
    default:
      throw new KernelError(
        'storage_failed',
        `The SQLite driver "${String(name)}" is unknown. Known are ${sqliteDriverNames.join(' and ')}.`,
      );
  }
}

function loadRequestedSqlite3(load: LoadPackage): SqliteDriver {
  try {
    return loadSqlite3(load);
  } catch (cause) {
    throw new KernelError(
      'storage_failed',
      'The SQLite driver sqlite3 has no binary for this machine. "npm rebuild sqlite3" makes it; node:sqlite needs none.',
      { cause },
    );
  }
}

const loadSqlite3 = (load: LoadPackage): SqliteDriver =>
  createSqlite3Driver(load('sqlite3') as Parameters<typeof createSqlite3Driver>[0]);

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
