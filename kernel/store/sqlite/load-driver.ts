import { createRequire } from 'node:module';
import { KernelError } from '../../errors.ts';
import { type SqliteDriver, type SqliteDriverName, sqliteDriverNames } from './driver.ts';
import { nodeSqliteDriver } from './node-sqlite-driver.ts';
import { createSqlite3Driver } from './sqlite3-driver.ts';

/** Loads a package by its name, or throws. */
export type LoadPackage = (name: string) => unknown;

const loadInstalled: LoadPackage = createRequire(import.meta.url);

/** Options of the choice of a driver; the default is `node:sqlite`. */
export interface DriverChoice {
  readonly name?: SqliteDriverName | undefined;
  readonly load?: LoadPackage | undefined;
}

/** Loads a driver. One that is not installed is refused, never replaced by another. */
export function loadSqliteDriver({
  name = 'node:sqlite',
  load = loadInstalled,
}: DriverChoice): SqliteDriver {
  switch (name) {
    case 'node:sqlite':
      return nodeSqliteDriver;
    case 'sqlite3':
      return loadSqlite3(load);
    default:
      throw new KernelError(
        'storage_failed',
        `The SQLite driver "${String(name)}" is unknown. Known are ${sqliteDriverNames.join(' and ')}.`,
      );
  }
}

function loadSqlite3(load: LoadPackage): SqliteDriver {
  try {
    return createSqlite3Driver(load('sqlite3') as Parameters<typeof createSqlite3Driver>[0]);
  } catch (cause) {
    throw new KernelError(
      'storage_failed',
      'The SQLite driver sqlite3 is not installed or not compiled. ' +
        '"vitrine serve --storage-driver sqlite3" compiles it; ' +
        'the default, node:sqlite, needs no package.',
      { cause },
    );
  }
}
