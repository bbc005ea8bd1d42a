/** knex has no types for its dialects. These are the parts of the PostgreSQL dialect that we extend. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Client, QueryArrayResult, QueryResult } from 'pg';
  import type { Knex, knex } from 'knex';

  /** A statement in the client, which adds the result to it. */
  export interface CompiledQuery {
    sql: string;
    bindings?: readonly unknown[];
    method?: string;
    response?: QueryResult | QueryArrayResult;
  }

  export interface ClientTransaction {
    begin: (connection: unknown) => Promise<unknown>;
    readonly trxClient: {
      readonly query: (connection: unknown, sql: string) => Promise<unknown>;
    };
  }

  export default class PostgresDialect extends knex.Client {
    constructor(config: Knex.Config);
    _query(connection: Client, query: CompiledQuery): Promise<CompiledQuery>;
    query(connection: Client, query: CompiledQuery | string): Promise<unknown>;
    processResponse(query: CompiledQuery, runner: unknown): unknown;
    columnCompiler(table: unknown, column: unknown): object;
  }
}
