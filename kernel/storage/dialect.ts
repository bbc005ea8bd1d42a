/** The names of the databases that the SQL is written for. */
export type Dialect = 'sqlite' | 'postgres';

/** How many bytes a text can have that an index holds: PostgreSQL refuses the whole row of a longer one. */
export const mostIndexedBytes: Readonly<Record<Dialect, number>> = {
  sqlite: Infinity,
  postgres: 2600,
};

/** Which database a knex, a transaction or a table builder speaks to. */
export function dialectOf(knex: object): Dialect {
  const client: unknown = 'client' in knex ? knex.client : undefined;
  const isSqlite =
    typeof client === 'object' &&
    client !== null &&
    'dialect' in client &&
    client.dialect === 'sqlite3';
  return isSqlite ? 'sqlite' : 'postgres';
}
