/** knex has no types for its dialects. These are the parts of the SQLite dialect that we extend. */
declare module 'knex/lib/dialects/sqlite3/index.js' {
  import type { Knex, knex } from 'knex';

  /** A statement in the client, which adds the result to it. */
  export interface CompiledQuery {
    sql: string;
    bindings?: readonly unknown[];
    method?: string;
    returning?: unknown;
    response?: unknown;
    context?: { readonly lastID: number; readonly changes: number };
  }

  export interface ClientTransaction {
    begin: (connection: unknown) => Promise<unknown>;
    readonly trxClient: {
      readonly query: (connection: unknown, sql: string) => Promise<unknown>;
    };
  }

  export default class SqliteDialect extends knex.Client {
    constructor(config: Knex.Config);
    _driver(): unknown;
    validateConnection(connection: unknown): Promise<boolean>;
    _query(connection: unknown, query: CompiledQuery): Promise<CompiledQuery>;
    query(connection: unknown, query: CompiledQuery | string): Promise<unknown>;
    /** A connection that `acquireRawConnection` opened. */
    acquireConnection<Connection>(): Promise<Connection>;
    releaseConnection(connection: unknown): Promise<void>;
  }
}
