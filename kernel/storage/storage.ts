import path from 'node:path';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import { KernelError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Patience } from './busy.ts';
import { createDatabase, type Database } from './database.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { kernelMigrations } from './kernel-migrations.ts';
import { createKvStore, type KvStore } from './kv/kv-store.ts';
import { assertMigrated, type MigrationSet, migrate } from './migrations.ts';
import type { SqliteDriver, SqliteDriverName } from './sqlite/driver.ts';
import { createSqliteClient } from './sqlite/knex-client.ts';
import { type LoadPackage, loadSqliteDriver } from './sqlite/load-driver.ts';
import type { After } from './text-index/index-upkeep.ts';
import { createTextIndexStore, type TextIndexStore } from './text-index/text-index-store.ts';

/** Everything that the server keeps. */
export interface Storage {
  readonly database: Database;
  readonly kv: KvStore;
  readonly textIndex: TextIndexStore;
  /** The package that speaks to the database. */
  readonly driver: SqliteDriverName;
  /** Reads from the database; rejects when that fails. */
  readonly ping: () => Promise<{ readonly latencyMs: number }>;
  /** Finishes the queued writes, takes no new ones, and closes the files. */
  readonly close: () => Promise<void>;
}

/** What storage is opened with. The last five are for tests. */
export interface StorageOptions {
  /** `sqlite:<file>`; the file and its folder are made when they are not there. */
  readonly url: string;
  /** Forces a driver; without it `sqlite3`, or `better-sqlite3` where `sqlite3` has no binary. */
  readonly driver?: SqliteDriverName;
  /** The sets of the other parts; the kernel's own comes first. */
  readonly migrations: readonly MigrationSet[];
  /** `false` = take the tables as they are, and refuse them when they lack a migration. */
  readonly isMigrating?: boolean;
  readonly log: Log;
  readonly load?: LoadPackage;
  readonly clock?: () => number;
  readonly now?: () => Date;
  readonly after?: After;
  /** How long a write waits for a lock that another program holds. */
  readonly patienceMs?: number;
}

/** So many readers; each has a thread of its own at work in `sqlite3`. */
const readers = 4;

/** Opens the database, brings its tables up to date, and refuses one that a newer version wrote. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { file } = parseDatabaseUrl(options.url);
  const driver = loadSqliteDriver({ only: options.driver, log: options.log, load: options.load });
  const clock = options.clock ?? (() => performance.now());
  const patience: Patience = {
    patienceMs: options.patienceMs ?? 30_000,
    now: clock,
    sleep: (ms) => sleep(ms),
  };
  await mkdir(path.dirname(file), { recursive: true });

  const open = (readOnly: boolean): Knex =>
    openKnex({ driver, file, readOnly, patience, log: options.log });
  const writer = open(false);
  const reader = open(true);
  const { database, finish } = createDatabase({ dialect: 'sqlite', reader, writer, patience });

  const after = options.after ?? runAfter;
  const [kv, textIndex] = [
    createKvStore(database),
    createTextIndexStore(database, { after, log: options.log }),
  ];

  const end = async (): Promise<void> => {
    textIndex.rest();
    await finish();
    await reader.destroy();
    await writer.raw('PRAGMA optimize').catch(() => undefined);
    await writer.destroy();
  };
  let ended: Promise<void> | undefined;
  const close = (): Promise<void> => (ended ??= end());

  const ping = async (): Promise<{ readonly latencyMs: number }> => {
    const startedAt = clock();
    await reader.raw('select 1');
    return { latencyMs: clock() - startedAt };
  };

  try {
    const now = options.now ?? (() => new Date());
    const sets = [kernelMigrations, ...options.migrations];
    if (options.isMigrating === false) await assertMigrated(reader, sets);
    else await migrate(database, sets, now);
    await ping();
  } catch (cause) {
    await close();
    throw cannotOpen(cause, file);
  }
  return { database, kv, textIndex, driver: driver.name, ping, close };
}

/** What is read from without being changed in anything. */
export interface ReadOnlyStorage {
  readonly read: Knex;
  readonly close: () => Promise<void>;
}

/**
 * Opens a database to look at it: not one byte of it is written, its tables are taken as they are,
 * and a server may have it open at the same time.
 */
export async function openReadOnly(
  options: Pick<StorageOptions, 'url' | 'driver' | 'log'>,
): Promise<ReadOnlyStorage> {
  const { file } = parseDatabaseUrl(options.url);
  const { log } = options;
  const driver = loadSqliteDriver({ only: options.driver, log });
  const patience: Patience = {
    patienceMs: 30_000,
    now: () => performance.now(),
    sleep: (ms) => sleep(ms),
  };
  const read = openKnex({ driver, file, readOnly: true, patience, log });
  try {
    await read.raw('select 1');
  } catch (cause) {
    await read.destroy();
    throw cannotOpen(cause, file);
  }
  return { read, close: () => read.destroy() };
}

const runAfter: After = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

function openKnex(parts: {
  readonly driver: SqliteDriver;
  readonly file: string;
  readonly readOnly: boolean;
  readonly patience: Patience;
  readonly log: Log;
}): Knex {
  const connections = parts.readOnly ? readers : 1;
  const write =
    (level: 'debug' | 'warn' | 'error') =>
    (message: unknown): void =>
      parts.log[level]({}, String(message));
  return knex({
    client: createSqliteClient(parts),
    connection: { filename: parts.file },
    pool: { min: connections, max: connections },
    useNullAsDefault: true,
    // An error's text would hold the values of the statement: passwords, tokens.
    compileSqlOnError: false,
    log: {
      debug: write('debug'),
      warn: write('warn'),
      error: write('error'),
      deprecate: write('warn'),
    },
  });
}

function cannotOpen(cause: unknown, file: string): unknown {
  if (cause instanceof KernelError) return cause;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (!code.startsWith('SQLITE_')) return cause;
  const why: Readonly<Record<string, string>> = {
    SQLITE_NOTADB: 'is no SQLite database',
    SQLITE_CORRUPT: 'is damaged; restore it from a backup',
    SQLITE_CANTOPEN: 'cannot be opened; the server needs to read and write it and its folder',
    SQLITE_READONLY: 'cannot be written; the server needs to write it and its folder',
  };
  const reason = why[code] ?? `cannot be opened (${code})`;
  return new KernelError(
    'storage_failed',
    `The database file "${path.basename(file)}" ${reason}.`,
    {
      cause,
    },
  );
}
