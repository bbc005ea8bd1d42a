import { open, readlink, type FileHandle } from 'node:fs/promises';
import { KernelError, type Log } from '../../../kernel/index.ts';
import { digestStretches } from './digest-stretches.ts';
import type { Disk, DiskReads, OpenedFile, TreeStretch } from './disk.ts';
import {
  createBarred,
  descriptorFolder,
  fileFlags,
  isIn,
  type BarredPlace,
  type LibraryFolders,
} from './confinement.ts';
import type { DiskCall, DiskLocation, DiskScope, WatchedLocation } from './disk-calls.ts';
import { DiskFault, toDiskFault } from './disk-fault.ts';
import { encodePlainPath, isWithin, parsePath, toBuffer, toPlainPath } from './disk-path.ts';
import { createDiskService } from './disk-service.ts';
import { createDiskThread } from './disk-thread.ts';
import { createDiskThreads } from './disk-threads.ts';
import type { FolderChange } from './folder-feed.ts';
import { createFolderWatches, type WatchTree } from './folder-watches.ts';

export interface DiskOptions {
  /** The roots of a plugin, spelled as paths of this service. Called for each request. */
  readonly grantedRoots: (pluginId: string) => readonly string[];
  /** The libraries whose files a plugin reads: no link leads out of the folders of its library. */
  readonly libraries?: (pluginId: string) => readonly LibraryFolders[];
  /** The script of the disk threads. */
  readonly workerScript: string | URL;
  /** Plain paths of this machine to which access is never granted, also below a root. */
  readonly barred?: readonly BarredPlace[];
  readonly watchTree: WatchTree;
  /** A unique text; cursors of changes contain it. */
  readonly newEpoch: () => string;
  readonly clock?: () => number;
  readonly log: Log;
}

/** Creates the disk. Threads and watches start when they are first needed. */
export function createDisk(options: DiskOptions): Disk {
  const { grantedRoots, workerScript, watchTree, newEpoch, clock = Date.now, log } = options;
  const { barred = [], libraries = () => [] } = options;
  const start = () => createDiskThread({ workerScript, barred, log });
  const barredNow = createBarred(barred);
  const thread = createDiskThreads([start(), start()], clock);
  const watches = createFolderWatches({ watchTree, newEpoch, clock, log });

  const scopeOf = (pluginId: string): DiskScope => ({
    roots: grantedRoots(pluginId),
    libraries: libraries(pluginId),
  });

  async function locate(scope: DiskScope, path: string): Promise<DiskLocation> {
    return toLocation(await thread.ask({ operation: 'locate', ...scope, path }));
  }

  async function locateWatched(pluginId: string, path: string): Promise<WatchedLocation> {
    const text = await thread.ask({ operation: 'locate-watched', ...scopeOf(pluginId), path });
    const { identity, isRemote, isHalf } = parseObject(text);
    return {
      ...toLocation(text),
      identity: String(identity),
      isRemote: isRemote === true,
      isHalf: isHalf === true,
    };
  }

  async function askBytes(call: DiskCall): Promise<Uint8Array> {
    const bytes = await thread.ask(call);
    if (typeof bytes === 'string')
      throw new TypeError('The disk thread answered with text instead of bytes.');
    return bytes;
  }

  function readsOver(scopeFor: typeof scopeOf): DiskReads {
    return {
      read: (pluginId, range) => askBytes({ operation: 'read', ...scopeFor(pluginId), ...range }),
      readRanges: (pluginId, ranges) =>
        askBytes({ operation: 'ranges', ...scopeFor(pluginId), ranges }),
      async fingerprints(pluginId, paths) {
        if (paths.length === 0) return [];
        const scope = scopeFor(pluginId);
        return toTexts(await thread.ask({ operation: 'fingerprints', ...scope, paths }));
      },
      resolve: async (pluginId, path) => (await locate(scopeFor(pluginId), path)).path,
      async resolveAll(pluginId, paths) {
        if (paths.length === 0) return [];
        const scope = scopeFor(pluginId);
        return toTexts(await thread.ask({ operation: 'locate-all', ...scope, paths }));
      },
      open: async (pluginId, path) =>
        openLocated(await locate(scopeFor(pluginId), path), barredNow),
    };
  }

  const disk: Omit<Disk, 'service'> = {
    list: (
      pluginId,
      { paths, after = {}, extensions = null, markers = [], limit = null, below = null },
    ) =>
      thread.ask({
        operation: 'list',
        ...scopeOf(pluginId),
        paths,
        after,
        extensions,
        markers,
        limit,
        below,
      }),
    digest(pluginId, stretches) {
      const scope = scopeOf(pluginId);
      const ask = (stretch: TreeStretch) => thread.ask({ operation: 'digest', ...scope, stretch });
      return digestStretches(ask, stretches, clock);
    },
    stat: (pluginId, path) => thread.ask({ operation: 'stat', ...scopeOf(pluginId), path }),
    ...readsOver(scopeOf),
    within: (paths) => readsOver((pluginId) => narrowed(scopeOf(pluginId), paths)),
    async changes({ pluginId, signal }, { path, cursor, waitMs }) {
      const located = await locateWatched(pluginId, path);
      if (located.isRemote) throw new KernelError('watch_unavailable', 'A folder on the network');
      const { identity } = located;
      const folder = plain(located.path);
      const root = plain(located.root);
      const question = { asker: pluginId, root, identity, folder, cursor, waitMs, signal };
      const page = await watches.changes(question);
      const changes = page.changes.map((change) => respell(change, folder, path));
      return { ...page, changes, ...(located.isHalf && { isHalf: true }) };
    },
    async unwatch(pluginId, path) {
      await watches.unwatch(pluginId, plain((await locate(scopeOf(pluginId), path)).root));
    },
    async close() {
      await Promise.all([watches.close(), thread.close()]);
    },
  };
  return { ...disk, service: createDiskService(disk, grantedRoots) };
}

function toLocation(text: string | Uint8Array): DiskLocation {
  const location: unknown = typeof text === 'string' ? JSON.parse(text) : null;
  if (isLocation(location)) return location;
  throw new TypeError('The disk thread did not answer with a location.');
}

function parseObject(text: string | Uint8Array): Readonly<Record<string, unknown>> {
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : null;
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function toTexts(text: string | Uint8Array): readonly (string | null)[] {
  const list: unknown = typeof text === 'string' ? JSON.parse(text) : null;
  if (Array.isArray(list)) return list.map((item) => (typeof item === 'string' ? item : null));
  throw new TypeError('The disk thread did not answer with a list.');
}

function isLocation(value: unknown): value is DiskLocation {
  if (typeof value !== 'object' || value === null) return false;
  return 'path' in value && typeof value.path === 'string' && 'root' in value;
}

/** A watcher takes only plain paths. */
function plain(path: string): string {
  const text = toPlainPath(parsePath(path));
  if (text === null) throw new KernelError('watch_unavailable', 'A folder whose name is not UTF-8');
  return text;
}

/**
 * A change in the caller's spelling of paths. A name that is not UTF-8 is replaced by its folder.
 */
function respell(change: FolderChange, folder: string, asked: string): FolderChange {
  const below = folder === '/' ? change.path : change.path.slice(folder.length);
  const broken = below.indexOf('\uFFFD');
  const known = broken === -1 ? below : below.slice(0, below.lastIndexOf('/', broken));
  const encoded = known === '' ? '' : encodePlainPath(known);
  const path = asked === '/' ? encoded || '/' : `${asked}${encoded}`;
  return { path, kind: broken === -1 ? change.kind : 'changed' };
}

/** The part of a scope below these paths: what is not granted stays so. */
function narrowed({ roots, libraries }: DiskScope, paths: readonly string[]): DiskScope {
  const kept = paths.filter((path) => roots.some((root) => isWithin(path, root)));
  const isNear = (root: string): boolean =>
    kept.some((path) => isWithin(path, root) || isWithin(root, path));
  return { roots: kept, libraries: libraries.filter((one) => one.roots.some(isNear)) };
}

/** Opens a located file, and checks by the descriptor that it is still below the root. */
async function openLocated(
  { path, root }: DiskLocation,
  barred: () => readonly BarredPlace[],
): Promise<OpenedFile> {
  let file: FileHandle | null = null;
  try {
    file = await open(toBuffer(parsePath(path)), fileFlags);
    if (descriptorFolder) {
      const real = await readlink(`${descriptorFolder}/${file.fd}`, 'latin1');
      const isOutside = !isWithin(real, parsePath(root));
      if (isOutside || barred().some((place) => isIn(real, place)))
        throw new DiskFault('outside_root', 'The file');
    }
    const stats = await file.stat();
    if (!stats.isFile()) throw new DiskFault('not_found', 'A regular file');
    return { file, size: stats.size, modifiedAt: Math.floor(stats.mtimeMs) };
  } catch (error) {
    await file?.close();
    const { code, what } = toDiskFault(error, 'The file');
    throw new KernelError(code, what, { cause: error });
  }
}
