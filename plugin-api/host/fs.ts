/** One file or folder. */
export interface FileEntry {
  /**
   * Each name percent-encoded as by `encodeURIComponent`, bytes that are no UTF-8 as `%XX`; so a
   * URI names its file exactly, and URIs sort as bytes.
   */
  readonly uri: string;
  readonly kind: 'file' | 'folder';
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
  /**
   * Of a folder, when it was asked for by `stat`: names the volume that it lies on. Another name in
   * its place says that another disk is there now. Absent when the filesystem cannot tell.
   */
  readonly volume?: string;
  /**
   * Of a folder, when it was asked for by `stat`: the URIs of folders below it that lie on volumes of
   * their own. One that is no more on the list has lost its disk, and nothing in it is called gone.
   */
  readonly mounts?: readonly string[];
}

/**
 * A place that could not be read, and why. The rest of the listing stands. It comes with the page
 * that covers it or with an earlier one, and may come again.
 */
export interface FileProblem {
  readonly uri: string;
  readonly code:
    'unreadable' | 'symlink-loop' | 'outside-root' | 'not-found' | 'too-deep' | 'other';
  readonly message: string;
}

/** What to list. */
export interface ListFilesInput {
  readonly uri: string;
  /** The whole tree: files only, ascending by the bytes of their URI. */
  readonly recursive?: boolean;
  /** Where the previous page ended, or any place in the order: only what sorts after it. */
  readonly cursor?: string | null;
  /** Entries per page, 1 to 2000; 500 when absent. */
  readonly limit?: number;
  /** Recursive only: extensions without dot, lower case; all when absent. */
  readonly extensions?: readonly string[];
  /**
   * Recursive only: names of files and folders to leave out, with all that is below. `*` stands for
   * any characters, case does not count: `.*`, `@eaDir`. At most 100.
   */
  readonly ignore?: readonly string[];
  /**
   * URI of the folder from which on ignore files are heeded: the listed one or one that holds it. A
   * folder with `.nomedia` or an empty `.ignore` is left out with all that is below; lines of
   * `.ignore`, `.plexignore` and `.jellyfinignore` are patterns of what to leave out, as Git has them.
   */
  readonly ignoreFilesFrom?: string;
  /** Recursive only: the digest of the page that was here. If it still is, `entries` need not come. */
  readonly known?: string;
  /**
   * With `known`: where that page ended, its `cursor`. A filesystem that can tell without a listing
   * whether all between the two places is as it was may then answer with that page, whatever the `limit`.
   */
  readonly knownThrough?: string | null;
  /**
   * With both: the `parts` of that page, or `null` when whoever asks can come again with them. A
   * filesystem that compares by them lists nothing but what is not as it was.
   */
  readonly knownParts?: string | null;
  /**
   * With `knownThrough`: the known pages that follow, 63 at most. A filesystem that finds the first one
   * as it was may go on with them, and answers with the last one that is.
   */
  readonly knownNext?: readonly KnownFilesPage[];
}

/** A page that was listed before. */
export interface KnownFilesPage {
  readonly digest: string;
  /** Where it ended, its `cursor`. */
  readonly through: string | null;
}

/** A stretch of a page, in the order of URIs: what lies above `after` and not above `through`. */
export interface PageStretch {
  /** `null` = where the page begins. */
  readonly after: string | null;
  /** `null` = where the page ends. */
  readonly through: string | null;
}

/** One page. */
export interface FileListing {
  readonly entries: readonly FileEntry[];
  /** Where the page ended; `null` at the end. A page may be empty and not the last. */
  readonly cursor: string | null;
  readonly problems: readonly FileProblem[];
  /** Recursive only: how much of the tree is done, 0 to 1, an estimate by its upper folders. */
  readonly progress?: number;
  /**
   * Recursive only: tells one page from another, with everything in its entries; absent where the
   * plugin makes none, and where there were problems.
   */
  readonly digest?: string;
  /**
   * The page is the `known` one, or goes on to the end of one of `knownNext` with all up to there as it
   * was; `entries` is empty.
   */
  readonly isKnown?: true;
  /**
   * With `digest`: tells the files of the page apart, in words that the plugin alone understands; at
   * most 65 536 printable characters of ASCII.
   */
  readonly parts?: string;
  /**
   * The page is not the `known` one, and `entries` is empty since `knownParts` was `null`: ask again
   * with the parts, or without `known` when there are none. With `isKnown` that is so of the next page.
   */
  readonly wantsParts?: true;
  /**
   * Where the page is not the `known` one, ascending and apart, 200 at most: `entries` has all that is
   * in these stretches, and what lies in none of them is as it was. Absent where all of it is listed.
   */
  readonly stretches?: readonly PageStretch[];
}

/** A range of bytes. */
export interface ReadFileInput {
  readonly uri: string;
  /** Bytes from the start. */
  readonly offset: number;
  /** Bytes, at most 1 048 576. The answer is shorter at the end of the file. */
  readonly length: number;
}

/** Ranges to read in one call: 64 at most, 4 MiB together. */
export interface ReadRangesInput {
  readonly ranges: readonly ReadFileInput[];
}

/** What changed since a cursor. */
export interface DiskChanges {
  readonly changes: readonly { readonly uri: string; readonly kind: 'changed' | 'removed' }[];
  readonly cursor: string;
  /** Changes were lost: only a fresh listing tells the truth. */
  readonly overflow: boolean;
  /**
   * Only what this machine changes is told, and others may change it too: it is listed at intervals
   * beside. A folder of which nothing is told at all fails with `watch_unavailable`.
   */
  readonly isHalf?: boolean;
}

/**
 * `host.fs`: the files of the libraries, whichever filesystem plugin holds them.
 * Permission: `files: read`. Errors: `not_found`, `unreadable`, `no_filesystem`, `permission_denied`.
 */
export interface FsService {
  /** Lists a folder, or with `recursive` the tree below it, a page at a time. */
  readonly list: (input: ListFilesInput) => Promise<FileListing>;
  readonly stat: (input: { readonly uri: string }) => Promise<FileEntry>;
  /** Reads a range. A file that shrank while being read gives fewer bytes. */
  readonly read: (input: ReadFileInput) => Promise<Uint8Array>;
  /**
   * Reads many ranges in one crossing. The answer is, for each range in order, its length as four
   * bytes (big endian) and then the bytes; 0xffffffff for a range that could not be read.
   * `splitRanges` takes it apart.
   */
  readonly readRanges: (input: ReadRangesInput) => Promise<Uint8Array>;
}
