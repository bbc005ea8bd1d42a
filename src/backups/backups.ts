/**
 * Backups: one file each, made while everything goes on, and read back whole before it is called one.
 * The database is copied as it is at one moment; beside it go plugins and settings, and the keys of
 * the server when that is asked for, since whoever has those can be this server.
 */
import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Database, Log } from '../../kernel/index.ts';
import type { Viewer } from '../accounts/index.ts';
import { requestOrigin, type RecordAudit } from '../audit/index.ts';
import { toTimestamp, type Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { backupTime, isBackupName, slugOf, type Backup } from './backup.ts';
import { BackupError } from './backup-error.ts';
import type { WantedRestore } from './carry-over.ts';
import { makeBackup } from './make-backup.ts';
import type { StagedRestore } from './restore.ts';

/** What a new backup may be told. */
export interface NewBackup {
  /** A few words that stand in its name. */
  readonly label?: string | undefined;
  /** With the keys of the server: for a move to another machine. */
  readonly keys?: boolean | undefined;
}

/** The backups of this server. */
export interface Backups {
  /** The newest first. */
  readonly list: () => Promise<readonly Backup[]>;
  readonly create: (wanted: NewBackup, viewer: Viewer) => Promise<Backup>;
  /** The bytes of one. */
  readonly open: (
    filename: string,
    viewer: Viewer,
  ) => Promise<{ readonly backup: Backup; readonly body: Readable }>;
  readonly remove: (filename: string, viewer: Viewer) => Promise<void>;
  /**
   * Checks it whole, and readies what is in it; the server then ends and starts again with it.
   * 422 with the reason when it cannot be used; nothing is changed then.
   */
  readonly restore: (filename: string, viewer: Viewer) => Promise<Backup>;
  /** One of the scheduled ones; the oldest of those that are too many go. */
  readonly createScheduled: () => Promise<void>;
}

/** What backups are made of. */
export interface BackupsParts {
  readonly database: Database;
  /** Of the database; only one in a file can be copied. */
  readonly databaseUrl: string;
  readonly dataFolder: string;
  /** Where backups are kept. */
  readonly folder: string;
  /** How many scheduled ones are kept. */
  readonly kept: number;
  readonly serverVersion: string;
  /** Makes ready what a backup holds, in a folder of its own. */
  readonly stage: (file: string) => Promise<StagedRestore>;
  /** Ends the server, and starts it with what was staged. */
  readonly restart: (wanted: WantedRestore) => void;
  readonly audit: RecordAudit;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

const scheduledLabel = 'scheduled';

/** Creates the backups over a folder. */
export function createBackups(parts: BackupsParts): Backups {
  const { database, dataFolder, folder, kept, audit, clock, log } = parts;
  let isWorking = false;

  /** One at a time: two would copy the same database beside each other. */
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    if (isWorking)
      throw new AppError('conflict', { what: 'Another backup or restore is at work.' });
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
      audit(trx, { actor: viewer ?? 'server', action, target: { type: 'backup', id }, details }),
    );

  const fileOf = ({ filename }: Pick<Backup, 'filename'>): string => path.join(folder, filename);

  async function look(filename: string): Promise<Backup | null> {
    const file = fileOf({ filename });
    const found = await stat(file).catch(() => null);
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

  const list: Backups['list'] = async () => {
    const names = await readdir(folder).catch(() => []);
    const found = await Promise.all(names.filter(isBackupName).map(look));
    return found
      .flatMap((one) => one ?? [])
      .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  };

  async function make(label: string | null, withKeys: boolean): Promise<Backup> {
    const { databaseUrl, serverVersion } = parts;
    const databaseFile = databaseFileOf(databaseUrl);
    const { read } = database;
    const nowMs = clock.now();
    const how = { read, databaseFile, dataFolder, folder, serverVersion, nowMs, log };
    return find(await makeBackup(label, withKeys, how));
  }

  const create: Backups['create'] = async ({ label, keys = false }, viewer) => {
    if (label !== undefined && slugOf(label) === '')
      throw new AppError('invalid_request', {
        what: 'body.label must have a letter a-z or a digit: it stands in the name of the file.',
      });
    const backup = await alone(() => inWords(() => make(label ?? null, keys)));
    const { filename, sizeBytes } = backup;
    await note('backup.created', filename, viewer, { keys, sizeBytes });
    return backup;
  };

  const createScheduled: Backups['createScheduled'] = async () => {
    const { filename, sizeBytes } = await alone(() => inWords(() => make(scheduledLabel, false)));
    await note('backup.created', filename, null, { sizeBytes });
    const others = (await list()).filter(
      (one) => one.filename.endsWith(`-${scheduledLabel}.vbackup`) && one.filename !== filename,
    );
    // One that was made while the clock was ahead seems newer than this one, which stays all the same.
    for (const old of others.slice(kept - 1)) {
      await rm(fileOf(old), { force: true });
      log.info({ backup: old.filename }, 'An old scheduled backup was removed.');
    }
  };

  return {
    list,
    create,
    createScheduled,
    open: async (filename, viewer) => {
      // It holds the secrets of everybody: more than such a key may read anywhere else.
      if (viewer.isReadOnly) throw new AppError('read_only_key', { method: 'fetching a backup' });
      const backup = await find(filename);
      await note('backup.downloaded', filename, viewer);
      return { backup, body: createReadStream(fileOf(backup)) };
    },
    remove: async (filename, viewer) => {
      const backup = await find(filename);
      await note('backup.removed', filename, viewer);
      await rm(fileOf(backup), { force: true });
    },
    restore: async (filename, viewer) => {
      const backup = await find(filename);
      databaseFileOf(parts.databaseUrl);
      await alone(async () => {
        const staged = await inWords(() => parts.stage(fileOf(backup)));
        await note('backup.restoring', filename, viewer);
        const { userId: by } = viewer;
        const address = requestOrigin()?.address ?? null;
        parts.restart({ staged, filename, actor: viewer, by, address });
      });
      return backup;
    },
  };
}

/** What a backup cannot do is said to the admin in its own words. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupError) throw new AppError('backup_refused', { why: error.message });
    throw error;
  }
}

function databaseFileOf(url: string): string {
  if (url.startsWith('sqlite:')) return url.slice('sqlite:'.length);
  throw new AppError('backup_refused', {
    why: 'This server keeps its data in PostgreSQL: back that up with pg_dump, and this folder with it.',
  });
}
