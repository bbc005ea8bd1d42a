/**
 * The files of the server are for its user alone: the database holds hashes of passwords and sealed
 * secrets. So new files get no rights for others, and wider rights of what exists are taken back.
 */
import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';

const others = 0o077;
const sticky = 0o1000;

/** From now on all files and folders that this process makes are for its user alone. */
export function makeNewFilesPrivate(): void {
  // A thread cannot change it; the main thread does so for all.
  if (isMainThread) process.umask(others);
}

/**
 * Takes the rights of other users from the folder and from the files in it. Gives a sentence for each
 * change and for what this user cannot change. Key files are not changed: one that others could read
 * is refused (`secret-file.ts`).
 */
export function makePrivate(folder: string): readonly string[] {
  if (process.platform === 'win32') return [];
  const told: string[] = [];
  const before = lstatSync(folder).mode & 0o777;
  const isClosed = closed(folder);
  if (isClosed && (before & others) !== 0)
    told.push(
      `The data folder ${folder} was open to other users (mode ${before.toString(8)}); now it is open to its owner only.`,
    );
  if (!isClosed)
    told.push(
      `The data folder ${folder} is open to other users (mode ${before.toString(8)}) and this user cannot change that: as root, run "chown ${process.getuid?.() ?? ''} ${folder}" and "chmod 700 ${folder}".`,
    );
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.endsWith('.key'),
  );
  const open = files.filter(({ name }) => !closed(path.join(folder, name)));
  if (!isClosed && open.length > 0)
    told.push(
      `Other users can read ${open.map(({ name }) => name).join(', ')} in ${folder}, and this user cannot change that.`,
    );
  return told;
}

/** Takes the rights of other users; false = this user cannot. */
function closed(file: string): boolean {
  const before = lstatSync(file, { throwIfNoEntry: false });
  if (before === undefined || (before.mode & others) === 0) return true;
  // A folder that all users share, such as /tmp, stays one.
  if (!isOwn(before) || (before.mode & sticky) !== 0) return false;
  try {
    chmodSync(file, before.mode & 0o700);
  } catch {
    return false;
  }
  return (lstatSync(file).mode & others) === 0;
}

function isOwn({ uid }: Stats): boolean {
  const user = process.getuid?.();
  return user === 0 || user === uid;
}
