/** Programs of the system, found and never shipped. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** Where systems have their programs, beside the folders of `PATH`. */
const usualFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];

/** The real path of a program in these folders, or in the usual ones. */
export function findProgram(name: string, searchPath: string): string | null {
  const found = placeOfProgram(name, searchPath);
  return found === null ? null : programAt(found);
}

/** Where it is, by its name: some programs are links to one that goes by the name of its call. */
export function placeOfProgram(name: string, searchPath: string): string | null {
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const folder of [...folders, ...usualFolders]) {
    const place = path.join(folder, name);
    if (programAt(place) !== null) return place;
  }
  return null;
}

/** The real path of a file that can be run; `null` for anything else. */
export function programAt(file: string): string | null {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() ? realpathSync(file) : null;
  } catch {
    return null;
  }
}
