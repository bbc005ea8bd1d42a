/**
 * The wall around the granted roots. A path passes when, with every link followed, it lies below a
 * root with every link followed, and in no place that is barred; what is opened is checked once more
 * by its descriptor, since a link may have been swapped in between. Without this a link in a library
 * would show any file of the machine, and a library above the server's own folders would show its keys.
 */
import { constants, closeSync, existsSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { DiskFault, errnoOf, toDiskFault } from './disk-fault.ts';
import { isWithin, parsePath, toBytePath, toLocal, type BytePath } from './disk-path.ts';

/** A place in which nothing is ever granted. */
export interface BarredPlace {
  readonly path: string;
  /** It is a file; all that begins with its name belongs to it. */
  readonly isFile?: boolean;
}

/** A granted root: as it was granted, and where it is (`null`: nowhere now, or in a barred place). */
export interface Root {
  readonly spelled: BytePath;
  readonly real: BytePath | null;
  /** Those that lie below it. Their paths are those of the disk. */
  readonly barred: readonly BarredPlace[];
}

/** Something open below a root. Whoever opened it closes `fd`. */
export interface Opened {
  readonly fd: number;
  readonly real: BytePath;
}

/** Opens without waiting for a pipe's other end and without adopting a terminal. */
export const fileFlags =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Refuses a link in place of the file. */
const unlinkedFlags = fileFlags | (constants.O_NOFOLLOW ?? 0);

/** Where Linux shows the open descriptors; elsewhere the path is resolved again. */
export const descriptorFolder = existsSync('/proc/self/fd') ? '/proc/self/fd' : null;

/** Looks up where the roots are now. A root that is misspelled grants nothing. */
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

/** Whether a path of the disk is a barred place, or in it. */
export const isIn = (path: BytePath, place: BarredPlace): boolean =>
  isWithin(path, place.path) || (place.isFile === true && path.startsWith(place.path));

/** How long it is believed where a barred place is: a link on the way to it may be changed. */
const believedMs = 1000;

/**
 * Creates the finding of barred places: each as it is spelled, and where it is with every link followed.
 * Given are plain paths of this machine, found are paths of the disk.
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

/** The path with every link followed. */
export function realPath(path: BytePath): BytePath {
  return realpathSync.native(toLocal(path), 'latin1');
}

/** The root that the path is written below. Refuses before the disk is asked. */
export function rootOf(path: BytePath, roots: readonly Root[]): Root {
  const root = roots.find(
    ({ spelled, real }) => isWithin(path, spelled) || (real !== null && isWithin(path, real)),
  );
  if (!root) throw new DiskFault('outside_root', 'The path');
  return root;
}

/** Whether the resolved path is below one of the roots, and in no barred place. */
export function isGranted(real: BytePath, roots: readonly Root[]): boolean {
  return roots.some(
    (root) =>
      root.real !== null &&
      isWithin(real, root.real) &&
      !root.barred.some((place) => isIn(real, place)),
  );
}

/** Refuses a resolved path that is below none of the roots, or in a barred place. */
export function assertGranted(real: BytePath, roots: readonly Root[]): void {
  if (!isGranted(real, roots)) throw new DiskFault('outside_root', 'The path');
}

/** Follows every link of the path, and refuses it when that leads out. */
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
 * Opens a file in a folder that was resolved a moment ago, or gives `null` when it is a link: then it
 * has to be resolved as a whole. What was opened is below the roots, by its descriptor.
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

/** Opens a file below the roots. The path is resolved first, so nothing outside is ever opened. */
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
