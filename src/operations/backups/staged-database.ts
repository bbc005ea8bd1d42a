/** The database of an unpacked backup, before it takes the place of the server's. */
import { rm } from 'node:fs/promises';
import type { Log } from '../../../kernel/index.ts';
import {
  openStorage,
  schemaFault,
  type MigrationSet,
  type Queries,
} from '../../../kernel/store/index.ts';
import { BackupError } from './backup-error.ts';
import { databaseFault } from './backup-store.ts';
import { isDiskFailure } from './disk-failure.ts';

interface DatabaseParts {
  readonly migrations: readonly MigrationSet[];
  readonly appVersion?: string | undefined;
  readonly log: Log;
}

/** Detects a damaged or newer database, or one with tables of another hand before the swap, and migrates an older one. */
export async function bringUpToDate(
  file: string,
  { migrations, appVersion, log }: DatabaseParts,
): Promise<void> {
  try {
    const storage = await openStorage({
      url: `sqlite:${file}`,
      migrations,
      appVersion,
      acceptsNewer: false,
      log,
    });
    try {
      const fault = await databaseFault(storage.database.read);
      if (fault !== null) throw new BackupError(`Its database is damaged: ${fault}.`);
      await assertTables(storage.database.read, `${file}.made`, { migrations, log });
    } finally {
      await storage.close();
    }
  } catch (error) {
    if (error instanceof BackupError || isDiskFailure(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new BackupError(`Its database cannot be used: ${why}`);
  }
}

/** Refuses tables, triggers and views that the migrations of this version do not make. */
async function assertTables(
  read: Queries,
  file: string,
  parts: Pick<DatabaseParts, 'migrations' | 'log'>,
): Promise<void> {
  const made = await openStorage({ url: `sqlite:${file}`, ...parts });
  try {
    const fault = await schemaFault(read, made.database.read);
    if (fault !== null) throw new BackupError(`Its database ${fault}.`);
  } finally {
    await made.close();
    for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
  }
}
