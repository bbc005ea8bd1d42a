import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { silentLog } from '../../../kernel/log.ts';
import {
  openStorage,
  type MigrationSet,
  type Storage,
  type StorageOptions,
} from '../../../kernel/store/index.ts';
import { isNightly } from '../run/nightly.ts';
import { migratedTemplate, writeMigrated } from './migrated-file.ts';
import { hasPostgres, temporaryDatabase, type TemporaryDatabase } from './postgres.ts';

type SqliteDriverName = 'node:sqlite' | 'sqlite3';

/** All that storage runs over. */
export type TestDriver = SqliteDriverName | 'pg';

/** Whether `sqlite3` is installed and compiled, which no installation does by itself. */
function hasSqlite3(): boolean {
  try {
    createRequire(import.meta.url)('sqlite3');
    return true;
  } catch {
    return false;
  }
}

/** The drivers of SQLite that this machine has: `describe.each(sqliteDrivers)`. */
export const sqliteDrivers: readonly SqliteDriverName[] = hasSqlite3()
  ? ['node:sqlite', 'sqlite3']
  : ['node:sqlite'];

/**
 * Storage behaves alike over each driver; over one that the machine lacks it is skipped by name. `%s` is the
 * driver. `sqlite3` runs by night: the tests of the drivers hold it to what `node:sqlite` does, and most
 * others run over it.
 */
export function describeEachDriver(name: string, tests: (driver: TestDriver) => void): void {
  const isThere = { 'node:sqlite': true, sqlite3: sqliteDrivers.length > 1, pg: hasPostgres() };
  const drivers = ['node:sqlite', ...(isNightly ? ['sqlite3' as const] : []), 'pg'] as const;
  for (const driver of drivers)
    describe.skipIf(!isThere[driver])(name.replace('%s', driver), () => tests(driver));
}

/** A folder that is gone when the test is. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * The url of a database that nobody has yet, of the kind that `VITRINE_TEST_DATABASE` names (`sqlite`
 * or `postgres`), or that a driver speaks to. A file is made in the folder and deleted with it. One of
 * PostgreSQL may have the tables of the migrations already.
 */
export async function newDatabase(
  folder: string,
  {
    name = 'test.db',
    driver = driverOfRun(),
    migrations,
  }: {
    name?: string;
    driver?: TestDriver | undefined;
    migrations?: readonly MigrationSet[] | undefined;
  } = {},
): Promise<TemporaryDatabase> {
  if (driver === 'pg') return temporaryDatabase(migrations && (await migratedTemplate(migrations)));
  return { url: `sqlite:${path.join(folder, name)}`, remove: async () => undefined };
}

/**
 * Tests that are not about storage take `sqlite3` where it is installed: its connections start no
 * thread, which would take longer than most of these tests.
 */
function driverOfRun(): TestDriver {
  if (process.env['VITRINE_TEST_DATABASE'] === 'postgres') return 'pg';
  return sqliteDrivers.at(-1) ?? 'node:sqlite';
}

/** The url of a new database, which is gone when the test is. */
export async function newDatabaseUrl(
  driver?: TestDriver,
  migrations?: readonly MigrationSet[],
): Promise<string> {
  const { url, remove } = await newDatabase(temporaryFolder(), { driver, migrations });
  onTestFinished(remove);
  return url;
}

/** What storage is opened with in tests. */
export type TestStorageOptions = Partial<Omit<StorageOptions, 'driver'>> & {
  readonly driver?: TestDriver | undefined;
};

/**
 * Opens storage over a real database, with the driver that starts fastest. The caller closes it.
 *
 * A new file of SQLite gets a copy of tables that were made before. A test that names neither a file
 * nor a driver needs these tables, not the migrations that make them.
 */
export async function openStorageAt(
  url: string,
  options: TestStorageOptions = {},
): Promise<Storage> {
  const { driver = driverOfRun(), ...others } = options;
  if (driver !== 'pg' && options.url === undefined && options.through === undefined)
    await writeMigrated(url.slice('sqlite:'.length), options.migrations ?? []);
  return openStorage({
    migrations: [],
    log: silentLog,
    ...others,
    ...(driver !== 'pg' && { driver }),
    url,
  });
}

/** Storage over a real database of its own, closed when the test ends. */
export async function openTestStorage(options: TestStorageOptions = {}): Promise<Storage> {
  const { driver = driverOfRun(), migrations = [] } = options;
  const url = options.url ?? (await newDatabaseUrl(driver, migrations));
  const storage = await openStorageAt(url, options);
  onTestFinished(() => storage.close());
  return storage;
}

/**
 * One storage for the tests of a `describe`, which leave nothing in it: to open one takes longer than most
 * tests of a store. It is there once the tests run.
 */
export function useSharedStorage(driver: TestDriver): () => Storage {
  let storage: Storage | undefined;
  let end = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-test-'));
    const { url, remove } = await newDatabase(folder, { driver });
    const opened = await openStorageAt(url, { driver });
    storage = opened;
    end = async () => {
      await opened.close();
      await remove();
      rmSync(folder, { recursive: true, force: true });
    };
  });
  afterAll(() => end());
  return () => {
    if (storage === undefined) throw new Error('The storage is not open yet.');
    return storage;
  };
}
