/** Checks the data of the server: the data folder, its keys, the space on its disk, the backups. */
import { accessSync, constants, readdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { backupTime, isBackupName } from '../backups/index.ts';
import type { Config } from '../../platform/config.ts';
import { readSecretFile } from '../../platform/secrets/index.ts';
import { bad, good, hint, type Finding } from './finding.ts';

const mebibyte = 1024 ** 2;
const enoughRoom = 1024 * mebibyte;
const leastRoom = 200 * mebibyte;
const dayMs = 24 * 3_600_000;
const oldestBackupDays = 8;
const keyFiles = ['server.key', 'server-id.key'];

/** Whether the data folder exists; before the first start it does not. */
export const isThere = ({ data }: Pick<Config, 'data'>): boolean =>
  statSync(data, { throwIfNoEntry: false })?.isDirectory() === true;

/** Checks the data on the disk. */
export function examineData(config: Config, now: number): readonly Finding[] {
  return [folder(config), ...keys(config), room(config), backups(config, now)];
}

function folder({ data }: Config): Finding {
  const check = 'data folder';
  try {
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return bad(check, {
      what: `${data} cannot be read and written by this user.`,
      remedy:
        'Run this command as the user of the server, or give that user the folder with chown -R.',
    });
  }
  const mode = statSync(data).mode & 0o777;
  if ((mode & 0o007) === 0 || process.platform === 'win32') return good(check, data);
  return hint(check, {
    what: `${data} is open to every user of the machine (mode ${mode.toString(8)}).`,
    remedy: `chmod 700 ${data}`,
  });
}

function keys({ data }: Config): readonly Finding[] {
  return keyFiles.map((name) => {
    try {
      const text = readSecretFile(path.join(data, name));
      return text === null
        ? hint('keys', { what: `${name} does not exist.`, remedy: 'The next start creates it.' })
        : good('keys', `${name} exists, and only its owner can read it.`);
    } catch (error) {
      return bad('keys', {
        what: error instanceof Error ? error.message : `${name} cannot be read.`,
        remedy: `chmod 600 ${path.join(data, name)}; if other users could read it, see docs/security.md.`,
      });
    }
  });
}

function room({ data }: Config): Finding {
  const { bavail, bsize } = statfsSync(data);
  const free = bavail * bsize;
  const what = `${Math.round(free / mebibyte)} MiB are free on the disk of the data folder.`;
  if (free >= enoughRoom) return good('disk', what);
  const found = {
    what,
    remedy: 'Free some space, or move the data folder to a larger disk (--data).',
  };
  return free < leastRoom ? bad('disk', found) : hint('disk', found);
}

function backups({ backupFolder, backupHours, database }: Config, now: number): Finding {
  const check = 'backups';
  if (!database.startsWith('sqlite:'))
    return good(check, 'PostgreSQL is backed up with its own tools (pg_dump).');
  const newest = Math.max(...backupTimes(backupFolder));
  const days = Math.floor((now - newest) / dayMs);
  if (days <= oldestBackupDays) return good(check, `The newest one is ${days} days old.`);
  return hint(check, {
    what: Number.isFinite(newest)
      ? `The newest backup in ${backupFolder} is ${days} days old.`
      : `There is no backup in ${backupFolder}.`,
    remedy:
      backupHours === 0
        ? 'Let the server make backups (--backup-hours 24), or run vitrine backup create.'
        : 'vitrine backup create makes one now; GET /api/scheduler says why none was made.',
  });
}

function backupTimes(folder: string): readonly number[] {
  try {
    return readdirSync(folder)
      .filter(isBackupName)
      .map((name) => backupTime(name) ?? 0);
  } catch {
    return [];
  }
}
