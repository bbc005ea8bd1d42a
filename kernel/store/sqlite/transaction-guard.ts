/**
 * A transaction in which SQLite itself failed can only be rolled back. After a full or failing disk,
 * SQLite may roll back by itself; later statements of the transaction would then be committed one by
 * one without it. So statements run one at a time here, and after such a failure only the end of the
 * transaction is let through.
 */
import { createSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import { isStatementFault } from './sqlite-errors.ts';
import type { SqliteConnection, SqliteResult } from './driver.ts';

/** The statement that begins a writing transaction. */
export const beginning = 'BEGIN IMMEDIATE;';

/** The connection of the writer, with atomic transactions. */
export function guardTransactions(connection: SqliteConnection): SqliteConnection {
  const queue = createSerialQueue();
  let isOpen = false;
  let fault: { readonly cause: unknown } | null = null;

  const plain = (sql: string): Promise<SqliteResult> => connection.run(sql, [], 'changes');

  /** Rolls back a transaction that an earlier failure left open, then begins. */
  async function begin(): Promise<SqliteResult> {
    if (isOpen) await rollBack();
    const begun = await plain(beginning);
    isOpen = true;
    return begun;
  }

  /** Rolls back. SQLite refuses this when it has rolled back by itself, which is fine. */
  async function rollBack(): Promise<SqliteResult> {
    fault = null;
    try {
      return await plain('ROLLBACK');
    } catch (cause) {
      if (!/no transaction is active/.test(String(cause))) {
        fault = { cause };
        throw cause;
      }
      return { rows: [], changes: 0, lastRowId: 0 };
    } finally {
      if (fault === null) isOpen = false;
    }
  }

  async function commit(): Promise<SqliteResult> {
    if (fault === null) {
      try {
        const committed = await plain('COMMIT;');
        isOpen = false;
        return committed;
      } catch (cause) {
        fault = { cause };
      }
    }
    const { cause } = fault;
    await rollBack().catch(() => undefined);
    throw cause;
  }

  async function within(...asked: Parameters<SqliteConnection['run']>): Promise<SqliteResult> {
    if (fault !== null) throw fault.cause;
    try {
      return await connection.run(...asked);
    } catch (cause) {
      if (isOpen && !isStatementFault(cause)) fault = { cause };
      throw cause;
    }
  }

  function next(...asked: Parameters<SqliteConnection['run']>): Promise<SqliteResult> {
    switch (asked[0]) {
      case beginning:
        return begin();
      case 'COMMIT;':
        return commit();
      case 'ROLLBACK':
        return rollBack();
      default:
        return within(...asked);
    }
  }

  return {
    run: (...asked) => queue.run(() => next(...asked)),
    isOpen: connection.isOpen,
    close: async () => {
      await queue.idle();
      await connection.close();
    },
  };
}
