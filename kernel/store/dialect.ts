/** The databases that the SQL is written for. */
export type Dialect = 'sqlite' | 'postgres';

/** The most bytes of an indexed text: PostgreSQL refuses a row with a longer one. */
export const mostIndexedBytes: Readonly<Record<Dialect, number>> = {
  sqlite: Infinity,
  postgres: 2600,
};

/** The database behind a knex, a transaction or a table builder. */
export function dialectOf(knex: object): Dialect {
  const client: unknown = 'client' in knex ? knex.client : undefined;
  const isSqlite =
    typeof client === 'object' &&
    client !== null &&
    'dialect' in client &&
    client.dialect === 'sqlite3';
  return isSqlite ? 'sqlite' : 'postgres';
}
