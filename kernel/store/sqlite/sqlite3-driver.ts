import type sqlite3 from 'sqlite3';
import type { OpenMode, SqliteConnection, SqliteDriver, SqliteResult, Wanted } from './driver.ts';
import { StatementCache, statementsPerConnection, withOnePlan } from './statement-cache.ts';

/** SQLite through `sqlite3`: every statement runs on a thread of the pool, off the event loop. */
export function createSqlite3Driver(module: typeof sqlite3): SqliteDriver {
  return {
    name: 'sqlite3',
    sharesReader: false,
    open: async (file, mode) => createConnection(await openFile(module, file, mode)),
  };
}

function openFile(module: typeof sqlite3, file: string, mode: OpenMode): Promise<sqlite3.Database> {
  const flags = mode.readOnly ? module.OPEN_READONLY : module.OPEN_READWRITE | module.OPEN_CREATE;
  return new Promise((resolve, reject) => {
    const database = new module.Database(file, flags, (error) => {
      if (error === null) resolve(database);
      else reject(error);
    });
  });
}

function createConnection(database: sqlite3.Database): SqliteConnection {
  const cache = new StatementCache<sqlite3.Statement>(statementsPerConnection, (statement) =>
    statement.finalize(),
  );

  const run: SqliteConnection['run'] = async (sql, bindings, wanted) => {
    // There is no await between finding a statement and sending it, so it cannot be dropped in
    // between.
    const cached = cache.find(sql);
    if (cached !== undefined) return execute(cached, bindings, wanted);
    const statement = await prepare(database, sql);
    const result = execute(statement, bindings, wanted);
    cache.add(sql, statement);
    return result;
  };

  const close = (): Promise<void> => {
    cache.clear();
    return new Promise((resolve, reject) => {
      database.close((error) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
  };

  return { run, isOpen: () => true, close };
}

function prepare(database: sqlite3.Database, sql: string): Promise<sqlite3.Statement> {
  return new Promise((resolve, reject) => {
    const statement = database.prepare(withOnePlan(sql), (error) => {
      if (error === null) resolve(statement);
      else reject(error);
    });
  });
}

function execute(
  statement: sqlite3.Statement,
  bindings: readonly unknown[],
  wanted: Wanted,
): Promise<SqliteResult> {
  return new Promise((resolve, reject) => {
    if (wanted === 'rows') {
      statement.all(bindings, (error: Error | null, rows: unknown[]) => {
        if (error === null) resolve({ rows, changes: 0, lastRowId: 0 });
        else reject(error);
      });
      return;
    }
    statement.run(bindings, function (this: sqlite3.RunResult, error: Error | null) {
      if (error === null) resolve({ rows: [], changes: this.changes, lastRowId: this.lastID });
      else reject(error);
    });
  });
}
