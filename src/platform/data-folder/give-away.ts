import { chownSync, lstatSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Gives a file or folder that root made, with all that is in it, to the owner of the data folder: the
 * server could not use it otherwise. Other users own what they make.
 */
export function giveToOwnerOf(dataFolder: string, made: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataFolder);
  const found = lstatSync(made, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink()) return;
  if (found.uid !== uid || found.gid !== gid) chownSync(made, uid, gid);
  if (found.isDirectory())
    for (const name of readdirSync(made)) giveToOwnerOf(dataFolder, path.join(made, name));
}
