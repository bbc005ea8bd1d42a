import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { HostFiles } from './launch.ts';

/** The files that a plugin host can see, read-only, in its own view of the disk. */
export interface VisibleFiles {
  readonly files: readonly string[];
  /** The folders of the libraries among them, for the loader. */
  readonly libraryFolders: readonly string[];
}

const usualFolders = ['/lib64', '/lib', '/usr/lib64', '/usr/lib'];

/**
 * Node, its libraries, and the two files of the host. The libraries are those that this process has
 * loaded, under each name by which a program may request them.
 */
export function visibleFiles(
  nodePath: string,
  { hostScript, engineFile }: HostFiles,
): VisibleFiles {
  const libraries = loadedLibraries();
  const folders = new Set(libraries.map((file) => path.dirname(file)));
  const named = libraries.flatMap((file) => namesOf(file, new Set([...folders, ...usualFolders])));
  return {
    files: [...new Set([realpathSync(nodePath), hostScript, engineFile, ...libraries, ...named])],
    libraryFolders: [...folders],
  };
}

function loadedLibraries(): readonly string[] {
  const maps = readFileSync('/proc/self/maps', 'utf8');
  const files = maps.match(/\/[^\n]*\.so(?:\.[0-9.]+)?$/gm) ?? [];
  return [...new Set(files)];
}

/** Names in these folders that lead to the file, such as `libm.so.6` and the loader's in `/lib64`. */
function namesOf(file: string, folders: ReadonlySet<string>): readonly string[] {
  const [stem = ''] = path.basename(file).split(/[-.]/);
  return [...folders].flatMap((folder) =>
    namesIn(folder)
      .filter((name) =>
        /^[-.].*\.so|^\.so/.test(name.startsWith(stem) ? name.slice(stem.length) : ''),
      )
      .map((name) => path.join(folder, name))
      .filter((one) => leadsTo(one, file)),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function leadsTo(name: string, file: string): boolean {
  try {
    return realpathSync(name) === file;
  } catch {
    return false;
  }
}
