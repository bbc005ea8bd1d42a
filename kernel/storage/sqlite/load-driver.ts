import { createRequire } from 'node:module';
import { KernelError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { createBetterSqlite3Driver } from './better-sqlite3-driver.ts';
import { type SqliteDriver, type SqliteDriverName, sqliteDriverNames } from './driver.ts';
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
 * Loads `sqlite3`, or `better-sqlite3` when its binary is missing, and logs that. A driver that was
 * requested by name is loaded or refused, never replaced.
 */
export function loadSqliteDriver(choice: DriverChoice): SqliteDriver {
  const load = choice.load ?? loadInstalled;
  if (choice.only !== undefined) return loadOnly(choice.only, load);
  try {
    return loadNamed('sqlite3', load);
  } catch (cause) {
    const driver = loadOnly('better-sqlite3', load);
    choice.log.warn(
      { driver: driver.name, reason: firstLine(cause) },
      'The SQLite driver sqlite3 has no binary for this machine; better-sqlite3 is used instead.',
    );
    return driver;
  }
}

function loadOnly(name: SqliteDriverName, load: LoadPackage): SqliteDriver {
  if (!sqliteDriverNames.includes(name)) {
    throw new KernelError(
      'storage_failed',
      `The SQLite driver "${name}" is unknown. Known are ${sqliteDriverNames.join(' and ')}.`,
    );
  }
  try {
    return loadNamed(name, load);
  } catch (cause) {
    throw new KernelError('storage_failed', `The SQLite driver ${name} cannot be loaded.`, {
      cause,
    });
  }
}

function loadNamed(name: SqliteDriverName, load: LoadPackage): SqliteDriver {
  const loaded = load(name);
  switch (name) {
    case 'sqlite3':
      return createSqlite3Driver(loaded as Parameters<typeof createSqlite3Driver>[0]);
    case 'better-sqlite3': {
      const constructor = loaded as Parameters<typeof createBetterSqlite3Driver>[0];
      // It loads its binary only when it opens a database.
      new constructor(':memory:').close();
      return createBetterSqlite3Driver(constructor);
    }
  }
}

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
