/**
 * The confinement to granted roots. A path passes if, with all links followed, it lies below a
 * root, with all links followed, and in no barred place. An opened file is checked again by its
 * descriptor, since a link may have been swapped in between. Without this, a link in a library
 * would expose any file of the machine, and a library above the server's own folders would expose
 * its keys.
 */
import { constants, closeSync, existsSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { DiskFault, errnoOf, toDiskFault } from './disk-fault.ts';
import { isWithin, parsePath, toBytePath, toLocal, type BytePath } from './disk-path.ts';

/** A place to which access is never granted. */
export interface BarredPlace {
  readonly path: string;
  /** It is a file; all files whose name begins with its name belong to it. */
  readonly isFile?: boolean;
}

/** A granted root: as granted, and its real path (`null`: missing, or in a barred place). */
export interface Root {
  readonly spelled: BytePath;
  readonly real: BytePath | null;
  /** The barred places below it, as real paths. */
  readonly barred: readonly BarredPlace[];
}

/** An open file below a root. The code that opened it closes `fd`. */
export interface Opened {
  readonly fd: number;
  readonly real: BytePath;
}

/** Opens without waiting for the other end of a pipe and without adopting a terminal. */
export const fileFlags =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Fails for a link. */
const unlinkedFlags = fileFlags | (constants.O_NOFOLLOW ?? 0);

/** Where Linux lists the open descriptors; on other systems the path is resolved again. */
export const descriptorFolder = existsSync('/proc/self/fd') ? '/proc/self/fd' : null;

/** Resolves the real paths of the roots. A misspelled root grants nothing. */
export function resolveRoots(
  roots: readonly string[],
  barred: readonly BarredPlace[] = [],
): readonly Root[] {
  return roots.flatMap((root) => {
    const spelled = parsedOrNull(root);
    return spelled === null ? [] : [rootAt(spelled, barred)];
  });
}

function rootAt(spelled: BytePath, barred: readonly BarredPlace[]): Root {
  const real = realOrNull(spelled);
  if (real === null || barred.some((place) => isIn(real, place)))
    return { spelled, real: null, barred: [] };
  return { spelled, real, barred: barred.filter(({ path }) => isWithin(path, real)) };
}

/** Whether a real path is a barred place, or below one. */
export const isIn = (path: BytePath, place: BarredPlace): boolean =>
  isWithin(path, place.path) || (place.isFile === true && path.startsWith(place.path));

/** How long the resolved location of a barred place is cached, since a link to it may change. */
const believedMs = 1000;

/**
 * Resolves barred places: each as it is spelled, and with all links followed. Takes plain paths of
 * this machine, gives real paths.
 */
export function createBarred(
  places: readonly BarredPlace[],
  now: () => number = () => performance.now(),
): () => readonly BarredPlace[] {
  const spelled = places.map((place) => ({ ...place, path: toBytePath(place.path) }));
  let known: { readonly at: number; readonly places: readonly BarredPlace[] } | null = null;
  return () => {
    if (known !== null && now() - known.at < believedMs) return known.places;
    const found = spelled.flatMap((place) => {
      const real = realOrNull(place.path);
      return real === null || real === place.path ? [place] : [place, { ...place, path: real }];
    });
    known = { at: now(), places: found };
    return known.places;
  };
}

function parsedOrNull(root: string): BytePath | null {
  try {
    return parsePath(root);
  } catch {
    return null;
  }
}

function realOrNull(path: BytePath): BytePath | null {
  try {
    return realPath(path);
  } catch {
    return null;
  }
}

/** The path with all links followed. */
export function realPath(path: BytePath): BytePath {
  return realpathSync.native(toLocal(path), 'latin1');
}

/** The root below which the path is written. Refuses without a disk access. */
export function rootOf(path: BytePath, roots: readonly Root[]): Root {
  const root = roots.find(
    ({ spelled, real }) => isWithin(path, spelled) || (real !== null && isWithin(path, real)),
  );
  if (!root) throw new DiskFault('outside_root', 'The path');
  return root;
}

/** Whether the real path is below one of the roots, and in no barred place. */
export function isGranted(real: BytePath, roots: readonly Root[]): boolean {
  return roots.some(
    (root) =>
      root.real !== null &&
      isWithin(real, root.real) &&
      !root.barred.some((place) => isIn(real, place)),
  );
}

/** Refuses a real path outside all roots, or in a barred place. */
export function assertGranted(real: BytePath, roots: readonly Root[]): void {
  if (!isGranted(real, roots)) throw new DiskFault('outside_root', 'The path');
}

/** Follows all links of the path, and refuses it if that leads out of the roots. */
export function resolveWithin(path: BytePath, roots: readonly Root[], what: string): BytePath {
  rootOf(path, roots);
  try {
    const real = realPath(path);
    assertGranted(real, roots);
    return real;
  } catch (error) {
    throw toDiskFault(error, what);
  }
}

/**
 * Opens a file in a folder that was just resolved, or gives `null` when it is a link, which must be
 * resolved as a whole. The descriptor is checked to be below the roots.
 */
export function openUnlinked(
  folder: BytePath,
  name: BytePath,
  roots: readonly Root[],
): number | null {
  if (!descriptorFolder) return null;
  let fd: number | null = null;
  try {
    fd = openSync(toLocal(folder === '/' ? `/${name}` : `${folder}/${name}`), unlinkedFlags);
    assertGranted(readlinkSync(`${descriptorFolder}/${fd}`, 'latin1'), roots);
    return fd;
  } catch (error) {
    if (fd !== null) closeSync(fd);
    if (fd === null && errnoOf(error) === 'ELOOP') return null;
    throw toDiskFault(error, 'The file');
  }
}

/** Opens a file below the roots. The path is resolved first, so no file outside is ever opened. */
export function openFile(path: BytePath, roots: readonly Root[]): Opened {
  const resolved = resolveWithin(path, roots, 'The file');
  let fd: number | null = null;
  try {
    fd = openSync(toLocal(resolved), fileFlags);
    const real = descriptorFolder
      ? readlinkSync(`${descriptorFolder}/${fd}`, 'latin1')
      : realPath(resolved);
    assertGranted(real, roots);
    return { fd, real };
  } catch (error) {
    if (fd !== null) closeSync(fd);
    throw toDiskFault(error, 'The file');
  }
}
