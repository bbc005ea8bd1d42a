/**
 * Where folders are, name by name from their root on, with every link followed. It remembers what
 * it found for as long as one call lasts: the folders of a batch share most of their way.
 */
import { lstatSync } from 'node:fs';
import { assertGranted, realPath, type Root } from './confinement.ts';
import { DiskFault, toDiskFault } from './disk-fault.ts';
import { decodeName, encodePath, notAbsolute, toLocal, type BytePath } from './disk-path.ts';

/** A folder below a root. */
export interface ResolvedFolder {
  readonly real: BytePath;
  /** The folder that a walk came through to get here; `null` for a root. */
  readonly parent: ResolvedFolder | null;
}

/** Resolves the folders of one call. Throws a `DiskFault` for one that is not there, or outside. */
export type FolderResolver = (encoded: string) => ResolvedFolder;

/** Creates the resolver of one call. */
export function createFolderResolver(roots: readonly Root[]): FolderResolver {
  const tops = topFolders(roots);
  const known = new Map<string, ResolvedFolder>();

  function resolve(encoded: string): ResolvedFolder {
    const found = known.get(encoded);
    if (found) return found;
    const folder = tops.has(encoded) ? top(encoded) : below(encoded);
    known.set(encoded, folder);
    return folder;
  }

  function top(encoded: string): ResolvedFolder {
    const real = tops.get(encoded);
    if (!real) throw new DiskFault('not_found', 'The root');
    return { real, parent: null };
  }

  function below(encoded: string): ResolvedFolder {
    const slash = encoded.lastIndexOf('/');
    if (slash === -1) throw notAbsolute(encoded);
    const name = decodeName(encoded.slice(slash + 1));
    const parent = resolve(slash === 0 ? '/' : encoded.slice(0, slash));
    return { real: follow(join(parent.real, name)), parent };
  }

  /** Refuses a path that is below no root before the disk is asked. */
  function resolveGranted(encoded: string): ResolvedFolder {
    for (const root of tops.keys()) {
      if (encoded === root || root === '/' || encoded.startsWith(`${root}/`))
        return resolve(encoded);
    }
    throw new DiskFault('outside_root', 'The folder');
  }

  function follow(path: BytePath): BytePath {
    try {
      const real = lstatSync(toLocal(path)).isSymbolicLink() ? realPath(path) : path;
      assertGranted(real, roots);
      return real;
    } catch (error) {
      throw toDiskFault(error, 'The folder');
    }
  }

  return resolveGranted;
}

/** The roots by how they may be written: as granted, and as they are. */
function topFolders(roots: readonly Root[]): ReadonlyMap<string, BytePath | null> {
  const tops = new Map<string, BytePath | null>();
  for (const { real } of roots) if (real !== null) tops.set(encodePath(real), real);
  for (const { spelled, real } of roots) tops.set(encodePath(spelled), real);
  return tops;
}

const join = (folder: BytePath, name: BytePath): BytePath =>
  folder === '/' ? `/${name}` : `${folder}/${name}`;
