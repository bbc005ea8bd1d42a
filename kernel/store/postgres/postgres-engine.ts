import { randomUUID } from 'node:crypto';
import knex from 'knex';
import { knexConfig, type Engine, type EngineParts } from '../engine.ts';
import { createPostgresClient } from './knex-client.ts';
import { whyNotOpened } from './postgres-errors.ts';
import { createPostgresTypes } from './postgres-values.ts';
import { openSharedLine, type SharedLine } from './shared-line.ts';

/** Each connection is a process of the server, which allows a hundred by default. */
const readers = 6;
const connectTimeoutMs = 10_000;
/** The longest single wait for the lock; it is repeated until the patience is over. */
const longestLockMs = 5000;

/** A PostgreSQL server, through `pg`. Connections are made on demand and replaced when lost. */
export function createPostgresEngine(
  url: string,
  { patience, log, sessionUrl }: EngineParts & { readonly sessionUrl?: string | undefined },
): Engine {
  const types = createPostgresTypes();
  const lines: SharedLine[] = [];
  const origin = `vitrine ${randomUUID()}`;
  const lockTimeoutMs = Math.min(longestLockMs, patience.patienceMs);
  return {
    dialect: 'postgres',
    driver: 'pg',
    connect: (role) =>
      knex({
        ...knexConfig(log),
        client: createPostgresClient({ readOnly: role === 'reader', lockTimeoutMs, origin }),
        connection: {
          connectionString: url,
          connectionTimeoutMillis: connectTimeoutMs,
          keepAlive: true,
          types,
        },
        pool: { min: 0, max: role === 'reader' ? readers : 1, idleTimeoutMillis: 60_000 },
      }),
    shared: {
      origin,
      openLine: async (channel, user) => {
        const line = await openSharedLine({
          url: sessionUrl ?? url,
          applicationName: origin,
          channel,
          user,
          log,
        });
        lines.push(line);
        return line;
      },
    },
    beforeClose: async () => {
      for (const line of lines) await line.close();
    },
    whyNotOpened,
  };
}
