/**
 * A transaction in which SQLite itself failed can only be rolled back. When its disk is full or fails,
 * SQLite may roll back by itself and go on; what is sent then would stand alone, stored at once, though
 * the rest of its transaction is gone. So statements go one at a time here, and after such a failure
 * nothing but the end of the transaction is let through.
 */
import { isStatementFault } from './sqlite-errors.ts';
import type { SqliteConnection, SqliteResult } from './driver.ts';

/** The text with which a writing transaction begins. */
export const beginning = 'BEGIN IMMEDIATE;';

/** The connection of the writer, whose transactions are whole or not at all. */
export function guardTransactions(connection: SqliteConnection): SqliteConnection {
  let last: Promise<unknown> = Promise.resolve();
  let isOpen = false;
  let fault: { readonly cause: unknown } | null = null;

  const plain = (sql: string): Promise<SqliteResult> => connection.run(sql, [], 'changes');

  /** One that an earlier failure left open would be the beginning of this one. */
  async function begin(): Promise<SqliteResult> {
    if (isOpen) await rollBack();
    const begun = await plain(beginning);
    isOpen = true;
    return begun;
  }

  /** SQLite refuses to end what it has ended by itself; then there is nothing left to do. */
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
    run: (...asked) => {
      const turn = last.then(() => next(...asked));
      last = turn.catch(() => undefined);
      return turn;
    },
    close: async () => {
      await last;
      await connection.close();
    },
  };
}
