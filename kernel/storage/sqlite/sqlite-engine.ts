import path from 'node:path';
import knex from 'knex';
import { KernelError } from '../../errors.ts';
import { knexConfig, type Engine, type EngineParts } from '../engine.ts';
import type { SqliteDriver } from './driver.ts';
import { createSqliteClient } from './knex-client.ts';

/** So many readers; each has a thread of its own at work in `sqlite3`. */
const readers = 4;

/** SQLite in one file, through one of its drivers. */
export function createSqliteEngine(
  driver: SqliteDriver,
  file: string,
  { patience, log }: EngineParts,
): Engine {
  return {
    dialect: 'sqlite',
    driver: driver.name,
    connect: (role) => {
      const readOnly = role === 'reader';
      const connections = readOnly ? readers : 1;
      return knex({
        ...knexConfig(log),
        client: createSqliteClient({ driver, file, readOnly, patience }),
        connection: { filename: file },
        pool: { min: connections, max: connections },
        useNullAsDefault: true,
      });
    },
    beforeClose: async (writer) => {
      await writer.raw('PRAGMA optimize').catch(() => undefined);
    },
    whyNotOpened: (cause) => whyNotOpened(cause, file),
  };
}

function whyNotOpened(cause: unknown, file: string): unknown {
  if (cause instanceof KernelError) return cause;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (!code.startsWith('SQLITE_')) return cause;
  const why: Readonly<Record<string, string>> = {
    SQLITE_NOTADB: 'is no SQLite database',
    SQLITE_CORRUPT: 'is damaged; restore it from a backup',
    SQLITE_CANTOPEN: 'cannot be opened; the server needs to read and write it and its folder',
    SQLITE_READONLY: 'cannot be written; the server needs to write it and its folder',
  };
  const reason = why[code] ?? `cannot be opened (${code})`;
  const message = `The database file "${path.basename(file)}" ${reason}.`;
  return new KernelError('storage_failed', message, { cause });
}
