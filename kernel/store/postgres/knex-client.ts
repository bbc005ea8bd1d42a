import type { Client, QueryResult } from 'pg';
import type { Knex } from 'knex';
import PostgresDialect, {
  type ClientTransaction,
  type CompiledQuery,
} from 'knex/lib/dialects/postgres/index.js';
import { KernelError } from '../../errors.ts';
import { withTypesOfSqlite } from './postgres-columns.ts';
import { isThroughPooler } from './pooler.ts';
import { nameOf } from './statement-cache.ts';
import { ConnectionLost, toStorageError, withoutSql } from './postgres-errors.ts';
import { toPostgresValue } from './postgres-values.ts';

/** Options of a connection. */
export interface PostgresClientOptions {
  readonly readOnly: boolean;
  /** How long one attempt of a write waits for another process. */
  readonly lockTimeoutMs: number;
  /** The name of this process on the server. */
  readonly origin: string;
}

/** "vitrine" as the number of a lock. Locks are counted within one database. */
const writeLock = 0x76_69_74_72_69_6e;
const leastVersion = 130_000;

/**
 * knex's PostgreSQL client, made to behave like SQLite:
 *
 * - a writing transaction locks the whole database when it begins, so there is one writer among all
 *   processes, and what it reads does not change before it ends;
 * - `raw` returns rows; values and columns are as in SQLite;
 * - behind a pooler no statement relies on an earlier one: settings are those of a transaction;
 * - a lost connection is a {@link ConnectionLost}; during a commit the error says that the result is
 *   unknown; no error holds a bound value.
 */
export function createPostgresClient(options: PostgresClientOptions): typeof Knex.Client {
  return class PostgresClient extends PostgresDialect {
    override async acquireRawConnection(): Promise<Client> {
      let connection: Client | undefined;
      try {
        connection = (await super.acquireRawConnection()) as Client;
        await prepare(connection, options);
        return connection;
      } catch (cause) {
        await connection?.end().catch(() => undefined);
        throw isRefusing(cause) ? new ConnectionLost(cause) : toStorageError(cause);
      }
    }

    override async destroyRawConnection(connection: Client): Promise<void> {
      await connection.end().catch(() => undefined);
    }

    override async _query(connection: Client, query: CompiledQuery): Promise<CompiledQuery> {
      const values = (query.bindings ?? []).map(toPostgresValue);
      const name = isPooled(connection) ? {} : nameOf(query.sql);
      try {
        query.response = await connection.query({ ...name, text: query.sql, values });
        if (query.sql === 'COMMIT;' && query.response.command === 'ROLLBACK') throw notCommitted();
        return query;
      } catch (cause) {
        const error = toStorageError(cause);
        throw query.sql === 'COMMIT;' && error instanceof ConnectionLost
          ? unknownEnd(cause)
          : error;
      }
    }

    /** Wraps knex's handling of an error, which writes the SQL into the message. */
    override async query(connection: Client, query: CompiledQuery | string): Promise<unknown> {
      try {
        return await super.query(connection, query);
      } catch (error) {
        throw withoutSql(error, typeof query === 'string' ? query : query.sql);
      }
    }

    override processResponse(query: CompiledQuery, runner: unknown): unknown {
      const answer: unknown = super.processResponse(query, runner);
      if (query.method !== 'raw') return answer;
      // Several statements in one text have several results.
      const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer;
      return (last as QueryResult | undefined)?.rows ?? [];
    }

    override columnCompiler(table: unknown, column: unknown): object {
      return withTypesOfSqlite(super.columnCompiler(table, column));
    }

    override transaction(container: unknown, config: unknown, outer: unknown): Knex.Transaction {
      const transaction = super.transaction(container, config, outer);
      const opened = transaction as unknown as ClientTransaction;
      opened.begin = options.readOnly ? beginReading(opened) : beginAlone(opened, options);
      return transaction;
    }
  };
}

/** The database exists, and accepts no connections now. */
const isRefusing = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === '55000';

/** The connections that go through a pooler, which may give each transaction another session. */
const pooled = new WeakSet<Client>();
const isPooled = (connection: Client): boolean => pooled.has(connection);

/** Settings of a transaction, or of a session for all of its transactions. */
const settingsOf = ({ lockTimeoutMs, origin }: PostgresClientOptions): readonly string[] => [
  `application_name to '${origin}'`,
  `standard_conforming_strings to on`,
  // Statements are short; compiling one would take longer than running it.
  `jit to off`,
  // A frequent word needs another plan than a rare one.
  `plan_cache_mode to force_custom_plan`,
  // A process that froze or lost its network must not block the other writers for ever.
  `idle_in_transaction_session_timeout to '60s'`,
  `tcp_keepalives_idle to 30`,
  `tcp_keepalives_interval to 10`,
  `lock_timeout to ${Math.max(1, Math.round(lockTimeoutMs))}`,
];

/** Checks each connection before its first use; a session of its own gets its settings at once. */
async function prepare(connection: Client, options: PostgresClientOptions): Promise<void> {
  const { rows } = await connection.query<{ version: number; encoding: string; pid: number }>(
    `select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding, pg_backend_pid() as pid`,
  );
  assertUsable(rows[0]);
  if (isThroughPooler(connection, rows[0].pid)) {
    pooled.add(connection);
    return;
  }
  const { readOnly } = options;
  const settings = [
    ...settingsOf(options),
    `default_transaction_read_only to ${readOnly ? 'on' : 'off'}`,
  ];
  await connection.query(settings.map((setting) => `set ${setting}`).join('; '));
}

function assertUsable<Server extends { version: number; encoding: string }>(
  server: Server | undefined,
): asserts server is Server {
  if (server === undefined || server.version < leastVersion) {
    throw new KernelError(
      'storage_failed',
      'The PostgreSQL server is too old; version 13 or later is needed.',
    );
  }
  if (server.encoding !== 'UTF8') {
    throw new KernelError(
      'storage_failed',
      `The PostgreSQL database keeps text as ${server.encoding}. Create it with encoding 'UTF8' and template template0.`,
    );
  }
}

const beginReading =
  (transaction: ClientTransaction): ClientTransaction['begin'] =>
  (connection) =>
    transaction.trxClient.query(connection, 'BEGIN READ ONLY;');

function beginAlone(
  transaction: ClientTransaction,
  options: PostgresClientOptions,
): ClientTransaction['begin'] {
  const local = settingsOf(options).map((setting) => `SET LOCAL ${setting};`);
  return async (connection) => {
    const query = (sql: string) => transaction.trxClient.query(connection, sql);
    const settings = isPooled(connection as Client) ? local.join(' ') : '';
    try {
      return await query(`BEGIN; ${settings} SELECT pg_advisory_xact_lock(${writeLock});`);
    } catch (cause) {
      // The lock was not available in time, and the connection returns to the pool.
      await query('ROLLBACK;').catch(() => undefined);
      throw cause;
    }
  };
}

/** PostgreSQL ignores the commit of a transaction in which a statement failed, without an error. */
function notCommitted(): Error {
  return new Error('A statement of the transaction had failed; all of it was rolled back.');
}

function unknownEnd(cause: unknown): KernelError {
  return new KernelError(
    'storage_failed',
    'The connection to PostgreSQL was lost while a change was being stored. The change may be stored or not.',
    { cause },
  );
}
