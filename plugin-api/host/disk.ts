import { closed, type MethodRecords } from '../server/method-record.ts';

/** One directory entry. Symbolic links are followed; `kind` is that of the target. */
export interface DiskEntry {
  /** Percent-encoded as by `encodeURIComponent`; bytes that are not UTF-8 as `%XX`. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
  readonly size: number;
  /** Unix milliseconds; 0 for a folder in a listing. */
  readonly modifiedAt: number;
  /** For a folder, only from `stat`: identifies its device. */
  readonly volume?: string;
  /** Only from `stat`: paths below it with other mounts, if the system reports them. */
  readonly mounts?: readonly string[];
}

/** One listed folder. With `error`, it could not be read. */
export interface DiskFolder {
  readonly path: string;
  /**
   * Sorted by name, a folder as if its name ended in `/`, so a walk in this order yields sorted
   * paths.
   */
  readonly entries: readonly DiskEntry[];
  /** Approximate number of names before `after`; 0 when absent. */
  readonly skipped?: number;
  /** Files of the folder with a name in `markers`, anywhere in the folder. */
  readonly markers?: readonly { readonly name: string; readonly size: number }[];
  /** Number of names after the last entry; 0 when absent. Continue with `after`. */
  readonly remaining?: number;
  /** Entries left out: loops, links that leave the granted roots, entries that vanished. */
  readonly problems: readonly {
    readonly name: string;
    readonly code: 'unreadable' | 'symlink-loop' | 'outside-root' | 'not-found' | 'other';
  }[];
  readonly error?: { readonly code: DiskErrorCode; readonly message: string };
}

/** Why a path could not be used. */
export type DiskErrorCode =
  | 'unreadable'
  | 'symlink_loop'
  | 'outside_root'
  | 'not_found'
  | 'invalid_argument';

/**
 * `host.disk`: the disk of this machine below the granted roots, for filesystem plugins. A path is
 * absolute, with `/` between names, each name percent-encoded. Every path is resolved (realpath) and
 * refused with `outside_root` when it leaves the granted roots. Permission: `disk: read`. Errors:
 * `not_found`, `unreadable`, `outside_root`, `invalid_argument` (a path in another spelling),
 * `watch_unavailable`.
 */
export interface DiskService {
  /**
   * Lists up to 256 folders in one call; answers in the order of the input. An answer is limited to
   * about 1 MB: a folder that does not fit is cut (`remaining`), and later ones are left out, so
   * `folders` may be shorter than `paths`, but never empty. `after` has, by path, where to start in a
   * folder: only names that sort after it. With `extensions` (without dot, lower case) other files
   * are left out and not examined, which saves most of the cost. `markers` are at most 16 names of
   * files that are reported separately.
   *
   * With `limit`, at most that many entries per folder are returned; `remaining` is the number of the
   * others.
   *
   * With `below`, up to `most` folders are listed in addition: after each folder its subfolders, in
   * the order of a walk, without those for which `createIgnoredNames(ignore)` holds. A folder with a
   * marker is not entered. `most` is at most 1000, and the listing stops after a fifth of a second.
   */
  readonly list: (input: {
    readonly paths: readonly string[];
    readonly after?: Readonly<Record<string, string>>;
    readonly extensions?: readonly string[];
    readonly markers?: readonly string[];
    readonly limit?: number;
    readonly below?: { readonly most: number; readonly ignore?: readonly string[] };
  }) => Promise<{
    readonly folders: readonly DiskFolder[];
  }>;
  /**
   * The digest of the files below `path` whose places are after `after` and not after `through`
   * (`null`: to the end), in the order of a walk of sorted listings: `createDigest` over
   * `<naming>/<place> <size> <modifiedAt>` of each. A place is the encoded path below `path`. Files
   * without one of the `extensions` are ignored, and so are names for which
   * `createIgnoredNames(ignore)` holds, with all below them. `null` where only a listing can tell:
   * links, names that are not UTF-8, entries that cannot be read, folders with a file named in
   * `markers`, and ranges of more than 5000 files.
   *
   * `parts` are the digests of each file's `<place> <size> <modifiedAt>`, one after the other. `unlike`
   * is an earlier digest with its parts. When the digest differs from it, the answer also says where the
   * files differ: `files` are all files after `after` and not after `through` of one of the
   * `differences`, at most 200. It does not when there would be more than `most` files, or for a range
   * of more than 2000.
   *
   * With `known`, in place of `unlike`, it continues while the digest equals the known one: with the
   * range from `through` to that of the first of `next`, and so on, for at most 64 ranges and about a
   * fifth of a second. `passed` is the number of unchanged ranges, and `digest` is that of the last
   * range examined.
   */
  readonly digest: (input: {
    readonly path: string;
    readonly after: string;
    readonly through: string | null;
    readonly naming: string;
    readonly extensions?: readonly string[];
    readonly ignore?: readonly string[];
    readonly markers?: readonly string[];
    readonly unlike?: { readonly digest: string; readonly parts: string; readonly most: number };
    readonly known?: string;
    readonly next?: readonly { readonly known: string; readonly through: string | null }[];
  }) => Promise<{
    readonly digest: string | null;
    readonly passed?: number;
    readonly parts?: string;
    readonly differences?: readonly { readonly after: string; readonly through: string | null }[];
    readonly files?: readonly {
      readonly place: string;
      readonly size: number;
      readonly modifiedAt: number;
    }[];
  }>;
  readonly stat: (input: { readonly path: string }) => Promise<Omit<DiskEntry, 'name'>>;
  /** At most 1 048 576 bytes; fewer at the end of the file. */
  readonly read: (input: {
    readonly path: string;
    readonly offset: number;
    readonly length: number;
  }) => Promise<Uint8Array>;
  /** The path with all links resolved. */
  readonly resolve: (input: { readonly path: string }) => Promise<{ readonly path: string }>;
  /** Waits up to `waitMs` (20 000 at most) for changes below `path` since `cursor`. */
  readonly changes: (input: {
    readonly path: string;
    readonly cursor: string | null;
    readonly waitMs: number;
  }) => Promise<{
    readonly changes: readonly { readonly path: string; readonly kind: 'changed' | 'removed' }[];
    readonly cursor: string;
    readonly overflow: boolean;
    /** As in `DiskChanges`: a FUSE mount may be on another machine. */
    readonly isHalf?: boolean;
  }>;
  /** Ends the watch on `path`, if any. */
  readonly unwatch: (input: { readonly path: string }) => Promise<null>;
}

const at = {
  permission: { name: 'disk', level: 'read' },
  scope: 'path',
  viewer: 'disk',
  isElsewhere: true,
} as const;
/** The longest read, in bytes. */
const maxReadLength = 1_048_576;
const place = { type: 'string', maxLength: 16_384 } as const;
const path = { ...place, minLength: 1 } as const;
const through = { type: ['string', 'null'], maxLength: 16_384 } as const;
const digest = { type: 'string', maxLength: 200 } as const;
const name = { type: 'string', minLength: 1, maxLength: 100 } as const;
const ignore = { type: 'array', items: name, maxItems: 100 } as const;
const markers = { type: 'array', items: name, maxItems: 16 } as const;
const extensions = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 20 },
  maxItems: 500,
} as const;

/** What the server knows of each method. @internal */
export const diskMethods = {
  list: {
    ...at,
    scope: 'paths',
    needs: { paths: { type: 'array', items: path, minItems: 1, maxItems: 256 } },
    takes: {
      after: { type: 'object', additionalProperties: place, maxProperties: 256 },
      extensions,
      markers,
      limit: { type: 'integer', minimum: 1, maximum: 1_000_000 },
      below: closed({ most: { type: 'integer', minimum: 1, maximum: 1000 } }, { ignore }),
    },
    raw: true,
    done: {
      english: 'listed folders on the disk',
      german: 'Ordner auf der Festplatte aufgelistet',
    },
  },
  digest: {
    ...at,
    needs: { path, after: place, through, naming: path },
    takes: {
      extensions,
      ignore,
      markers,
      unlike: closed({
        digest,
        parts: { type: 'string', maxLength: 65_536 },
        most: { type: 'integer', minimum: 1, maximum: 2000 },
      }),
      known: digest,
      next: { type: 'array', items: closed({ known: digest, through }), maxItems: 63 },
    },
    raw: true,
    done: {
      english: 'computed the checksum of a file on the disk',
      german: 'die Prüfsumme einer Datei auf der Festplatte berechnet',
    },
  },
  stat: {
    ...at,
    needs: { path },
    raw: true,
    done: {
      english: 'looked at a file on the disk',
      german: 'eine Datei auf der Festplatte angesehen',
    },
  },
  read: {
    ...at,
    needs: {
      path,
      offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER - maxReadLength },
      length: { type: 'integer', minimum: 0, maximum: maxReadLength },
    },
    raw: true,
    done: { english: 'read a file on the disk', german: 'eine Datei auf der Festplatte gelesen' },
  },
  resolve: {
    ...at,
    needs: { path },
    done: {
      english: 'asked where a path on the disk leads',
      german: 'gefragt, wohin ein Pfad auf der Festplatte führt',
    },
  },
  changes: {
    ...at,
    needs: {
      path,
      cursor: { type: ['string', 'null'], maxLength: 100 },
      waitMs: { type: 'integer', minimum: 0, maximum: 20_000 },
    },
    done: {
      english: 'asked what changed on the disk',
      german: 'nach Änderungen auf der Festplatte gefragt',
    },
  },
  unwatch: {
    ...at,
    needs: { path },
    done: {
      english: 'stopped watching a folder on the disk',
      german: 'aufgehört, einen Ordner auf der Festplatte zu beobachten',
    },
  },
} as const satisfies MethodRecords<DiskService>;
