import type { FileHandle } from 'node:fs/promises';
import type { HostCaller, HostService } from '../../kernel/index.ts';

/** Input of `host.disk.list`. */
export interface ListFolders {
  readonly paths: readonly string[];
  readonly after?: Readonly<Record<string, string>>;
  readonly extensions?: readonly string[];
  readonly markers?: readonly string[];
  readonly limit?: number;
  readonly below?: FoldersBelow;
}

/** Which folders are listed without being named: those below the named ones, in the order of a walk. */
export interface FoldersBelow {
  readonly most: number;
  readonly ignore?: readonly string[];
}

/** Input of `host.disk.digest`. */
export interface TreeStretches extends TreeStretch {
  readonly known?: string;
  /** What follows, each from where the one before it ends. */
  readonly next?: readonly { readonly known: string; readonly through: string | null }[];
}

/** What a digest is made of. */
export interface TreeStretch {
  readonly path: string;
  readonly after: string;
  readonly through: string | null;
  readonly naming: string;
  readonly extensions?: readonly string[];
  readonly ignore?: readonly string[];
  readonly markers?: readonly string[];
  readonly unlike?: UnlikeStretch;
}

/** What a stretch was, when it is asked where it is not that any more. */
export interface UnlikeStretch {
  readonly digest: string;
  /** The digests of its files, one after the other. */
  readonly parts: string;
  /** How many files the answer may name. */
  readonly most: number;
}

/** Input of `host.disk.changes`. */
export interface WaitForChanges {
  readonly path: string;
  readonly cursor: string | null;
  readonly waitMs: number;
}

/** A range of one file. */
export interface ReadRange {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
}

/** What changed below a path. */
export interface ChangedPaths {
  readonly changes: readonly { readonly path: string; readonly kind: 'changed' | 'removed' }[];
  readonly cursor: string;
  readonly overflow: boolean;
  /** Others may change it without this machine hearing of it. */
  readonly isHalf?: boolean;
}

/** A file that is open for streaming. Whoever opened it closes it. */
export interface OpenedFile {
  readonly file: FileHandle;
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
}

/**
 * The disk below the roots that each plugin was granted. Paths are spelled as in
 * `plugin-api/host/disk.ts`. Everything rejects with a `KernelError` and nothing else.
 */
export interface Disk {
  /** `host.disk`. */
  readonly service: HostService;
  /**
   * The same, confined to these paths in place of the granted roots: with every link followed, what is
   * read lies below one of them. A path that is below no granted root grants nothing.
   */
  readonly within: (paths: readonly string[]) => DiskReads;
  /** JSON text, as `host.disk.list` gives it. */
  readonly list: (pluginId: string, input: ListFolders) => Promise<string | Uint8Array>;
  /** JSON text, as `host.disk.digest` gives it. */
  readonly digest: (pluginId: string, stretches: TreeStretches) => Promise<string | Uint8Array>;
  /** JSON text, as `host.disk.stat` gives it. */
  readonly stat: (pluginId: string, path: string) => Promise<string | Uint8Array>;
  readonly read: (pluginId: string, range: ReadRange) => Promise<Uint8Array>;
  /**
   * Many ranges, packed as `host.fs.readRanges` answers: one that cannot be read is marked and
   * fails no other. Rejects when the disk's thread is gone.
   */
  readonly readRanges: (pluginId: string, ranges: readonly ReadRange[]) => Promise<Uint8Array>;
  /** `null` for a file that cannot be read. See `fingerprint.ts`. */
  readonly fingerprints: (
    pluginId: string,
    paths: readonly string[],
  ) => Promise<readonly (string | null)[]>;
  /** The path with every link followed. */
  readonly resolve: (pluginId: string, path: string) => Promise<string>;
  /** The same for many; `null` for one that is not there, or outside. */
  readonly resolveAll: (
    pluginId: string,
    paths: readonly string[],
  ) => Promise<readonly (string | null)[]>;
  /** Opens a regular file for streaming. */
  readonly open: (pluginId: string, path: string) => Promise<OpenedFile>;
  readonly changes: (caller: HostCaller, input: WaitForChanges) => Promise<ChangedPaths>;
  readonly unwatch: (pluginId: string, path: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What is read of single files. */
export type DiskReads = Pick<
  Disk,
  'read' | 'readRanges' | 'fingerprints' | 'open' | 'resolve' | 'resolveAll'
>;
