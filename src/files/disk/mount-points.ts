import { readFileSync } from 'node:fs';
import { isWithin, toBytePath, type BytePath } from './disk-path.ts';

const tableOfMounts = '/proc/self/mountinfo';
const mostMounts = 100;

/**
 * Folders below this one on which another file system is mounted; empty if the system does not
 * tell.
 */
export function mountPointsBelow(folder: BytePath): readonly BytePath[] {
  return mountPointsIn(readTable(), folder);
}

/** The same from the text of the system's table, whose fifth field is the mount point. */
export function mountPointsIn(table: Buffer, folder: BytePath): readonly BytePath[] {
  const lines = toBytePath(table).split('\n');
  const found = lines.flatMap((line) => {
    const field = line.split(' ')[4];
    if (field === undefined) return [];
    const point = unescape(field);
    return point !== folder && isWithin(point, folder) ? [point] : [];
  });
  return [...new Set(found)].sort().slice(0, mostMounts);
}

/** Blanks, tabs, line feeds and backslashes are escaped as three octal digits. */
function unescape(field: string): BytePath {
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

function readTable(): Buffer {
  try {
    return readFileSync(tableOfMounts);
  } catch {
    return Buffer.alloc(0);
  }
}
