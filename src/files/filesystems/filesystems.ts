/**
 * The files of the libraries, for every filesystem plugin. A URI is routed by its scheme. It is refused
 * unless it has its canonical spelling and lies below a root of a library: this check and the disk's
 * own check are the only barriers between a plugin and the rest of the machine.
 */
import type { Readable } from 'node:stream';
import { mapBounded } from '../../../packages/lib/concurrency/index.ts';
import { type CallPlugin, KernelError } from '../../../kernel/index.ts';
import type { DiskChanges, FileEntry, ReadFileInput } from '../../../plugin-api/index.ts';
import { parsePath, toPlainPath, type Disk, type DiskReads } from '../disk/index.ts';
import { streamBlocks, type ByteRange } from './byte-blocks.ts';
import {
  createConfinedReads,
  notGranted,
  outsideLibrary,
  type UnseenAmong,
} from './confined-reads.ts';
import { toDiskRoots } from './disk-roots.ts';
import { createFilePlaces } from './file-places.ts';
import type { FileReads, OpenedSource } from './file-reads.ts';
import { createFingerprints } from './fingerprints.ts';
import { createLocalPaths, type LocalPaths } from './local-paths.ts';
import {
  callFilesystem,
  isUnknownMethod,
  toBytes,
  toChanges,
  toDiskPath,
  toDiskPaths,
  toEntry,
  toListing,
  toValidity,
} from './plugin-files.ts';
import { createRangeReads } from './range-reads.ts';
import { createRealUris } from './real-uris.ts';
import { isBelow, schemeOf } from './source-uri.ts';

/** A request for changes below a URI. */
export interface WatchQuestion {
  readonly uri: string;
  readonly cursor: string | null;
  readonly waitMs: number;
}

/** Whether what lies at a URI may be read. */
export type SeesPlace = (uri: string) => Promise<boolean>;

/** The files of the libraries. All methods reject with a `KernelError`. */
export interface Filesystems extends FileReads {
  /**
   * The files of one library, by its roots: the way to read media for a person. Each read file lies
   * below one of them by its name, and with every link followed in a folder that the library allows.
   * Any other file rejects with `outside_root`, in words for that person.
   */
  readonly within: (roots: readonly string[]) => FileReads;
  /**
   * The same for a plugin that was granted these roots. Where a link leads elsewhere, `sees` must accept
   * the target as well. Any other file rejects with `permission_denied`.
   */
  readonly grantedTo: (roots: readonly string[], sees: SeesPlace | null) => FileReads;
  /** The files of the scheme that a plugin serves, also those that are in no library. Never `file:`. */
  readonly servedBy: (pluginId: string) => Pick<Filesystems, 'open' | 'read'>;
  /**
   * Fingerprints that recognise files after a move, in the order of the URIs; `null` for a file that
   * cannot be read. Rejects only for a URI outside of the libraries.
   */
  readonly fingerprints: (uris: readonly string[]) => Promise<readonly (string | null)[]>;
  /** The plain path on this machine, with links followed; `null` when there is none, or its name is not valid text. */
  readonly localPath: (uri: string) => Promise<string | null>;
  /** Waits for changes below a folder. */
  readonly watch: (question: WatchQuestion) => Promise<DiskChanges>;
  readonly unwatch: (uri: string) => Promise<void>;
  /** Whether a library could have its root here. The only method that works before a library exists. */
  readonly validate: (uri: string) => Promise<{ readonly ok: boolean; readonly message?: string }>;
}

export interface FilesystemsParts {
  readonly call: CallPlugin;
  /** The running plugin that serves a scheme. */
  readonly filesystemFor: (scheme: string) => string | undefined;
  /** Whether the plugin says where its files are on this machine (`supportsLocalFileAccess`). */
  readonly hasLocalFiles: (pluginId: string) => boolean;
  /** URIs of all roots of libraries. */
  readonly roots: () => readonly string[];
  readonly disk: DiskReads & Pick<Disk, 'within'>;
}

const diskBlockBytes = 256 * 1024;
const pluginBlockBytes = 1024 * 1024;
/** The most files in one `filesystem.getLocalPaths` call. */
const maxPathsAsked = 64;

/** Creates the routing. Its only state is a short cache of local paths. */
export function createFilesystems(parts: FilesystemsParts): Filesystems {
  const paths = createLocalPaths();
  const routingIn = (roots: readonly string[]) => {
    const disk = parts.disk.within(toDiskRoots(roots));
    return createRouting({ ...parts, roots: () => roots, disk }, paths);
  };
  return {
    ...createRouting(parts, paths),
    within: (roots) => createConfinedReads(routingIn(roots), outsideLibrary),
    grantedTo: (roots, sees) => {
      const rooted = routingIn(roots);
      if (sees === null) return createConfinedReads(rooted, notGranted);
      const unseen: UnseenAmong = (uris) => unseenAmong(uris, rooted.realUris, sees);
      return createConfinedReads(rooted, notGranted, unseen);
    },
  };
}

/** The URIs among these that links lead to a place that `sees` rejects. */
async function unseenAmong(
  uris: readonly string[],
  realUris: RealUris,
  sees: SeesPlace,
): Promise<ReadonlySet<string>> {
  const unseen = new Set<string>();
  for (const [uri, places] of await realUris(uris)) {
    // A file without a place cannot be read; a file without links was checked by its name.
    if (places.length === 0 || places.includes(uri)) continue;
    const verdicts = await Promise.all(places.map(sees));
    if (!verdicts.some(Boolean)) unseen.add(uri);
  }
  return unseen;
}

type RealUris = ReturnType<typeof createRealUris>;

function createRouting(
  parts: Omit<FilesystemsParts, 'disk'> & { readonly disk: DiskReads },
  paths: LocalPaths,
): Omit<Filesystems, 'within' | 'grantedTo'> & { readonly realUris: RealUris } {
  const { call, filesystemFor, hasLocalFiles, roots, disk } = parts;

  function servant(uri: string): string {
    const scheme = schemeOf(uri);
    const pluginId = filesystemFor(scheme);
    if (pluginId === undefined) throw new KernelError('no_filesystem', `${scheme}:`);
    return pluginId;
  }

  /** The scheme `file:` is for files in libraries: a plugin that serves it has no files of its own. */
  function assertServes(pluginId: string, uri: string): void {
    if (schemeOf(uri) !== 'file' && servant(uri) === pluginId) return;
    throw new KernelError('permission_denied', 'files that another plugin serves');
  }

  /** The plugin that holds the URI, which must lie below a root of a library. */
  function holder(uri: string): string {
    const pluginId = servant(uri);
    if (roots().some((root) => isBelow(uri, root))) return pluginId;
    throw new KernelError('permission_denied', 'files outside of the libraries');
  }

  async function askPath(pluginId: string, uri: string): Promise<string | null> {
    const read = toDiskPath;
    return callFilesystem(call, pluginId, 'filesystem.getLocalPath', { uri }, { read });
  }

  async function askPaths(pluginId: string, uris: readonly string[]) {
    const read = (answer: unknown) => toDiskPaths(answer, uris.length);
    return callFilesystem(call, pluginId, 'filesystem.getLocalPaths', { uris }, { read });
  }

  /** `getLocalPaths` is optional for plugins. A file for which the plugin fails has no local path. */
  async function askManyPaths(pluginId: string, uris: readonly string[]) {
    try {
      const asked: (string | null)[] = [];
      for (let from = 0; from < uris.length; from += maxPathsAsked)
        asked.push(...(await askPaths(pluginId, uris.slice(from, from + maxPathsAsked))));
      return asked;
    } catch (error) {
      if (!isUnknownMethod(error)) throw error;
      return mapBounded(uris, maxPathsAsked, (uri) => askPath(pluginId, uri).catch(() => null));
    }
  }

  async function diskPath(uri: string, pluginId: string): Promise<string | null> {
    if (!hasLocalFiles(pluginId)) return null;
    return paths.find(uri, () => askPath(pluginId, uri));
  }

  async function diskPaths(pluginId: string, uris: readonly string[]) {
    if (!hasLocalFiles(pluginId)) return new Map<string, string | null>();
    return paths.findMany(uris, (unknown) => askManyPaths(pluginId, unknown));
  }

  /** Runs a function with the file's path; when the file is gone, asks the plugin once for the new path. */
  async function withDiskPath<T>(
    uri: string,
    pluginId: string,
    use: (path: string) => Promise<T>,
  ): Promise<{ readonly value: T } | null> {
    const path = await diskPath(uri, pluginId);
    if (path === null) return null;
    try {
      return { value: await use(path) };
    } catch (error) {
      paths.forget(uri);
      if (!(error instanceof KernelError) || error.code !== 'not_found') throw error;
      const now = await diskPath(uri, pluginId);
      if (now === null || now === path) throw error;
      return { value: await use(now) };
    }
  }

  async function readByPlugin(pluginId: string, input: ReadFileInput): Promise<Uint8Array> {
    const read = (answer: unknown) => toBytes(answer, input.length);
    return callFilesystem(call, pluginId, 'filesystem.read', input, { read });
  }

  const statBy = (pluginId: string, uri: string): Promise<FileEntry> =>
    callFilesystem(call, pluginId, 'filesystem.stat', { uri }, { read: toEntry });

  async function openByPlugin(uri: string, pluginId: string): Promise<OpenedSource> {
    const { kind, size, modifiedAt } = await statBy(pluginId, uri);
    if (kind !== 'file') throw new KernelError('not_found', 'The file');
    const close = async (): Promise<void> => undefined;
    const read = (offset: number, length: number): Promise<Uint8Array> =>
      readByPlugin(pluginId, { uri, offset, length });
    const stream = (range: ByteRange): Promise<Readable> =>
      streamBlocks({ read, range, blockBytes: pluginBlockBytes, close });
    return { size, modifiedAt, stream, read, close };
  }

  async function openOnDisk(pluginId: string, path: string): Promise<OpenedSource> {
    const { file, size, modifiedAt } = await disk.open(pluginId, path);
    const close = (): Promise<void> => file.close();
    const read: OpenedSource['read'] = async (position, length, into) => {
      const room = into ?? Buffer.allocUnsafeSlow(length);
      const { bytesRead, buffer } = await file.read(room, 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const stream = (range: ByteRange): Promise<Readable> =>
      streamBlocks({ read, range, blockBytes: diskBlockBytes, close });
    return { size, modifiedAt, stream, read, close };
  }

  const readRanges = createRangeReads({
    holder,
    diskPaths,
    forgetPath: paths.forget,
    readByPlugin,
    disk,
  });

  const stat = async (uri: string): Promise<FileEntry> => statBy(holder(uri), uri);
  const fingerprints = createFingerprints({ holder, diskPaths, stat, readByPlugin, disk });

  const localPaths = createFilePlaces({ holder, diskPaths, forgetPath: paths.forget, disk });

  return {
    servedBy: (pluginId) => ({
      read: async (input) => {
        assertServes(pluginId, input.uri);
        return readByPlugin(pluginId, input);
      },
      open: async (uri) => {
        assertServes(pluginId, uri);
        return openByPlugin(uri, pluginId);
      },
    }),
    readRanges,
    fingerprints,
    stat,
    list: async (input) =>
      callFilesystem(call, holder(input.uri), 'filesystem.list', input, { read: toListing }),
    async read(input) {
      const { uri, offset, length } = input;
      const pluginId = holder(uri);
      const local = await withDiskPath(uri, pluginId, (path) =>
        disk.read(pluginId, { path, offset, length }),
      );
      return local ? local.value : readByPlugin(pluginId, input);
    },
    async open(uri) {
      const pluginId = holder(uri);
      const local = await withDiskPath(uri, pluginId, (path) => openOnDisk(pluginId, path));
      return local ? local.value : openByPlugin(uri, pluginId);
    },
    async localPath(uri) {
      const pluginId = holder(uri);
      const local = await withDiskPath(uri, pluginId, (path) => disk.resolve(pluginId, path));
      return local && toPlainPath(parsePath(local.value));
    },
    localPaths,
    realUris: createRealUris({ holder, diskPaths, disk, roots }),
    watch: async (question) =>
      callFilesystem(call, holder(question.uri), 'filesystem.watch', question, {
        read: toChanges,
        waitMs: question.waitMs,
      }),
    async unwatch(uri) {
      await callFilesystem(call, holder(uri), 'filesystem.unwatch', { uri }, { read: () => null });
    },
    validate: async (uri) =>
      callFilesystem(call, servant(uri), 'filesystem.validate', { uri }, { read: toValidity }),
  };
}
