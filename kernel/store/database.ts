import type { Knex } from 'knex';
import { createSerialQueue } from '../../packages/lib/concurrency/index.ts';
import { isOutage, KernelError, type KernelErrorCode } from '../errors.ts';
import { type Patience, whileBusy } from './busy.ts';
import type { Dialect } from './dialect.ts';
import { insertRows, type ColumnOf, type OnConflict } from './insert-rows.ts';

/** Runs statements: the readers, or a transaction. */
export type Queries = Knex;

/** One transaction of the writer. */
export type Transaction = Knex.Transaction;

/** The database: many readers, one writer. */
export interface Database {
  readonly dialect: Dialect;
  /** Readers. They see committed data, and a writer never blocks them. */
  readonly read: Knex;
  /**
   * Runs `work` in one transaction, alone: writes are queued first in, first out. When `work` throws,
   * all is rolled back and the promise rejects with that error. `work` uses only `trx`, since it runs
   * again when the lock was not available. It never calls `write`, which would wait for itself.
   * `committed` gets the result of `work` before the write counts in `writes`: what is kept in memory
   * of the data changes there, never later. It must not throw.
   */
  readonly write: <T>(
    work: (trx: Knex.Transaction) => Promise<T>,
    committed?: (value: T) => void,
  ) => Promise<T>;
  /**
   * The write version: how many writes have ended, also failed ones. What was read stays valid while
   * this number is equal to that before the read: a write counts before its caller learns that it is
   * done. `null` = unknown, since other servers write too (PostgreSQL): nothing that was read may be
   * used again.
   */
  readonly writes: () => number | null;
  /** Inserts many rows fast; all have the columns of the first one. */
  readonly insertRows: <Row extends object>(
    trx: Knex.Transaction,
    table: string,
    rows: readonly Row[],
    onConflict?: OnConflict<ColumnOf<Row>>,
  ) => Promise<void>;
}

/** How one write went, over all its attempts. */
export interface WriteTimes {
  /** The time behind other writes. */
  readonly waitedMs: number;
  readonly durationMs: number;
  readonly hasFailed: boolean;
  /** The code of the failure of the database or its disk, if that refused the write. */
  readonly refusedWith: KernelErrorCode | null;
}

export interface DatabaseParts {
  /** Called after every write. */
  readonly observeWrites?: (times: WriteTimes) => void;
  readonly dialect: Dialect;
  readonly reader: Knex;
  readonly writer: Knex;
  readonly patience: Patience;
}

/** Builds the database, and the function that closes it: no new writes, and the queued ones finish. */
export function createDatabase(parts: DatabaseParts): {
  readonly database: Database;
  readonly finish: () => Promise<void>;
} {
  const queue = createSerialQueue();
  let ended = 0;
  let isClosed = false;

  const write: Database['write'] = (work, committed) => {
    if (isClosed)
      return Promise.reject(new KernelError('storage_failed', 'The database is closed.'));
    const times = observed();
    const turn = queue.run(async () => {
      times.begin();
      try {
        const value = await whileBusy(parts.patience, () => transact(parts.writer, work));
        committed?.(value);
        return value;
      } finally {
        ended += 1;
      }
    });
    turn.then(
      () => times.end(false, null),
      (error: unknown) => times.end(true, isOutage(error) ? error.code : null),
    );
    return turn;
  };

  function observed() {
    const now = () => performance.now();
    const [askedAt, { observeWrites }] = [now(), parts];
    let begunAt = askedAt;
    return {
      begin: (): void => void (begunAt = now()),
      end: (hasFailed: boolean, refusedWith: KernelErrorCode | null): void =>
        observeWrites?.({
          waitedMs: begunAt - askedAt,
          durationMs: now() - begunAt,
          hasFailed,
          refusedWith,
        }),
    };
  }

  const finish = async (): Promise<void> => {
    isClosed = true;
    await queue.idle();
  };

  const { dialect, reader: read } = parts;
  const writes: Database['writes'] = () => (dialect === 'sqlite' ? ended : null);
  return { database: { dialect, read, write, writes, insertRows }, finish };
}

/** Runs one transaction. When the rollback fails too, the error is that of `work`. */
async function transact<T>(writer: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  let thrown: { readonly error: unknown } | undefined;
  try {
    return await writer.transaction(async (trx) => {
      try {
        return await work(trx);
      } catch (error) {
        thrown = { error };
        throw error;
      }
    });
  } catch (error) {
    throw thrown === undefined ? error : thrown.error;
  }
}
