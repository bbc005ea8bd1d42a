/** Checks the data of the server: the data folder, its keys, the space on its disk, the backups. */
import { readdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { backupTime, isBackupName } from '../backups/index.ts';
import { faultOf, writtenFolders } from '../health/index.ts';
import type { Config } from '../../platform/config.ts';
import type { FolderFault, probeFolder } from '../../platform/folder-probe.ts';
import { readSecretFile } from '../../platform/secrets/index.ts';
import { mapText, quoted, type Text } from '../../platform/text.ts';
import { bad, good, hint, type Finding } from './finding.ts';

const mebibyte = 1024 ** 2;
const enoughRoom = 1024 * mebibyte;
const leastRoom = 200 * mebibyte;
const dayMs = 24 * 3_600_000;
const oldestBackupDays = 8;
const keyFiles = ['server.key', 'server-id.key'];

/** The remedy for what the server creates by itself. */
export const firstStart: Text = {
  english: 'The first start creates it.',
  german: 'Das legt der erste Start an.',
};

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
  fault === 'no-permission'
    ? {
        english:
          'Run this command as the user of the server, or give that user the folder with chown -R.',
        german:
          'Führen Sie diesen Befehl als der Benutzer des Servers aus, oder geben Sie diesem den Ordner mit chown -R.',
      }
    : action;

function mode({ data }: Config): Finding {
  const check = 'data folder';
  const bits = statSync(data).mode & 0o777;
  if ((bits & 0o007) === 0 || process.platform === 'win32') return good(check, quoted(data));
  return hint(check, {
    what: {
      english: `${data} is open to every user of the machine (mode ${bits.toString(8)}).`,
      german: `${data} ist für jeden Benutzer der Maschine offen (Modus ${bits.toString(8)}).`,
    },
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
        : good('keys', {
            english: `${name} exists, and only its owner can read it.`,
            german: `${name} ist da, und nur sein Eigentümer kann ihn lesen.`,
          });
    } catch (error) {
      return bad('keys', {
        what:
          error instanceof Error
            ? quoted(error.message)
            : {
                english: `${name} cannot be read.`,
                german: `${name} lässt sich nicht lesen.`,
              },
        remedy: {
          english: `chmod 600 ${path.join(data, name)}; if other users could read it, see docs/security.md.`,
          german: `chmod 600 ${path.join(data, name)}; konnten ihn andere Benutzer lesen, siehe docs/security.md.`,
        },
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
      what: {
        english: `${name} does not exist.`,
        german: `${name} gibt es noch nicht.`,
      },
      remedy: firstStart,
    });
  return bad('keys', {
    what: {
      english: `${name} does not exist, but a database does: its secrets cannot be opened.`,
      german: `${name} fehlt, aber es gibt eine Datenbank: Ihre Geheimnisse lassen sich nicht öffnen.`,
    },
    remedy: {
      english:
        'Put the file back from a backup with keys. The next start creates a new one; then the license key and the secrets of plugins must be entered again.',
      german:
        'Legen Sie die Datei aus einer Sicherung mit Schlüsseln zurück. Der nächste Start erzeugt eine neue; dann müssen der Lizenzschlüssel und die Geheimnisse der Plugins noch einmal eingegeben werden.',
    },
  });
}

function room({ data }: Config): Finding {
  const { bavail, bsize } = statfsSync(data);
  const free = bavail * bsize;
  const size = Math.round(free / mebibyte);
  const what = {
    english: `${size} MiB are free on the disk of the data folder.`,
    german: `${size} MiB sind auf der Platte des Datenordners frei.`,
  };
  if (free >= enoughRoom) return good('disk', what);
  const found = {
    what,
    remedy: {
      english: 'Free some space, or move the data folder to a larger disk (--data).',
      german:
        'Schaffen Sie Platz, oder verlegen Sie den Datenordner auf eine größere Platte (--data).',
    },
  };
  return free < leastRoom ? bad('disk', found) : hint('disk', found);
}

function backups({ backupFolder, backupHours, database }: Config, now: number): Finding {
  const check = 'backups';
  if (!database.startsWith('sqlite:'))
    return good(check, {
      english: 'PostgreSQL is backed up with its own tools (pg_dump).',
      german: 'PostgreSQL sichert man mit seinen eigenen Werkzeugen (pg_dump).',
    });
  const newest = Math.max(...backupTimes(backupFolder));
  const days = Math.floor((now - newest) / dayMs);
  if (days <= oldestBackupDays)
    return good(check, {
      english: `The newest one is ${days} days old.`,
      german: `Die neueste ist ${days} Tage alt.`,
    });
  return hint(check, {
    what: Number.isFinite(newest)
      ? {
          english: `The newest backup in ${backupFolder} is ${days} days old.`,
          german: `Die neueste Sicherung in ${backupFolder} ist ${days} Tage alt.`,
        }
      : {
          english: `There is no backup in ${backupFolder}.`,
          german: `In ${backupFolder} ist keine Sicherung.`,
        },
    remedy:
      backupHours === 0
        ? {
            english:
              'Let the server make backups (--backup-hours 24), or run vitrine backup create.',
            german:
              'Lassen Sie den Server sichern (--backup-hours 24), oder führen Sie vitrine backup create aus.',
          }
        : {
            english:
              'vitrine backup create makes one now; Manage, Settings says why none was made.',
            german:
              'vitrine backup create erstellt jetzt eine; Verwalten, Einstellungen sagt, warum keine entstand.',
          },
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
