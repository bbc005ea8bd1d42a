/** Checks the data of the server: the data folder, its keys, the space on its disk, the backups. */
import { readdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { backupTime, hasPostgresPrograms, isBackupName } from '../backups/index.ts';
import { faultOf, writtenFolders } from '../health/index.ts';
import type { Config } from '../../platform/config.ts';
import type { FolderFault, probeFolder } from '../../platform/folder-probe.ts';
import { readSecretFile } from '../../platform/secrets/index.ts';
import { mapText, quoted, type Text, say } from '../../platform/text.ts';
import { bad, good, hint, type Finding } from './finding.ts';

const mebibyte = 1024 ** 2;
const enoughRoom = 1024 * mebibyte;
const leastRoom = 200 * mebibyte;
const dayMs = 24 * 3_600_000;
const oldestBackupDays = 8;
const keyFiles = ['server.key', 'server-id.key'];

/** The remedy for what the server creates by itself. */
export const firstStart: Text = say('doctor.firstStartCreates');

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
      if (fault === null) return name === 'data folder' ? mode(config) : good(name, quoted(place));
      const { message, action } = faultOf(name, fault);
      return bad(name, {
        what: mapText(message, (text) => `${place}: ${text}`),
        remedy: remedyOf(fault, action),
      });
    }),
  );
  return found;
}

const remedyOf = (fault: FolderFault, action: Text): Text =>
  fault === 'no-permission' ? say('doctor.runCommandUserServerGive') : action;

function mode({ data }: Config): Finding {
  const check = 'data folder';
  const bits = statSync(data).mode & 0o777;
  if ((bits & 0o007) === 0 || process.platform === 'win32') return good(check, quoted(data));
  return hint(check, {
    what: say('doctor.openEveryUserMachineMode', { data, mode: bits.toString(8) }),
    remedy: quoted(`chmod 700 ${data}`),
  });
}

function keys(config: Config): readonly Finding[] {
  const { data } = config;
  return keyFiles.map((name) => {
    try {
      const text = readSecretFile(path.join(data, name));
      return text === null
        ? missingKey(name, config)
        : good('keys', say('doctor.existsOnlyOwnerCanRead', { name }));
    } catch (error) {
      return bad('keys', {
        what:
          error instanceof Error ? quoted(error.message) : say('doctor.keyCannotBeRead', { name }),
        remedy: say('doctor.closeKeyFile', { file: path.join(data, name) }),
      });
    }
  });
}

/** A new key opens nothing that was sealed with the one before. */
function missingKey(name: string, { database }: Config): Finding {
  const file = database.startsWith('sqlite:') ? database.slice('sqlite:'.length) : null;
  const isNew = file !== null && statSync(file, { throwIfNoEntry: false }) === undefined;
  if (isNew)
    return hint('keys', {
      what: say('doctor.placeDoesNotExist', { name }),
      remedy: firstStart,
    });
  return bad('keys', {
    what: say('doctor.doesNotExistButDatabase', { name }),
    remedy: say('doctor.putFileBackBackupKeys'),
  });
}

function room({ data }: Config): Finding {
  const { bavail, bsize } = statfsSync(data);
  const free = bavail * bsize;
  const size = Math.round(free / mebibyte);
  const what = say('doctor.mibFreeDiskDataFolder', { size });
  if (free >= enoughRoom) return good('disk', what);
  const found = {
    what,
    remedy: say('doctor.freeSomeSpaceMoveData'),
  };
  return free < leastRoom ? bad('disk', found) : hint('disk', found);
}

function backups(config: Config, now: number): Finding {
  const { backupFolder, backupHours, database, backupElsewhere, searchPath } = config;
  const check = 'backups';
  if (!database.startsWith('sqlite:') && backupElsewhere === 'on')
    return good(check, say('doctor.postgresqlBackedUpElsewhere'));
  if (!database.startsWith('sqlite:') && !hasPostgresPrograms(searchPath))
    return bad(check, {
      what: say('backups.pgDumpIsMissing'),
      remedy: say('backups.installPgDump'),
    });
  const newest = Math.max(...backupTimes(backupFolder));
  const days = Math.floor((now - newest) / dayMs);
  if (days <= oldestBackupDays) return good(check, say('doctor.newestOneDaysOld', { days }));
  return hint(check, {
    what: Number.isFinite(newest)
      ? say('doctor.newestBackupDaysOld', { backupFolder, days })
      : say('doctor.noBackup', { backupFolder }),
    remedy:
      backupHours === 0
        ? say('doctor.letServerMakeBackupsBackup')
        : say('doctor.vitrineBackupCreateMakesOne'),
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
