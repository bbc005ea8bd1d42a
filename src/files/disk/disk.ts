import type { FileHandle } from 'node:fs/promises';
import type { HostCaller, HostService } from '../../../kernel/index.ts';

/** Input of `host.disk.list`. */
export interface ListFolders {
  readonly paths: readonly string[];
  readonly after?: Readonly<Record<string, string>>;
  readonly extensions?: readonly string[];
  readonly markers?: readonly string[];
  readonly limit?: number;
  readonly below?: FoldersBelow;
}

/** Which further folders are listed: those below the given ones, in the order of a walk. */
export interface FoldersBelow {
  readonly most: number;
  readonly ignore?: readonly string[];
}

/** Input of `host.disk.digest`. */
export interface TreeStretches extends TreeStretch {
  readonly known?: string;
  /** The following stretches, each from the end of the one before. */
  readonly next?: readonly { readonly known: string; readonly through: string | null }[];
}

/** The input of a digest. */
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

/** The earlier state of a stretch, for finding where it changed. */
export interface UnlikeStretch {
  readonly digest: string;
  /** The digests of its files, one after the other. */
  readonly parts: string;
  /** How many files the answer may list. */
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

/** The changes below a path. */
export interface ChangedPaths {
  readonly changes: readonly { readonly path: string; readonly kind: 'changed' | 'removed' }[];
  readonly cursor: string;
  readonly overflow: boolean;
  /** Other machines may change it without events on this machine. */
  readonly isHalf?: boolean;
}

/** A file that is open for streaming. The code that opened it closes it. */
export interface OpenedFile {
  readonly file: FileHandle;
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
}

/**
 * The disk below the roots that each plugin was granted. Paths are spelled as in
 * `plugin-api/host/disk.ts`. Everything rejects only with a `KernelError`.
 */
export interface Disk {
  /** `host.disk`. */
  readonly service: HostService<'disk'>;
  /**
   * The same, confined to these paths instead of the granted roots: with all links followed, every
   * path read lies below one of them. A path outside the granted roots grants nothing.
   */
  readonly within: (paths: readonly string[]) => DiskReads;
  /** JSON text in the form of `host.disk.list`. */
  readonly list: (pluginId: string, input: ListFolders) => Promise<string | Uint8Array>;
  /** JSON text in the form of `host.disk.digest`. */
  readonly digest: (pluginId: string, stretches: TreeStretches) => Promise<string | Uint8Array>;
  /** JSON text in the form of `host.disk.stat`. */
  readonly stat: (pluginId: string, path: string) => Promise<string | Uint8Array>;
  readonly read: (pluginId: string, range: ReadRange) => Promise<Uint8Array>;
  /**
   * Many ranges, packed in the form of `host.fs.readRanges`: a range that cannot be read is marked
   * and does not fail the others. Rejects when the thread crashes.
   */
  readonly readRanges: (pluginId: string, ranges: readonly ReadRange[]) => Promise<Uint8Array>;
  /** `null` for a file that cannot be read. See `fingerprint.ts`. */
  readonly fingerprints: (
    pluginId: string,
    paths: readonly string[],
  ) => Promise<readonly (string | null)[]>;
  /** The path with all links followed. */
  readonly resolve: (pluginId: string, path: string) => Promise<string>;
  /** The same for many; `null` for a path that is missing or outside. */
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

/** Reads of single files. */
export type DiskReads = Pick<
  Disk,
  'read' | 'readRanges' | 'fingerprints' | 'open' | 'resolve' | 'resolveAll'
>;
