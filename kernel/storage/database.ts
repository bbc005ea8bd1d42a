import type { Knex } from 'knex';
import { KernelError } from '../errors.ts';
import { type Patience, whileBusy } from './busy.ts';
import type { Dialect } from './dialect.ts';
import { insertRows, type OnConflict } from './insert-rows.ts';
import { createTableVersions } from './table-versions.ts';

/** What a statement is run by: the readers, or a transaction. */
export type Queries = Knex;

/** One transaction of the writer. */
export type Transaction = Knex.Transaction;

/** The database: many readers, one writer. */
export interface Database {
  readonly dialect: Dialect;
  /** Readers. They see what is committed, and a writer never blocks them. */
  readonly read: Knex;
  /**
   * Runs `work` in one transaction, alone: writes are queued and run in the order in which they came.
   * When `work` throws, everything is rolled back and the promise rejects with that error. `work`
   * touches nothing but `trx`, since it runs again when the lock could not be had; and it never calls
   * `write`, which would wait for itself. `committed` hears what `work` gave, before the write counts
   * in `writes`: there, what is kept in memory of it changes with it. It must not throw.
   */
  readonly write: <T>(
    work: (trx: Knex.Transaction) => Promise<T>,
    committed?: (value: T) => void,
  ) => Promise<T>;
  /**
   * The number of the last write that has ended and changed a table; with `apart`, one that is none of
   * those. Who keeps something of what it read elsewhere knows by it, without asking, that nothing of
   * that has changed: a write counts before its caller hears that it is done. All text indexes are one
   * table, `text_indexes`. Where other servers write as well it is another number each time.
   */
  readonly writes: (ignored?: ReadonlySet<string>) => number;
  /** Inserts many rows fast; all have the columns of the first one. */
  readonly insertRows: (
    trx: Knex.Transaction,
    table: string,
    rows: readonly Readonly<Record<string, unknown>>[],
    onConflict?: OnConflict,
  ) => Promise<void>;
}

/** How one write went, however often it had to run. */
export interface WriteTimes {
  /** Behind other writes. */
  readonly waitedMs: number;
  readonly durationMs: number;
  readonly hasFailed: boolean;
}

/** What a database is made of. */
export interface DatabaseParts {
  /** Told of every write when it has ended. */
  readonly observeWrites?: (times: WriteTimes) => void;
  readonly dialect: Dialect;
  readonly reader: Knex;
  readonly writer: Knex;
  readonly patience: Patience;
}

const nothing: ReadonlySet<string> = new Set();

/** Builds the database, and the way to end it: no new write, and the queued ones finished. */
export function createDatabase(parts: DatabaseParts): {
  readonly database: Database;
  readonly finish: () => Promise<void>;
} {
  const changes = createTableVersions();
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const write: Database['write'] = (work, committed) => {
    if (isClosed)
      return Promise.reject(new KernelError('storage_failed', 'The database is closed.'));
    const times = observed();
    const turn = last
      .then(() => {
        times.begin();
        return whileBusy(parts.patience, () => transact(parts.writer, work));
      })
      .then((value) => {
        committed?.(value);
        return value;
      })
      .finally(changes.end);
    turn.then(
      () => times.end(false),
      () => times.end(true),
    );
    last = turn.catch(() => undefined);
    return turn;
  };

  function observed() {
    const now = () => performance.now();
    const [askedAt, { observeWrites }] = [now(), parts];
    let begunAt = askedAt;
    return {
      begin: (): void => void (begunAt = now()),
      end: (hasFailed: boolean): void =>
        observeWrites?.({ waitedMs: begunAt - askedAt, durationMs: now() - begunAt, hasFailed }),
    };
  }

  const finish = async (): Promise<void> => {
    isClosed = true;
    await last;
  };

  const { dialect, reader: read } = parts;
  let asked = 0;
  const isSqlite = dialect === 'sqlite';
  if (isSqlite) parts.writer.on('query', ({ sql }: { readonly sql: string }) => changes.saw(sql));
  const writes: Database['writes'] = (ignored = nothing) =>
    isSqlite ? changes.versionExcluding(ignored) : (asked += 1);
  return { database: { dialect, read, write, writes, insertRows }, finish };
}

/** One transaction. A rollback that fails too does not hide why it was wanted. */
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
