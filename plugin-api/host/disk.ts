/** One directory entry. Symbolic links are followed; `kind` is that of the target. */
export interface DiskEntry {
  /** Percent-encoded as by `encodeURIComponent`; bytes that are no UTF-8 as `%XX`. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
  readonly size: number;
  /** Unix milliseconds; 0 for a folder in a listing. */
  readonly modifiedAt: number;
  /** Of a folder, from `stat` alone: names the device that it lies on. */
  readonly volume?: string;
  /** Paths below it on which something else is mounted, where the system tells; by `stat` alone. */
  readonly mounts?: readonly string[];
}

/** One listed folder. `error` set: nothing of it could be read. */
export interface DiskFolder {
  readonly path: string;
  /** Sorted by name, a folder as if its name ended in `/`: so a walk in this order yields sorted paths. */
  readonly entries: readonly DiskEntry[];
  /** Names that `after` left out, about; 0 when absent. */
  readonly skipped?: number;
  /** Files of the folder with the names that were asked for as `markers`, wherever the listing begins. */
  readonly markers?: readonly { readonly name: string; readonly size: number }[];
  /** Names that follow the last entry; 0 when absent. Ask again with `after` for them. */
  readonly remaining?: number;
  /** Entries left out: loops, links that leave the granted roots, things that vanished. */
  readonly problems: readonly {
    readonly name: string;
    readonly code: 'unreadable' | 'symlink-loop' | 'outside-root' | 'not-found' | 'other';
  }[];
  readonly error?: { readonly code: DiskErrorCode; readonly message: string };
}

/** Why a path could not be used. */
export type DiskErrorCode =
  'unreadable' | 'symlink_loop' | 'outside_root' | 'not_found' | 'invalid_argument';

/**
 * `host.disk`: the disk of this machine below the granted roots, for filesystem plugins. A path is
 * absolute, `/` between names, each name percent-encoded. Every path is resolved (realpath) and
 * refused with `outside_root` when it leaves the granted roots. Permission: `disk: read`. Errors:
 * `not_found`, `unreadable`, `outside_root`, `invalid_argument` (a path spelled otherwise),
 * `watch_unavailable`.
 */
export interface DiskService {
  /**
   * Lists up to 256 folders in one call; answers in the order of the question. An answer is kept
   * near 1 MB: a folder that does not fit is cut (`remaining`), and those behind it are left for
   * another call, so `folders` may be shorter than `paths`, but never empty. `after` has, by path,
   * where to start in a folder: only what sorts after it. With `extensions` (without dot, lower
   * case) other files are left out and not looked at, which is most of what a listing costs.
   * `markers` are at most 16 names of files to tell of apart from the entries.
   *
   * Of each folder at most `limit` entries are told of, if that is given; `remaining` are the others.
   *
   * With `below` up to `most` folders are listed that nobody named: right behind each folder those in it,
   * without what `createIgnoredNames(ignore)` holds for, as a walk comes to them. A folder with a marker
   * is not gone into. `most` is 1000 at most, and after a fifth of a second there come no more.
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
   * The digest of the files below `path` whose places come after `after` and not after `through` (`null`:
   * to the end), in the order in which a walk of sorted listings comes to them: `createDigest` over
   * `<naming>/<place> <size> <modifiedAt>` of each. A place is the path below `path`, encoded. What does
   * not have one of the `extensions` is passed over, and so is what `createIgnoredNames(ignore)` holds
   * for, with all below it. `null` where only a listing tells: links, names that are no UTF-8, what
   * cannot be read, folders with a file named in `markers`, and stretches of more than 5000 files.
   *
   * `parts` are the digests of each file's `<place> <size> <modifiedAt>`, one after the other. With `unlike`, of which the digest is
   * another one, the answer says where the files differ from those of its parts: `files` are all that
   * come after `after` and not after `through` of one of the `differences`, of which there are 200 at
   * most. Where there would be more than `most` files, and in a stretch of more than 2000, it does not.
   *
   * With `known`, in place of `unlike`, it goes on while the digest is the known one: with the stretch from `through` to that of
   * the first of `next`, and so on, 64 stretches at most and about a fifth of a second. `passed` says how
   * many were as they were, and `digest` is that of the last one that was looked at.
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
  /** The path with every link in it followed. */
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
    /** As in `DiskChanges`: what is mounted through FUSE may lie on another machine. */
    readonly isHalf?: boolean;
  }>;
  /** Ends the watch on `path`, if there is one. */
  readonly unwatch: (input: { readonly path: string }) => Promise<null>;
}
