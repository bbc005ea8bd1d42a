/** Checks the data of the server: the data folder, its keys, the space on its disk, the backups. */
import { readdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { backupTime, isBackupName } from '../backups/index.ts';
import { faultOf, writtenFolders } from '../health/index.ts';
import type { Config } from '../../platform/config.ts';
import type { FolderFault, probeFolder } from '../../platform/folder-probe.ts';
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
export async function examineData(
  config: Config,
  now: number,
  probe: typeof probeFolder,
): Promise<readonly Finding[]> {
  return [...(await folders(config, probe)), ...keys(config), room(config), backups(config, now)];
}

/** The folders that the server writes; each is tried, since rights do not tell of a disk that fails. */
async function folders(config: Config, probe: typeof probeFolder): Promise<readonly Finding[]> {
  const found = await Promise.all(
    writtenFolders(config).map(async ({ name, path: place }) => {
      const fault = await probe(place);
      if (fault === null) return name === 'data folder' ? mode(config) : good(name, place);
      const { message, action } = faultOf(name, fault);
      return bad(name, { what: `${place}: ${message}`, remedy: remedyOf(fault, action) });
    }),
  );
  return found;
}

const remedyOf = (fault: FolderFault, action: string): string =>
  fault === 'no-permission'
    ? 'Run this command as the user of the server, or give that user the folder with chown -R.'
    : action;

function mode({ data }: Config): Finding {
  const check = 'data folder';
  const bits = statSync(data).mode & 0o777;
  if ((bits & 0o007) === 0 || process.platform === 'win32') return good(check, data);
  return hint(check, {
    what: `${data} is open to every user of the machine (mode ${bits.toString(8)}).`,
    remedy: `chmod 700 ${data}`,
  });
}

function keys(config: Config): readonly Finding[] {
  const { data } = config;
  return keyFiles.map((name) => {
    try {
      const text = readSecretFile(path.join(data, name));
      return text === null
        ? missingKey(name, config)
        : good('keys', `${name} exists, and only its owner can read it.`);
    } catch (error) {
      return bad('keys', {
        what: error instanceof Error ? error.message : `${name} cannot be read.`,
        remedy: `chmod 600 ${path.join(data, name)}; if other users could read it, see docs/security.md.`,
      });
    }
  });
}

/** A new key opens nothing that was sealed with the one before. */
function missingKey(name: string, { database }: Config): Finding {
  const file = database.startsWith('sqlite:') ? database.slice('sqlite:'.length) : null;
  const isNew = file !== null && statSync(file, { throwIfNoEntry: false }) === undefined;
  if (isNew)
    return hint('keys', { what: `${name} does not exist.`, remedy: 'The first start creates it.' });
  return bad('keys', {
    what: `${name} does not exist, but a database does: its secrets cannot be opened.`,
    remedy:
      'Put the file back from a backup with keys. The next start creates a new one; then the license key and the secrets of plugins must be entered again.',
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
        : 'vitrine backup create makes one now; Manage, Settings says why none was made.',
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
