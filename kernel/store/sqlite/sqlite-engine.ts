import path from 'node:path';
import knex from 'knex';
import { KernelError } from '../../errors.ts';
import { knexConfig, type Engine, type EngineParts } from '../engine.ts';
import { makeMigrationBackup } from '../migration-backups.ts';
import type { SqliteDriver } from './driver.ts';
import { createFailedDisk, type ProbeFolder } from './failed-disk.ts';
import { createSqliteClient } from './knex-client.ts';

/** The most reads at a time. */
const readers = 4;

/** SQLite in one file, through one of its drivers. */
export function createSqliteEngine(
  driver: SqliteDriver,
  file: string,
  { patience, log, probeFolder }: EngineParts & { readonly probeFolder?: ProbeFolder },
): Engine {
  const onFault = (error: KernelError): void =>
    log.error({ code: error.code, err: error.cause }, error.message);
  const explain = createFailedDisk({
    folder: path.dirname(file),
    ...(probeFolder && { probeFolder }),
    now: patience.now,
  });
  return {
    dialect: 'sqlite',
    shared: null,
    driver: driver.name,
    connect: (role) => {
      const readOnly = role === 'reader';
      const connections = readOnly ? readers : 1;
      return knex({
        ...knexConfig(log),
        client: createSqliteClient({ driver, file, readOnly, patience, explain, onFault }),
        connection: { filename: file },
        pool: { min: 1, max: connections },
        useNullAsDefault: true,
      });
    },
    beforeClose: async () => undefined,
    makeMigrationBackup: (read, now) => makeMigrationBackup(read, file, now),
    whyNotOpened: (cause) => whyNotOpened(cause, file),
  };
}

/** The error for the operator; a lock that stayed has its own error. */
function whyNotOpened(cause: unknown, file: string): unknown {
  const origin = cause instanceof KernelError && cause.cause !== undefined ? cause.cause : cause;
  const code = origin instanceof Error && 'code' in origin ? String(origin.code) : '';
  const [, name] = /^SQLITE_([A-Z]+)/.exec(code) ?? [];
  if (name === undefined || name === 'BUSY' || name === 'LOCKED') return cause;
  const reason = reasons[name] ?? `cannot be opened (${code})`;
  const message = `The database file "${path.basename(file)}" ${reason}.`;
  return new KernelError('storage_failed', message, { cause: origin });
}

const reasons: Readonly<Record<string, string>> = {
  NOTADB: 'is not an SQLite database',
  CORRUPT: 'is damaged; restore it from a backup',
  CANTOPEN: 'cannot be opened; the server needs to read and write it and its folder',
  READONLY: 'cannot be written; the server needs to write it and its folder',
  FULL: 'cannot be written: its disk is full',
};
