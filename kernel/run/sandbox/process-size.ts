import { closeSync, openSync, readSync } from 'node:fs';

const pageBytes = 4096;

/**
 * The size of a process, from the system. The file stays open: it belongs to that process, even if
 * its pid is reused. 0 when there is no such file, or the process is gone.
 */
export function openSize(pid: number | undefined): {
  readonly bytes: () => number;
  readonly close: () => void;
} {
  const buffer = Buffer.alloc(128);
  let file = openOrNull(`/proc/${pid ?? 0}/statm`);
  return {
    bytes: () => {
      try {
        if (file === null) return 0;
        const length = readSync(file, buffer, 0, buffer.length, 0);
        return Number(buffer.toString('latin1', 0, length).split(' ')[1]) * pageBytes;
      } catch {
        return 0;
      }
    },
    close: () => {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}
