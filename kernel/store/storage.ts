import path from 'node:path';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { whileBusy, type Patience } from './busy.ts';
import { createDatabase, type Transaction, type WriteTimes } from './database.ts';
import { parseDatabaseUrl } from './database-url.ts';
import type { Dialect } from './dialect.ts';
import { kernelMigrations } from './kernel-migrations.ts';
import { createKvStore } from './kv/kv-store.ts';
import {
  assertMigrated,
  type MigrateOptions,
  type MigrationSet,
  migrate,
  whyTooOld,
} from './migrations.ts';
import type { Engine } from './engine.ts';
import { createPostgresEngine } from './postgres/postgres-engine.ts';
import { ConnectionLost } from './postgres/postgres-errors.ts';
import type { ProbeFolder } from './sqlite/failed-disk.ts';
import type { SqliteDriver, SqliteDriverName } from './sqlite/driver.ts';
import { type LoadPackage, loadSqliteDriver } from './sqlite/load-driver.ts';
import { createSqliteEngine } from './sqlite/sqlite-engine.ts';
import type { After } from './text-index/index-upkeep.ts';
import { createTextIndexStore } from './text-index/text-index-store.ts';

/** All storage of the server. */
export type Storage = Awaited<ReturnType<typeof openStorage>>;

/** Options of the storage. The last six are for tests. */
export interface StorageOptions {
  /**
   * `sqlite:<file>`; a missing file and its folder are created. Or
   * `postgres://user:password@host:port/database`, an existing database that is empty or has our
   * tables.
   */
  readonly url: string;
  /**
   * Another address of the same database of PostgreSQL, for the connection that must keep its
   * session, where `url` is that of a pooler.
   */
  readonly sessionUrl?: string | undefined;
  /** The driver of SQLite; the default is `node:sqlite`. */
  readonly driver?: SqliteDriverName;
  /** The migrations of the other parts; the kernel's own come first. */
  readonly migrations: readonly MigrationSet[];
  /** The version of the program: it decides whether a newer one lets it run. */
  readonly appVersion?: string | undefined;
  /** `false` = refuse a database that a newer version changed in any way. */
  readonly acceptsNewer?: boolean;
  /** The other servers of the database, which a migration must not leave behind; absent = none. */
  readonly running?: MigrateOptions['running'];
  /** `false` = do not migrate; refuses tables that lack a migration. */
  readonly isMigrating?: boolean;
  /** Makes a backup of a database file before its tables change. */
  readonly keepsCopy?: boolean;
  readonly log: Log;
  /** Called after every write. */
  readonly observeWrites?: (times: WriteTimes) => void;
  /** Tries to write into a folder; it tells a read-only or full disk from one that fails. */
  readonly probeFolder?: ProbeFolder;
  readonly load?: LoadPackage;
  /** Wraps the SQLite driver: for a driver that fails on demand. */
  readonly through?: (driver: SqliteDriver) => SqliteDriver;
  readonly clock?: () => number;
  readonly now?: () => Date;
  readonly after?: After;
  /** How long a write waits for another program's lock, or for an unavailable server. */
  readonly patienceMs?: number;
}

/** Opens the database, migrates it, and refuses one that a newer version wrote. */
export async function openStorage(options: StorageOptions) {
  const clock = options.clock ?? (() => performance.now());
  const patience: Patience = {
    patienceMs: options.patienceMs ?? 30_000,
    now: clock,
    sleep: (ms) => sleep(ms),
    onWait: (cause) => {
      if (cause instanceof ConnectionLost) options.log.warn({}, `${cause.message} Trying again.`);
    },
  };
  const engine = createEngine(options, patience);
  await makeFolder(options.url);

  const writer = engine.connect('writer');
  const reader = engine.connect('reader');
  const { dialect } = engine;
  const { database, finish } = createDatabase({
    dialect,
    reader,
    writer,
    patience,
    ...(options.observeWrites && { observeWrites: options.observeWrites }),
  });

  const after = options.after ?? runAfter;
  const [kv, textIndex] = [
    createKvStore(database),
    createTextIndexStore(database, { after, log: options.log }),
  ];

  const end = async (): Promise<void> => {
    textIndex.rest();
    await finish();
    await reader.destroy();
    await engine.beforeClose();
    await writer.destroy();
  };
  let ended: Promise<void> | undefined;
  /** Finishes the queued writes, accepts no new ones, and closes the files. */
  const close = (): Promise<void> => (ended ??= end());

  /** Reads from the database; rejects when that fails. */
  const ping = async (): Promise<{ readonly latencyMs: number }> => {
    const startedAt = clock();
    await reader.raw('select 1');
    return { latencyMs: clock() - startedAt };
  };

  /** Waits for a database that cannot be reached, as a write does. */
  const awaitReachable = async (): Promise<void> => {
    if (dialect === 'postgres') await whileBusy(patience, ping);
  };

  async function keep(moment: Date): Promise<void> {
    if (options.keepsCopy !== true) return;
    const copy = await engine.makeMigrationBackup?.(reader, moment);
    if (copy !== undefined)
      options.log.info({ copy: path.basename(copy.file) }, 'A backup of the database was made.');
  }

  const { appVersion = null, acceptsNewer = true, running = async () => [] } = options;
  const opener = { appVersion, acceptsNewer };
  const sets = [kernelMigrations, ...options.migrations];
  try {
    const now = options.now ?? (() => new Date());
    if (options.isMigrating === false) await assertMigrated(reader, sets, opener);
    else await migrate(database, sets, { ...opener, now, keep: () => keep(now()), running });
    await ping();
  } catch (cause) {
    await close();
    throw engine.whyNotOpened(cause);
  }
  const { driver, shared } = engine;
  /** Writes something without a meaning; rejects when nothing can be written. */
  const tryWrite = (): Promise<void> => database.write((trx) => writeNothing(trx, dialect));
  return {
    database,
    /** Why this version may not run any more, since a newer one has changed the database; `null` = it may. */
    whyTooOld: () => whyTooOld(reader, sets, opener),
    kv,
    textIndex /** The package of the database driver. */,
    driver /** For several servers on one database; `null` = it has one owner. */,
    shared,
    ping,
    awaitReachable,
    tryWrite,
    close,
  };
}

/** Changes a page of the file; on PostgreSQL, takes the number of a transaction. */
async function writeNothing(trx: Transaction, dialect: Dialect): Promise<void> {
  if (dialect === 'postgres') {
    await trx.raw('select txid_current()');
    return;
  }
  const [row]: readonly { readonly user_version: number }[] = await trx.raw('PRAGMA user_version');
  const next = ((row?.user_version ?? 0) + 1) % 2 ** 31;
  await trx.raw(`PRAGMA user_version = ${next}`);
}

export type ReadOnlyStorage = Awaited<ReturnType<typeof openReadOnly>>;

/**
 * Opens a database for reading: writes nothing, does not migrate, and a server may have it open at
 * the same time.
 */
export async function openReadOnly(options: Pick<StorageOptions, 'url' | 'driver' | 'log'>) {
  const patience: Patience = {
    patienceMs: 30_000,
    now: () => performance.now(),
    sleep: (ms) => sleep(ms),
  };
  const engine = createEngine(options, patience);
  const read = engine.connect('reader');
  try {
    await read.raw('select 1');
  } catch (cause) {
    await read.destroy();
    throw engine.whyNotOpened(cause);
  }
  return { read, close: (): Promise<void> => read.destroy() };
}

const runAfter: After = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

const same = (driver: SqliteDriver): SqliteDriver => driver;

type EngineOptions = Pick<
  StorageOptions,
  'url' | 'sessionUrl' | 'driver' | 'log' | 'load' | 'through' | 'probeFolder'
>;

function createEngine(
  { url, sessionUrl, driver: name, log, load, through = same, probeFolder }: EngineOptions,
  patience: Patience,
): Engine {
  const location = parseDatabaseUrl(url);
  if (location.dialect === 'postgres')
    return createPostgresEngine(location.url, { patience, log, sessionUrl });
  const driver = through(loadSqliteDriver({ name, load }));
  const { file } = location;
  return createSqliteEngine(driver, file, { patience, log, ...(probeFolder && { probeFolder }) });
}

async function makeFolder(url: string): Promise<void> {
  const location = parseDatabaseUrl(url);
  if (location.dialect === 'sqlite') await mkdir(path.dirname(location.file), { recursive: true });
}
