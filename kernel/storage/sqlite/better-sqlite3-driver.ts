import type BetterSqlite3 from 'better-sqlite3';
import type { SqliteConnection, SqliteDriver, SqliteResult, SqliteValue } from './driver.ts';
import { StatementCache, statementsPerConnection, withOnePlan } from './statement-cache.ts';

/** After this time, the event loop runs other work before the next answer. */
const turnMs = 8;

/**
 * SQLite through `better-sqlite3`: every statement runs on the event loop. So SQLite must not wait
 * long for a lock, and a series of statements yields from time to time.
 */
export function createBetterSqlite3Driver(module: typeof BetterSqlite3): SqliteDriver {
  const turns = createTurns();
  return {
    name: 'better-sqlite3',
    busyTimeoutMs: 20,
    open: async (file, { readOnly }) =>
      createConnection(new module(file, { readonly: readOnly }), turns),
  };
}

function createConnection(
  database: BetterSqlite3.Database,
  turn: () => Promise<void> | undefined,
): SqliteConnection {
  const cache = new StatementCache<BetterSqlite3.Statement>(
    statementsPerConnection,
    () => undefined,
  );

  const prepare = (sql: string): BetterSqlite3.Statement => {
    const cached = cache.find(sql);
    if (cached !== undefined) return cached;
    const statement = database.prepare(withOnePlan(sql));
    cache.add(sql, statement);
    return statement;
  };

  return {
    run: async (sql, bindings) => {
      const result = execute(prepare(sql), bindings);
      await turn();
      return result;
    },
    close: async () => {
      cache.clear();
      database.close();
    },
  };
}

function execute(
  statement: BetterSqlite3.Statement,
  bindings: readonly SqliteValue[],
): SqliteResult {
  if (statement.reader) return { rows: statement.all(bindings), changes: 0, lastRowId: 0 };
  const { changes, lastInsertRowid } = statement.run(bindings);
  return { rows: [], changes, lastRowId: Number(lastInsertRowid) };
}

function createTurns(): () => Promise<void> | undefined {
  let turnEndsAt: number | undefined;
  return () => {
    if (turnEndsAt === undefined) {
      turnEndsAt = performance.now() + turnMs;
      setImmediate(() => (turnEndsAt = undefined));
      return undefined;
    }
    if (performance.now() < turnEndsAt) return undefined;
    return new Promise((resolve) => setImmediate(resolve));
  };
}
