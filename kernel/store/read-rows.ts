import type { Knex } from 'knex';

/** The method of a reader's client that returns rows without a builder. */
interface ReadsRows {
  readonly readRows: (
    sql: string,
    bindings: readonly Knex.RawBinding[],
  ) => Promise<readonly unknown[]>;
}

/**
 * The rows of a finished SQL statement. SQLite's readers skip the query builder, which takes longer
 * than a short statement.
 */
export async function readRows<Row>(
  db: Knex,
  sql: string,
  bindings: readonly Knex.RawBinding[],
): Promise<readonly Row[]> {
  const client: unknown = db.client;
  const rows =
    db.isTransaction !== true && readsRows(client)
      ? await client.readRows(sql, bindings)
      : await db.raw<readonly unknown[]>(sql, bindings);
  return rows as readonly Row[];
}

function readsRows(client: unknown): client is ReadsRows {
  return typeof client === 'object' && client !== null && 'readRows' in client;
}
