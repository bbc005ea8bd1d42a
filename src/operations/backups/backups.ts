/**
 * Backups: one file each, created while the server runs, and verified before it counts as a backup.
 * It contains a snapshot of the database, plugins and settings. The keys of the server are included
 * only on request, because their holder can impersonate this server.
 */
import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { requestOrigin, type RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { backupTime, isBackupName, slugOf, type BackupKeys } from './backup.ts';
import { BackupError } from './backup-error.ts';
import { copiedDatabase } from './copied-database.ts';
import type { WantedRestore } from './carry-over.ts';
import { onDisk } from './disk-failure.ts';
import { makeBackup } from './make-backup.ts';
import type { StagedRestore } from './restore.ts';
import type { Backup } from '../../contract/resources/operations/backups.ts';

export interface NewBackup {
  /** A few words for its file name. */
  readonly label?: string | undefined;
  /** Includes the keys of the server as they are: for a move to another machine. */
  readonly keys?: boolean | undefined;
}

/** The backups of this server. */
export type Backups = ReturnType<typeof createBackups>;

export interface BackupsParts {
  readonly database: Database;
  readonly databaseUrl: string;
  /** Folders of programs, as `PATH` has them. */
  readonly searchPath: string;
  readonly dataFolder: string;
  /** The folder of the backups. */
  readonly folder: string;
  /** The number of scheduled ones to keep. */
  readonly kept: number;
  /** The passphrase under which backups hold the keys; `null` = without keys. */
  readonly passphrase: () => string | null;
  readonly serverVersion: string;
  /** Unpacks a backup into a folder of its own. */
  readonly stage: (file: string) => Promise<StagedRestore>;
  /** Stops the server, and starts it with the unpacked data. */
  readonly restart: (wanted: WantedRestore) => void;
  readonly audit: RecordAudit;
  /** Hears of each backup that is there, or no longer there. */
  readonly changed: (change: 'made' | 'removed') => void;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

const scheduledLabel = 'scheduled';

/** Creates the backups over a folder. */
export function createBackups(parts: BackupsParts) {
  const { database, dataFolder, folder, kept, audit, changed, clock, log } = parts;
  let isWorking = false;

  /** A lock: two backups would copy the same database at the same time. */
  async function exclusively<T>(work: () => Promise<T>): Promise<T> {
    if (isWorking)
      throw new AppError('conflict', { what: 'Another backup or restore is in progress.' });
    isWorking = true;
    try {
      return await work();
    } finally {
      isWorking = false;
    }
  }

  const note = (
    action: string,
    id: string,
    viewer: Viewer | null,
    details: Readonly<Record<string, boolean | number>> = {},
  ) =>
    database.write((trx) =>
      audit(trx, {
        actor: viewer ?? 'server',
        action,
        change: 'event',
        target: { type: 'backup', id },
        details,
      }),
    );

  const fileOf = ({ filename }: Pick<Backup, 'filename'>): string => path.join(folder, filename);

  /** A folder that cannot be read is told; it must not seem to be empty. */
  const onPlace = <T>(work: () => Promise<T>): Promise<T> =>
    asRefusal(() => onDisk(`backup folder ${folder}`, work));

  async function look(filename: string): Promise<Backup | null> {
    const file = fileOf({ filename });
    const found = await onPlace(() => stat(file).catch(nullIfAbsent));
    const atMs = backupTime(filename);
    if (!found?.isFile() || atMs === null) return null;
    const within = path.relative(dataFolder, file);
    const shown = within.startsWith('..') ? file : within;
    return { filename, path: shown, sizeBytes: found.size, createdAt: toTimestamp(atMs) };
  }

  async function find(filename: string): Promise<Backup> {
    const found = isBackupName(filename) ? await look(filename) : null;
    if (found === null) throw new AppError('not_found', { what: `The backup ${filename}` });
    return found;
  }

  /** Newest first. */
  const list = async (): Promise<readonly Backup[]> => {
    const names = await onPlace(() => readdir(folder).catch(nullIfAbsent));
    const found = await Promise.all((names ?? []).filter(isBackupName).map(look));
    return found
      .flatMap((one) => one ?? [])
      .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  };

  function keysFor(isPlain: boolean): BackupKeys {
    if (isPlain) return 'plain';
    const passphrase = parts.passphrase();
    return passphrase === null ? 'none' : { passphrase };
  }

  async function make(label: string | null, keys: BackupKeys): Promise<Backup> {
    const { databaseUrl: url, searchPath, serverVersion } = parts;
    const source = copiedDatabase({ url, read: database.read, searchPath, log });
    const how = { dataFolder, folder, serverVersion, nowMs: clock.now() };
    return find(await makeBackup(label, keys, { ...how, database: source }));
  }

  const create = async ({ label, keys = false }: NewBackup, viewer: Viewer): Promise<Backup> => {
    if (label !== undefined && slugOf(label) === '')
      throw new AppError('invalid_request', {
        what: 'body.label must contain a letter a-z or a digit: it is used in the file name.',
      });
    const backup = await exclusively(() => asRefusal(() => make(label ?? null, keysFor(keys))));
    const { filename, sizeBytes } = backup;
    await note('backup.created', filename, viewer, { keys, sizeBytes });
    changed('made');
    return backup;
  };

  /** Creates a scheduled one; the oldest scheduled ones above the maximum are removed. */
  const createScheduled = async (): Promise<Backup> => {
    const backup = await exclusively(() => asRefusal(() => make(scheduledLabel, keysFor(false))));
    const { filename, sizeBytes } = backup;
    await note('backup.created', filename, null, { sizeBytes });
    const others = (await list()).filter(
      (one) => one.filename.endsWith(`-${scheduledLabel}.vbackup`) && one.filename !== filename,
    );
    // One that was made while the clock was ahead seems newer than this one, which is kept anyway.
    for (const old of others.slice(kept - 1)) {
      await rm(fileOf(old), { force: true });
      log.info({ backup: old.filename }, 'An old scheduled backup was removed.');
    }
    changed('made');
    return backup;
  };

  return {
    list,
    create,
    createScheduled,
    /** The bytes of one. */
    open: async (
      filename: string,
      viewer: Viewer,
    ): Promise<{ readonly backup: Backup; readonly body: Readable }> => {
      // A backup contains the secrets of all users, which a read-only key may not read anywhere
      // else.
      if (viewer.isReadOnly)
        throw new AppError('read_only_key', { method: 'downloading a backup' });
      const backup = await find(filename);
      await note('backup.downloaded', filename, viewer);
      return { backup, body: createReadStream(fileOf(backup)) };
    },
    remove: async (filename: string, viewer: Viewer): Promise<void> => {
      const backup = await find(filename);
      await note('backup.removed', filename, viewer);
      await onPlace(() => rm(fileOf(backup), { force: true }));
      changed('removed');
    },
    /**
     * Verifies it and unpacks it; the server then stops and restarts with it. Rejects with 422 and
     * the reason when it cannot be used; then nothing is changed.
     */
    restore: async (filename: string, viewer: Viewer): Promise<Backup> => {
      const backup = await find(filename);
      assertRestorable(parts.databaseUrl);
      await exclusively(async () => {
        const staged = await asRefusal(() => parts.stage(fileOf(backup)));
        await note('backup.restoring', filename, viewer);
        const { userId: by } = viewer;
        const address = requestOrigin()?.address ?? null;
        parts.restart({ staged, filename, actor: viewer, by, address });
      });
      return backup;
    },
  };
}

function nullIfAbsent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}

/** Turns a failure of a backup into a refusal with its message. */
async function asRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupError) throw new AppError('backup_refused', { why: error.message });
    throw error;
  }
}

function assertRestorable(url: string): void {
  if (url.startsWith('sqlite:')) return;
  throw new AppError('backup_refused', {
    why: 'A database of PostgreSQL is restored while no server uses it: stop all servers, and run "vitrine backup restore".',
  });
}
