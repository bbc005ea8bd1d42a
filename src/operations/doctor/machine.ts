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
  if (major === '24') return good(check, `This is Node ${process.versions.node}.`);
  return bad(check, {
    what: `This is Node ${process.versions.node}, but plugins need Node 24.`,
    remedy: 'Start the server with npm start, which installs Node 24.',
  });
}

function memory(): Finding {
  const check = 'memory';
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const shown = `${Math.round(bytes / mebibyte)} MiB`;
  if (bytes >= leastMemory) return good(check, `The server may use ${shown}.`);
  return hint(check, {
    what: `The server may use ${shown}; this is too little for many plugins.`,
    remedy: 'Give the machine or its container 1 GiB.',
  });
}

function user(): Finding | null {
  if (process.getuid === undefined) return null;
  if (process.getuid() !== 0) return good('user', 'It does not run as root.');
  return hint('user', {
    what: 'This command runs as root; a server does not need root rights.',
    remedy: 'Run it as a user of its own, as docs/installing.md shows.',
  });
}

function openFiles(): Finding | null {
  const line = lines('/proc/self/limits').find((one) => one.startsWith('Max open files'));
  const most = Number(line?.split(/\s{2,}/)[1]);
  if (Number.isNaN(most)) return null;
  if (most >= leastFiles) return good('open files', `The server may open ${most} files.`);
  return hint('open files', {
    what: `The server may open ${most} files; clients and watched folders need more.`,
    remedy: `Allow ${leastFiles}: LimitNOFILE=${leastFiles} for systemd, ulimit -n for a shell.`,
  });
}

function watches(): Finding | null {
  const [text = ''] = lines('/proc/sys/fs/inotify/max_user_watches');
  const most = Number(text);
  if (text === '') return null;
  if (most >= leastWatches) return good('watches', `The system watches up to ${most} folders.`);
  return hint('watches', {
    what: `The system watches up to ${most} folders; libraries with more are scanned at intervals.`,
    remedy: 'sysctl fs.inotify.max_user_watches=524288, and the same line in /etc/sysctl.d.',
  });
}

function lines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
