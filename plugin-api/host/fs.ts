import { closed, type MethodRecords } from '../server/method-record.ts';

/** One file or folder. */
export interface FileEntry {
  /**
   * Each name percent-encoded as by `encodeURIComponent`, bytes that are not UTF-8 as `%XX`. So a URI
   * names its file exactly, and URIs sort as bytes.
   */
  readonly uri: string;
  readonly kind: 'file' | 'folder';
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
  /**
   * For a folder, only from `stat`: identifies its volume. Another value in the same place means
   * another disk. Absent when the filesystem cannot tell.
   */
  readonly volume?: string;
  /**
   * For a folder, only from `stat`: the URIs of folders below it on volumes of their own. When one is
   * no longer listed, its disk is missing, and nothing in it counts as gone.
   */
  readonly mounts?: readonly string[];
}

/**
 * A place that could not be read, and why. The rest of the listing is valid. A problem comes with the
 * page that covers it or with an earlier one, and may be repeated.
 */
export interface FileProblem {
  readonly uri: string;
  readonly code:
    | 'unreadable'
    | 'symlink-loop'
    | 'outside-root'
    | 'not-found'
    | 'too-deep'
    | 'other';
  readonly message: string;
}

/** The parameters of a listing. */
export interface ListFilesInput {
  readonly uri: string;
  /** The whole tree: files only, ascending by the bytes of their URI. */
  readonly recursive?: boolean;
  /** Where the previous page ended, or any place in the order: only entries that sort after it. */
  readonly cursor?: string | null;
  /** Entries per page, 1 to 2000; 500 when absent. */
  readonly limit?: number;
  /** Recursive only: extensions without dot, lower case; all when absent. */
  readonly extensions?: readonly string[];
  /**
   * Recursive only: names of files and folders to leave out, with all below. `*` stands for any
   * characters, case does not count: `.*`, `@eaDir`. At most 100.
   */
  readonly ignore?: readonly string[];
  /**
   * URI of the folder from which ignore files apply: the listed one or one that contains it. A folder
   * with `.nomedia` or an empty `.ignore` is left out with all below; lines of `.ignore`,
   * `.plexignore` and `.jellyfinignore` are patterns of what to leave out, with Git's rules.
   */
  readonly ignoreFilesFrom?: string;
  /** Recursive only: the digest of the earlier page. If it still matches, `entries` may be empty. */
  readonly known?: string;
  /**
   * With `known`: where that page ended, its `cursor`. A filesystem that can detect without a listing
   * that nothing between the two places changed may answer with that page, even beyond `limit`.
   */
  readonly knownThrough?: string | null;
  /**
   * With both: the `parts` of that page, or `null` when the caller can send them on request. A
   * filesystem that compares parts lists only changes.
   */
  readonly knownParts?: string | null;
  /**
   * With `knownThrough`: the next known pages, 63 at most. A filesystem that finds the first one
   * unchanged may continue with them, and answers with the last unchanged one.
   */
  readonly knownNext?: readonly KnownFilesPage[];
}

/** A page of an earlier listing. */
export interface KnownFilesPage {
  readonly digest: string;
  /** Where it ended, its `cursor`. */
  readonly through: string | null;
}

/** A range of a page, in the order of URIs: after `after` and not after `through`. */
export interface PageStretch {
  /** `null` = from the start of the page. */
  readonly after: string | null;
  /** `null` = to the end of the page. */
  readonly through: string | null;
}

/** One page. */
export interface FileListing {
  readonly entries: readonly FileEntry[];
  /** Where the page ended; `null` at the end. A page may be empty without being the last. */
  readonly cursor: string | null;
  readonly problems: readonly FileProblem[];
  /** Recursive only: the part of the tree that is done, 0 to 1, estimated by its upper folders. */
  readonly progress?: number;
  /**
   * Recursive only: identifies the page with all its entries; absent when the plugin does not compute
   * one, and when there were problems.
   */
  readonly digest?: string;
  /**
   * The page is the `known` one, or continues unchanged to the end of one of `knownNext`; `entries`
   * is empty.
   */
  readonly isKnown?: true;
  /**
   * With `digest`: identifies the files of the page in a form that only the plugin understands; at
   * most 65 536 printable ASCII characters.
   */
  readonly parts?: string;
  /**
   * The page is not the `known` one, and `entries` is empty since `knownParts` was `null`: ask again
   * with the parts, or without `known` when there are none. With `isKnown`, this applies to the next
   * page.
   */
  readonly wantsParts?: true;
  /**
   * When the page is not the `known` one: `entries` has all entries in these ranges, and the rest is
   * unchanged. Ascending and separate, at most 200. Absent when all of it is listed.
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

/** Ranges to read in one call: at most 64, and 4 MiB together. */
export interface ReadRangesInput {
  readonly ranges: readonly ReadFileInput[];
}

/** The changes since a cursor. */
export interface DiskChanges {
  readonly changes: readonly { readonly uri: string; readonly kind: 'changed' | 'removed' }[];
  readonly cursor: string;
  /** Changes were lost: list again. */
  readonly overflow: boolean;
  /**
   * Only changes made by this machine are reported, and others may change files too, so the server
   * also lists at intervals. A folder without any reports fails with `watch_unavailable`.
   */
  readonly isHalf?: boolean;
}

/**
 * `host.fs`: the files of the libraries, from any filesystem plugin. Permission: `files: read`.
 * Errors: `not_found`, `unreadable`, `no_filesystem`, `permission_denied`.
 */
export interface FsService {
  /** Lists a folder, or with `recursive` the tree below it, a page at a time. */
  readonly list: (input: ListFilesInput) => Promise<FileListing>;
  readonly stat: (input: { readonly uri: string }) => Promise<FileEntry>;
  /** Reads a range. A file that shrank meanwhile gives fewer bytes. */
  readonly read: (input: ReadFileInput) => Promise<Uint8Array>;
  /**
   * Reads many ranges in one call. The answer is, for each range in order, its length as four bytes
   * (big endian) and then the bytes; 0xffffffff for a range that could not be read. `splitRanges`
   * parses it.
   */
  readonly readRanges: (input: ReadRangesInput) => Promise<Uint8Array>;
}

const at = {
  permission: { name: 'files', level: 'read' },
  scope: 'uri',
  viewer: 'uri',
  isElsewhere: true,
} as const;
const maxReadLength = 1_048_576;
const uri = { type: 'string', minLength: 1, maxLength: 16_384 } as const;
const place = { type: ['string', 'null'], maxLength: 16_384 } as const;
const digest = { type: 'string', maxLength: 200 } as const;
const range = {
  uri,
  offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER - maxReadLength },
  length: { type: 'integer', minimum: 0, maximum: maxReadLength },
} as const;

/** What the server knows of each method. @internal */
export const fsMethods = {
  list: {
    ...at,
    scope: 'listing',
    viewer: 'listing',
    needs: { uri },
    takes: {
      recursive: { type: 'boolean' },
      cursor: place,
      limit: { type: 'integer', minimum: 1, maximum: 2000 },
      extensions: {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: 20 },
        maxItems: 500,
      },
      ignore: {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: 100 },
        maxItems: 100,
      },
      ignoreFilesFrom: uri,
      known: digest,
      knownThrough: place,
      knownParts: { type: ['string', 'null'], maxLength: 65_536 },
      knownNext: { type: 'array', items: closed({ digest, through: place }), maxItems: 63 },
    },
    done: {
      english: 'listed files of your libraries',
      german: 'Dateien Ihrer Bibliotheken aufgelistet',
    },
  },
  stat: {
    ...at,
    needs: { uri },
    done: {
      english: 'looked at a file of your libraries',
      german: 'eine Datei Ihrer Bibliotheken angesehen',
    },
  },
  read: {
    ...at,
    needs: range,
    raw: true,
    done: {
      english: 'read a file of your libraries',
      german: 'eine Datei Ihrer Bibliotheken gelesen',
    },
  },
  readRanges: {
    ...at,
    scope: 'ranges',
    viewer: 'ranges',
    needs: { ranges: { type: 'array', items: closed(range), maxItems: 64 } },
    raw: true,
    done: {
      english: 'read parts of files of your libraries',
      german: 'Teile von Dateien Ihrer Bibliotheken gelesen',
    },
  },
} as const satisfies MethodRecords<FsService>;
