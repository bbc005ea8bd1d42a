/** Checks the machine: Node version, memory, open files, file watches, user. */
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { bad, good, hint, type Finding } from './finding.ts';

const mebibyte = 1024 ** 2;
const leastMemory = 900 * mebibyte;
const leastFiles = 4096;
const leastWatches = 65_536;

/** Checks the machine; values that the system does not provide are left out. */
export function examineMachine(): readonly Finding[] {
  return [engine(), memory(), user(), openFiles(), watches()].filter((found) => found !== null);
}

function engine(): Finding {
  const check = 'Node';
  const [major] = process.versions.node.split('.');
  if (major === '24')
    return good(check, {
      english: `This is Node ${process.versions.node}.`,
      german: `Das ist Node ${process.versions.node}.`,
    });
  return bad(check, {
    what: {
      english: `This is Node ${process.versions.node}, but plugins need Node 24.`,
      german: `Das ist Node ${process.versions.node}, aber Plugins brauchen Node 24.`,
    },
    remedy: {
      english: 'Start the server with npm start, which installs Node 24.',
      german: 'Starten Sie den Server mit npm start; das installiert Node 24.',
    },
  });
}

function memory(): Finding {
  const check = 'memory';
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const shown = `${Math.round(bytes / mebibyte)} MiB`;
  if (bytes >= leastMemory)
    return good(check, {
      english: `The server may use ${shown}.`,
      german: `Der Server darf ${shown} nutzen.`,
    });
  return hint(check, {
    what: {
      english: `The server may use ${shown}; this is too little for many plugins.`,
      german: `Der Server darf ${shown} nutzen; das ist zu wenig für viele Plugins.`,
    },
    remedy: {
      english: 'Give the machine or its container 1 GiB.',
      german: 'Geben Sie der Maschine oder ihrem Container 1 GiB.',
    },
  });
}

function user(): Finding | null {
  if (process.getuid === undefined) return null;
  if (process.getuid() !== 0)
    return good('user', {
      english: 'It does not run as root.',
      german: 'Er läuft nicht als root.',
    });
  return hint('user', {
    what: {
      english: 'This command runs as root; a server does not need root rights.',
      german: 'Dieser Befehl läuft als root; ein Server braucht diese Rechte nicht.',
    },
    remedy: {
      english: 'Run it as a user of its own, as docs/installing.md shows.',
      german: 'Führen Sie ihn als eigener Benutzer aus, wie es docs/installing.md zeigt.',
    },
  });
}

function openFiles(): Finding | null {
  const line = lines('/proc/self/limits').find((one) => one.startsWith('Max open files'));
  const most = Number(line?.split(/\s{2,}/)[1]);
  if (Number.isNaN(most)) return null;
  if (most >= leastFiles)
    return good('open files', {
      english: `The server may open ${most} files.`,
      german: `Der Server darf ${most} Dateien öffnen.`,
    });
  return hint('open files', {
    what: {
      english: `The server may open ${most} files; clients and watched folders need more.`,
      german: `Der Server darf ${most} Dateien öffnen; Geräte und beobachtete Ordner brauchen mehr.`,
    },
    remedy: {
      english: `Allow ${leastFiles}: LimitNOFILE=${leastFiles} for systemd, ulimit -n for a shell.`,
      german: `Erlauben Sie ${leastFiles}: LimitNOFILE=${leastFiles} für systemd, ulimit -n für eine Shell.`,
    },
  });
}

function watches(): Finding | null {
  const [text = ''] = lines('/proc/sys/fs/inotify/max_user_watches');
  const most = Number(text);
  if (text === '') return null;
  if (most >= leastWatches)
    return good('watches', {
      english: `The system watches up to ${most} folders.`,
      german: `Das System beobachtet bis zu ${most} Ordner.`,
    });
  return hint('watches', {
    what: {
      english: `The system watches up to ${most} folders; libraries with more are scanned at intervals.`,
      german: `Das System beobachtet bis zu ${most} Ordner; Bibliotheken mit mehr werden von Zeit zu Zeit gescannt.`,
    },
    remedy: {
      english: 'sysctl fs.inotify.max_user_watches=524288, and the same line in /etc/sysctl.d.',
      german: 'sysctl fs.inotify.max_user_watches=524288, und dieselbe Zeile in /etc/sysctl.d.',
    },
  });
}

function lines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
