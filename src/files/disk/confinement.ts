/**
 * The confinement to granted roots. A path passes if, with all links followed, it lies below a
 * root, with all links followed, and in no barred place; and if it then lies in the folders of each
 * library that contains the path. An opened file is checked again by its
 * descriptor, since a link may have been swapped in between. Without this, a link in a library
 * would expose any file of the machine or of another library, and a library above the server's own
 * folders would expose its keys.
 */
import { constants, closeSync, existsSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { DiskFault, errnoOf, toDiskFault } from './disk-fault.ts';
import { isWithin, join, parsePath, toBytePath, toLocal, type BytePath } from './disk-path.ts';

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

/** The folders of a library, as paths of the service. */
export interface LibraryFolders {
  readonly roots: readonly string[];
  readonly links: readonly LinkFolder[];
}

/** A folder, not a link to one, to which links below one root of a library may lead as well. */
export interface LinkFolder {
  readonly root: string;
  readonly folder: string;
}

/** The folders of a library, resolved. */
interface Library {
  readonly roots: readonly Root[];
  readonly links: readonly { readonly below: Root; readonly to: Root }[];
}

/** Where one call may read. */
export interface Roots {
  readonly granted: readonly Root[];
  readonly libraries: readonly Library[];
}

/** A folder with all links followed, and as it was asked for. */
export interface PlacedFolder {
  readonly real: BytePath;
  readonly spelled: BytePath;
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

/** Resolves the real paths of the roots, each once. A misspelled root grants nothing. */
export function resolveRoots(
  granted: readonly string[],
  libraries: readonly LibraryFolders[] = [],
  barred: readonly BarredPlace[] = [],
): Roots {
  const known = new Map<string, Root | null>();
  function find(root: string): Root | null {
    const found = known.get(root);
    if (found !== undefined) return found;
    const spelled = parsedOrNull(root);
    const made = spelled === null ? null : rootAt(spelled, barred);
    known.set(root, made);
    return made;
  }
  const all = (roots: readonly string[]): readonly Root[] =>
    roots.flatMap((one) => find(one) ?? []);
  return {
    granted: all(granted),
    libraries: libraries.map(({ roots, links }) => ({
      roots: all(roots),
      links: links.flatMap(({ root, folder }) => {
        const [below, to] = [find(root), find(folder)];
        // A folder that became a link would lead to what nobody named.
        return below && to && to.real === to.spelled ? [{ below, to }] : [];
      }),
    })),
  };
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

/** Refuses a path that is written below no root, without a disk access. */
function assertNamed(path: BytePath, { granted }: Roots): void {
  if (!granted.some((root) => contains(root, path)))
    throw new DiskFault('outside_root', 'The path');
}

/** Whether the path is written below the root, in either spelling. */
const contains = ({ spelled, real }: Root, path: BytePath): boolean =>
  isWithin(path, spelled) || (real !== null && isWithin(path, real));

/** Whether the real path is below the root, and in no barred place. */
const holds = ({ real: top, barred }: Root, real: BytePath): boolean =>
  top !== null && isWithin(real, top) && !barred.some((place) => isIn(real, place));

/**
 * The libraries that contain a path. A root that is a link out of the root around it is in its own
 * library only.
 */
function librariesAbove(path: BytePath, { libraries }: Roots): readonly Library[] {
  const above = libraries.flatMap(({ roots }) => roots.filter((root) => contains(root, path)));
  const inner = above.reduce<Root | null>(
    (found, root) => (found && found.spelled.length >= root.spelled.length ? found : root),
    null,
  );
  const isAround = ({ real }: Root): boolean =>
    real !== null && inner !== null && inner.real !== null && isWithin(inner.real, real);
  return libraries.filter(({ roots }) =>
    roots.some((root) => contains(root, path) && isAround(root)),
  );
}

/**
 * The innermost root, or folder for links, that contains a real path to which a path leads; `null`:
 * it may not be read. Where libraries overlap, a link leads only to where each of them may read.
 */
export function topOf(real: BytePath, from: BytePath, roots: Roots): BytePath | null {
  const above = librariesAbove(from, roots).map(({ roots: own, links }) => ({
    own,
    linked: links.flatMap(({ below, to }) => (contains(below, from) ? [to] : [])),
  }));
  const isShared = above.every(({ own, linked }) =>
    [...own, ...linked].some((root) => holds(root, real)),
  );
  if (!isShared) return null;
  return [...roots.granted, ...above.flatMap(({ linked }) => linked)]
    .filter((root) => holds(root, real))
    .reduce<BytePath | null>(
      (found, { real: top }) => (top !== null && top.length > (found ?? '').length ? top : found),
      null,
    );
}

/** Refuses a real path to which this path may not lead. */
export function assertGranted(real: BytePath, from: BytePath, roots: Roots): void {
  if (topOf(real, from, roots) === null) throw new DiskFault('outside_root', 'The path');
}

/** Follows all links of the path, and refuses it if that leads out of the roots. */
export function resolveWithin(path: BytePath, roots: Roots, what: string): BytePath {
  assertNamed(path, roots);
  try {
    const real = realPath(path);
    assertGranted(real, path, roots);
    return real;
  } catch (error) {
    throw toDiskFault(error, what);
  }
}

/**
 * Opens a file in a folder that was just resolved, or gives `null` when it is a link, which must be
 * resolved as a whole. The descriptor is checked to be below the roots.
 */
export function openUnlinked(folder: PlacedFolder, name: BytePath, roots: Roots): number | null {
  if (!descriptorFolder) return null;
  let fd: number | null = null;
  try {
    fd = openSync(toLocal(join(folder.real, name)), unlinkedFlags);
    assertGranted(readlinkSync(`${descriptorFolder}/${fd}`, 'latin1'), folder.spelled, roots);
    return fd;
  } catch (error) {
    if (fd !== null) closeSync(fd);
    if (fd === null && errnoOf(error) === 'ELOOP') return null;
    throw toDiskFault(error, 'The file');
  }
}

/** Opens a file below the roots. The path is resolved first, so no file outside is ever opened. */
export function openFile(path: BytePath, roots: Roots): Opened {
  const resolved = resolveWithin(path, roots, 'The file');
  let fd: number | null = null;
  try {
    fd = openSync(toLocal(resolved), fileFlags);
    const real = descriptorFolder
      ? readlinkSync(`${descriptorFolder}/${fd}`, 'latin1')
      : realPath(resolved);
    assertGranted(real, path, roots);
    return { fd, real };
  } catch (error) {
    if (fd !== null) closeSync(fd);
    throw toDiskFault(error, 'The file');
  }
}
