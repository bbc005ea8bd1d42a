/** The calls of the disk worker, as plain functions over synchronous system calls. */
import { closeSync, fstatSync, statSync } from 'node:fs';
import type { DiskEntry } from '../../../plugin-api/index.ts';
import {
  createBarred,
  openFile,
  resolveRoots,
  resolveWithin,
  topOf,
  type BarredPlace,
  type LibraryFolders,
  type Roots,
} from './confinement.ts';
import { DiskFault, toDiskFault } from './disk-fault.ts';
import { encodePath, parsePath, toBuffer, type BytePath } from './disk-path.ts';
import type { ReadRange, TreeStretch } from './disk.ts';
import { listFolders, type ListCall } from './list-folders.ts';
import { mountPointsBelow } from './mount-points.ts';
import { fill } from './open-files.ts';
import { readRootProperties, type RootProperties } from './root-properties.ts';
import { readFingerprints } from './read-fingerprints.ts';
import { readRanges } from './read-ranges.ts';
import { createTreeDigests } from './tree-digest.ts';

/** The roots that the caller of a call was granted, and the libraries whose files these are. */
export interface DiskScope {
  readonly roots: readonly string[];
  readonly libraries: readonly LibraryFolders[];
}

/** One call to the worker. */
export type DiskCall = DiskScope &
  (
    | ({ readonly operation: 'list' } & ListCall)
    | { readonly operation: 'stat' | 'locate' | 'locate-watched'; readonly path: string }
    | { readonly operation: 'digest'; readonly stretch: TreeStretch }
    | { readonly operation: 'ranges'; readonly ranges: readonly ReadRange[] }
    | { readonly operation: 'fingerprints' | 'locate-all'; readonly paths: readonly string[] }
    | {
        readonly operation: 'read';
        readonly path: string;
        readonly offset: number;
        readonly length: number;
      }
  );

/** One per thread: its walks stay open between two calls. */
const treeDigest = createTreeDigests();

/** Answers one call: bytes for `read` and `ranges`, else JSON text. Throws a `DiskFault`. */
export type AnswerDiskCall = (call: DiskCall) => string | Uint8Array<ArrayBuffer>;

/** Creates the function. `barred` has plain paths to which access is never granted. */
export function createDiskCalls(barred: readonly BarredPlace[]): AnswerDiskCall {
  const barredNow = createBarred(barred);
  return (call) => answer(call, resolveRoots(call.roots, call.libraries, barredNow()));
}

function answer(call: DiskCall, roots: Roots): string | Uint8Array<ArrayBuffer> {
  switch (call.operation) {
    case 'list':
      return JSON.stringify({ folders: listFolders(call, roots) });
    case 'digest':
      return JSON.stringify(treeDigest(call.stretch, roots) ?? { digest: null });
    case 'stat':
      return JSON.stringify(statPath(call.path, roots));
    case 'locate':
      return JSON.stringify(locate(call.path, roots));
    case 'locate-watched':
      return JSON.stringify(locateWatched(call.path, roots));
    case 'locate-all':
      return JSON.stringify(call.paths.map((path) => locateOrNull(path, roots)));
    case 'read':
      return readRange(call, roots);
    case 'ranges':
      return readRanges(call.ranges, roots);
    case 'fingerprints':
      return JSON.stringify(readFingerprints(call.paths, roots));
  }
}

/** The real path of a path, and of the root that contains it. */
export interface DiskLocation {
  readonly path: string;
  readonly root: string;
}

function locate(path: string, roots: Roots): DiskLocation {
  const spelled = parsePath(path);
  const real = resolveWithin(spelled, roots, 'The path');
  return { path: encodePath(real), root: encodePath(topOf(real, spelled, roots) ?? real) };
}

/** The same for a watch, with the properties of the root. */
export type WatchedLocation = DiskLocation & RootProperties;

function locateWatched(path: string, roots: Roots): WatchedLocation {
  const location = locate(path, roots);
  return { ...location, ...readRootProperties(parsePath(location.root)) };
}

function locateOrNull(path: string, roots: Roots): string | null {
  try {
    return locate(path, roots).path;
  } catch {
    return null;
  }
}

function statPath(path: string, roots: Roots): Omit<DiskEntry, 'name'> {
  const real = resolveWithin(parsePath(path), roots, 'The path');
  try {
    const stats = statSync(toBuffer(real));
    const isFolder = stats.isDirectory();
    if (!isFolder && !stats.isFile()) throw notRegular();
    return {
      kind: isFolder ? 'folder' : 'file',
      size: isFolder ? 0 : stats.size,
      modifiedAt: Math.floor(stats.mtimeMs),
      ...(isFolder && { volume: String(stats.dev), ...mountsBelow(path, real) }),
    };
  } catch (error) {
    throw toDiskFault(error, 'The path');
  }
}

/** In the spelling of the requested path. */
function mountsBelow(path: string, real: BytePath): { readonly mounts?: readonly string[] } {
  const [asked, found] = [path, real].map((folder) => (folder === '/' ? '' : folder));
  const rests = mountPointsBelow(real).map((point) => encodePath(point.slice(found?.length)));
  return rests.length === 0 ? {} : { mounts: rests.map((rest) => `${asked}${rest}`) };
}

/** A pipe, socket or device is reported as missing. */
const notRegular = (): DiskFault => new DiskFault('not_found', 'A regular file or folder');

/** Reads up to `length` bytes; fewer at the end of the file, or if it shrinks meanwhile. */
function readRange(
  call: { readonly path: string; readonly offset: number; readonly length: number },
  roots: Roots,
): Uint8Array<ArrayBuffer> {
  const { fd } = openFile(parsePath(call.path), roots);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new DiskFault('not_found', 'A regular file');
    const wanted = Math.min(call.length, Math.max(0, stats.size - call.offset));
    const bytes = new Uint8Array(wanted);
    const filled = fill(fd, call.offset, bytes);
    return filled === wanted ? bytes : bytes.slice(0, filled);
  } catch (error) {
    throw toDiskFault(error, 'The file');
  } finally {
    closeSync(fd);
  }
}
