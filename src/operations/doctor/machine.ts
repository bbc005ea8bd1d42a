/** Checks the machine: Node version, memory, open files, file watches, user. */
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { Config } from '../../platform/config.ts';
import { bad, good, hint, type Finding } from './finding.ts';
import { say } from '../../platform/text.ts';

const mebibyte = 1024 ** 2;
const leastMemory = 900 * mebibyte;
const leastWatches = 65_536;

/** Checks the machine; values that the system does not provide are left out. */
export function examineMachine({ eventClients }: Pick<Config, 'eventClients'>): readonly Finding[] {
  return [engine(), memory(), user(), openFiles(eventClients), watches()].filter(
    (found) => found !== null,
  );
}

function engine(): Finding {
  const check = 'Node';
  const [major] = process.versions.node.split('.');
  if (major === '24')
    return good(check, say('doctor.thisIsNode', { version: process.versions.node }));
  return bad(check, {
    what: say('doctor.nodeButPluginsNeedNode', { version: process.versions.node }),
    remedy: say('doctor.startServerNpmStartInstalls'),
  });
}

function memory(): Finding {
  const check = 'memory';
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const shown = `${Math.round(bytes / mebibyte)} MiB`;
  if (bytes >= leastMemory) return good(check, say('doctor.serverMayUse', { shown }));
  return hint(check, {
    what: say('doctor.serverMayUseTooLittle', { shown }),
    remedy: say('doctor.giveMachineContainer1Gib'),
  });
}

function user(): Finding | null {
  if (process.getuid === undefined) return null;
  if (process.getuid() !== 0) return good('user', say('doctor.doesNotRunRoot'));
  return hint('user', {
    what: say('doctor.commandRunsRootServerDoes'),
    remedy: say('doctor.runUserOwnDocsInstalling'),
  });
}

function openFiles(eventClients: number): Finding | null {
  // Each client of the events has a connection, and the server needs some for itself.
  const leastFiles = Math.max(4096, eventClients + 500);
  const line = lines('/proc/self/limits').find((one) => one.startsWith('Max open files'));
  const most = Number(line?.split(/\s{2,}/)[1]);
  if (Number.isNaN(most)) return null;
  if (most >= leastFiles) return good('open files', say('doctor.serverMayOpenFiles', { most }));
  return hint('open files', {
    what: say('doctor.serverMayOpenFilesClients', { most }),
    remedy: say('doctor.allowLimitnofileSystemdUlimitN', { leastFiles }),
  });
}

function watches(): Finding | null {
  const [text = ''] = lines('/proc/sys/fs/inotify/max_user_watches');
  const most = Number(text);
  if (text === '') return null;
  if (most >= leastWatches) return good('watches', say('doctor.systemWatchesUpFolders', { most }));
  return hint('watches', {
    what: say('doctor.systemWatchesUpFoldersLibraries', { most }),
    remedy: say('doctor.sysctlFsInotifyMaxUser'),
  });
}

function lines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
