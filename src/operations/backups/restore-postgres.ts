/**
 * Restores a backup of PostgreSQL, while no server uses the database. A copy of what it replaces is
 * made first. The tables change all at once or not at all; if they do not, the files of the data
 * folder change back.
 */
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { openReadOnly } from '../../../kernel/store/index.ts';
import { BackupError } from './backup-error.ts';
import { serversOn } from './backup-store.ts';
import { carryFrom, type CarryOverParts, type WantedRestore } from './carry-over.ts';
import { dumpPostgres, restoreDump, type PostgresPlace } from './postgres-programs.ts';
import { acceptRestore, swapIn, takeBack } from './restore.ts';

export interface RestorePostgresParts extends Omit<CarryOverParts, 'databaseFile'> {
  readonly dataFolder: string;
  readonly place: PostgresPlace;
}

/** Applies it; returns the folder with what it replaced. */
export async function restorePostgres(
  wanted: WantedRestore,
  parts: RestorePostgresParts,
): Promise<string> {
  const { dataFolder, place, now, log } = parts;
  const { url } = place;
  const storage = await openReadOnly({ url, log });
  try {
    const servers = await serversOn(storage.read);
    if (servers > 0)
      throw new BackupError(
        `${servers} server${servers === 1 ? ' uses' : 's use'} the database: stop all servers first.`,
      );
  } finally {
    await storage.close();
  }
  const before = path.join(wanted.staged.folder, 'before.pgdump');
  await dumpPostgres(place, before);
  const stamp = new Date(now()).toISOString().replace(/[-:.]/g, '');
  const kept = path.join(dataFolder, `before-restore-${stamp}`);
  await mkdir(kept, { recursive: true, mode: 0o700 });
  await rename(before, path.join(kept, 'database.pgdump'));
  const dump = path.join(kept, 'restored.pgdump');
  await rename(path.join(wanted.staged.folder, 'database.pgdump'), dump);
  // The files swap as those of SQLite do; there is no database among them.
  const databaseFile = path.join(dataFolder, 'no-database');
  await swapIn(wanted.staged, { dataFolder, databaseFile, nowMs: now() + 1 });
  try {
    await restoreDump(place, dump);
  } catch (error) {
    await takeBack(dataFolder);
    throw error;
  }
  await acceptRestore(dataFolder);
  await rm(dump);
  await carryFrom(null, wanted, { ...parts, url });
  return kept;
}
