/**
 * Resolves folders name by name from their root, with all links followed. It caches results for one
 * call, since the folders of a batch share most of their path.
 */
import { lstatSync } from 'node:fs';
import {
  assertGranted,
  realPath,
  type PlacedFolder,
  type Root,
  type Roots,
} from './confinement.ts';
import { DiskFault, toDiskFault } from './disk-fault.ts';
import {
  decodeName,
  encodePath,
  isWithin,
  join,
  notAbsolute,
  parsePath,
  toLocal,
  type BytePath,
} from './disk-path.ts';

/** A folder below a root. */
export interface ResolvedFolder extends PlacedFolder {
  /** The folder that contains it on the walked path; `null` for a root. */
  readonly parent: ResolvedFolder | null;
}

/** Resolves the folders of one call. Throws a `DiskFault` for one that is missing or outside. */
export type FolderResolver = (encoded: string) => ResolvedFolder;

/** Creates the resolver of one call. */
export function createFolderResolver(roots: Roots): FolderResolver {
  const tops = topFolders(roots.granted);
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
    return { real, spelled: parsePath(encoded), parent: null };
  }

  function below(encoded: string): ResolvedFolder {
    const slash = encoded.lastIndexOf('/');
    if (slash === -1) throw notAbsolute(encoded);
    const name = decodeName(encoded.slice(slash + 1));
    const parent = resolve(slash === 0 ? '/' : encoded.slice(0, slash));
    const spelled = join(parent.spelled, name);
    const path = join(parent.real, name);
    const real = follow(path, spelled);
    // A listing may begin at a link that a listing of the folder above would not follow.
    if (real !== path && holdersOf(parent).some((holder) => isWithin(holder, real)))
      throw new DiskFault('symlink_loop', 'The folder');
    return { real, spelled, parent };
  }

  /** Refuses a path outside all roots without a disk access. */
  function resolveGranted(encoded: string): ResolvedFolder {
    for (const root of tops.keys()) {
      if (encoded === root || root === '/' || encoded.startsWith(`${root}/`))
        return resolve(encoded);
    }
    throw new DiskFault('outside_root', 'The folder');
  }

  function follow(path: BytePath, spelled: BytePath): BytePath {
    try {
      const real = lstatSync(toLocal(path)).isSymbolicLink() ? realPath(path) : path;
      assertGranted(real, spelled, roots);
      return real;
    } catch (error) {
      throw toDiskFault(error, 'The folder');
    }
  }

  return resolveGranted;
}

/** The folder and those that contain it on the walked path. */
function holdersOf(folder: ResolvedFolder): readonly BytePath[] {
  const holders: BytePath[] = [];
  for (let at: ResolvedFolder | null = folder; at !== null; at = at.parent) holders.push(at.real);
  return holders;
}

/** The roots in both spellings: as granted, and as real paths. */
function topFolders(roots: readonly Root[]): ReadonlyMap<string, BytePath | null> {
  const tops = new Map<string, BytePath | null>();
  for (const { real } of roots) if (real !== null) tops.set(encodePath(real), real);
  for (const { spelled, real } of roots) tops.set(encodePath(spelled), real);
  return tops;
}
