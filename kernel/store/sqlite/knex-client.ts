import type { Knex } from 'knex';
import SqliteDialect, {
  type ClientTransaction,
  type CompiledQuery,
} from 'knex/lib/dialects/sqlite3/index.js';
import { KernelError, type KernelErrorCode } from '../../errors.ts';
import { toBound } from '../bound-value.ts';
import { type Patience, whileBusy } from '../busy.ts';
import type { SqliteConnection, SqliteDriver, Wanted } from './driver.ts';
import { createSharedReader } from './shared-reader.ts';
import { toStorageError } from './sqlite-errors.ts';
import { beginning, guardTransactions } from './transaction-guard.ts';

/** How long SQLite itself waits for a lock. */
const busyTimeoutMs = 5000;

/** Options of a connection. */
export interface SqliteClientOptions {
  readonly driver: SqliteDriver;
  readonly file: string;
  readonly readOnly: boolean;
  readonly patience: Patience;
  /** The failure of a write with what the disk says of it. */
  readonly explain: (error: unknown) => Promise<unknown>;
  /** Called for each failure of SQLite itself. */
  readonly onFault: (error: KernelError) => void;
}

/**
 * knex's SQLite client over our own connections, which cache prepared statements. Its guarantees
 * beyond knex:
 *
 * - a writing transaction takes the write lock when it begins, so it cannot fail on it half-way;
 *   without the lock its work does not start;
 * - a failed transaction leaves no changes;
 * - a read waits for a lock to end;
 * - a failure of SQLite or of its disk has a code of the kernel, and no SQL in its message.
 */
export function createSqliteClient(options: SqliteClientOptions): typeof Knex.Client {
  async function watched<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await (options.readOnly ? whileBusy(options.patience, ask) : ask());
    } catch (failure) {
      const cause = unwrapped(failure);
      const error = options.readOnly
        ? toStorageError(cause)
        : await options.explain(toStorageError(cause));
      // A write through a reader is a bug, not a failure of the disk.
      if (options.readOnly && isOfCode(error, 'storage_read_only')) throw cause;
      if (error instanceof KernelError) options.onFault(error);
      throw error;
    }
  }

  const shared =
    options.readOnly && options.driver.sharesReader
      ? createSharedReader({
          open: () => openConnection(options),
          now: () => performance.now(),
          after: (ms, run) => void setTimeout(run, ms).unref(),
        })
      : null;

  return class SqliteClient extends SqliteDialect {
    override _driver(): SqliteDriver {
      return options.driver;
    }

    override acquireRawConnection(): Promise<SqliteConnection> {
      return shared === null ? openConnection(options) : shared.lease();
    }

    override async destroyRawConnection(connection: SqliteConnection): Promise<void> {
      await connection.close();
    }

    /** A connection that broke is replaced by another before it is used again. */
    override validateConnection(connection: SqliteConnection): Promise<boolean> {
      return Promise.resolve(connection.isOpen());
    }

    override async _query(
      connection: SqliteConnection,
      query: CompiledQuery,
    ): Promise<CompiledQuery> {
      const bindings = (query.bindings ?? []).map(toBound);
      const { sql } = query;
      const { rows, changes, lastRowId } = await connection
        .run(sql, bindings, wantedOf(query))
        .catch(wrap);
      query.response = rows;
      query.context = { lastID: lastRowId, changes };
      return query;
    }

    /** Wraps knex's handling of an error, which writes the SQL into the message. */
    override query(connection: SqliteConnection, query: CompiledQuery | string): Promise<unknown> {
      return watched(() => super.query(connection, query));
    }

    /** The rows of a finished SQL statement, without knex's query builder. */
    async readRows(sql: string, bindings: readonly unknown[]): Promise<readonly unknown[]> {
      const connection = await this.acquireConnection<SqliteConnection>();
      try {
        // Listeners of a knex receive every statement.
        this.emit('query', { sql, bindings });
        const bound = bindings.map(toBound);
        const { rows } = await watched(() => connection.run(sql, bound, 'rows'));
        return rows;
      } finally {
        await this.releaseConnection(connection);
      }
    }

    override transaction(container: unknown, config: unknown, outer: unknown): Knex.Transaction {
      const transaction = super.transaction(container, config, outer);
      if (!options.readOnly) beginImmediately(transaction as unknown as ClientTransaction);
      return transaction;
    }
  };
}

/**
 * Several statements may fail with one error, as when no connection can be opened for them. knex writes
 * its SQL into the message of the error that it gets, so it gets another one.
 */
function wrap(error: unknown): never {
  throw error instanceof KernelError ? new Error(error.message, { cause: error }) : error;
}

const unwrapped = (error: unknown): unknown =>
  !(error instanceof KernelError) && error instanceof Error && error.cause instanceof KernelError
    ? error.cause
    : error;

async function openConnection(options: SqliteClientOptions): Promise<SqliteConnection> {
  const connection = await options.driver.open(options.file, options);
  try {
    for (const pragma of pragmasOf(options)) {
      await whileBusy(options.patience, () => connection.run(pragma, [], 'rows'));
    }
    if (options.readOnly) return connection;
    await assertWal(connection);
    return guardTransactions(connection);
  } catch (cause) {
    await connection.close();
    throw toStorageError(cause);
  }
}

/** A file system without shared memory does not allow WAL, and readers would then block. */
async function assertWal(connection: SqliteConnection): Promise<void> {
  const { rows } = await connection.run('PRAGMA journal_mode', [], 'rows');
  if (JSON.stringify(rows) === '[{"journal_mode":"wal"}]') return;
  throw new KernelError(
    'storage_failed',
    'The folder of the database does not support write-ahead logging. Keep it on a local disk.',
  );
}

const isOfCode = (error: unknown, code: KernelErrorCode): boolean =>
  error instanceof KernelError && error.code === code;

function beginImmediately(transaction: ClientTransaction): void {
  transaction.begin = (connection) => transaction.trxClient.query(connection, beginning);
}

function wantedOf({ method, returning }: CompiledQuery): Wanted {
  if (method === 'del' || method === 'counter') return 'changes';
  return (method === 'insert' || method === 'update') && !returning ? 'changes' : 'rows';
}

/**
 * WAL with `synchronous=NORMAL`: a power cut may lose the last commits but never corrupts the file.
 * No memory map, since each connection would map the file for itself; so the caches bound the memory.
 */
function pragmasOf({ readOnly, patience }: SqliteClientOptions): readonly string[] {
  const shared = [
    `PRAGMA busy_timeout = ${Math.min(busyTimeoutMs, patience.patienceMs)}`,
    'PRAGMA foreign_keys = ON',
    'PRAGMA temp_store = MEMORY',
    'PRAGMA mmap_size = 0',
  ];
  // Enough for the upper levels of every tree; more does not make four readers faster.
  if (readOnly) return [...shared, `PRAGMA cache_size = -${2 * 1024}`];
  return [
    ...shared,
    'PRAGMA journal_mode = WAL',
    'PRAGMA synchronous = NORMAL',
    // A scan writes the same pages repeatedly: a checkpoint every 16 MiB copies most of them once.
    'PRAGMA wal_autocheckpoint = 4000',
    `PRAGMA journal_size_limit = ${64 * 1024 * 1024}`,
    `PRAGMA cache_size = -${8 * 1024}`,
  ];
}
