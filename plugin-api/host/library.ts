import type { PageStretch } from './fs.ts';

/** A library as plugins see it. */
export interface LibraryInfo {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** URIs of its roots, without a slash at the end. */
  readonly roots: readonly string[];
}

/** One file as a scan found it. `modifiedAt` is Unix milliseconds. */
export interface ScannedFile {
  readonly uri: string;
  readonly size: number;
  readonly modifiedAt: number;
  /** `auxiliary`: it makes no item, and belongs to media beside it. Absent = media. */
  readonly type?: 'media' | 'auxiliary';
}

/**
 * One page of a scan. It speaks for every URI below `root` that sorts after `after` and not after
 * `through`: a known file in that range that is not in `files` is gone, unless it lies below one of
 * `unreadable`.
 */
export interface ReconcileInput {
  readonly libraryId: string;
  readonly root: string;
  /** Exclusive; `null` = from the start of the root. */
  readonly after: string | null;
  /** Inclusive; `null` = to the end of the root. */
  readonly through: string | null;
  /** Ascending by URI, at most 1000. */
  readonly files: readonly ScannedFile[];
  /** URIs of folders that could not be read: nothing below them is gone. */
  readonly unreadable: readonly string[];
  /** What tells this page from any other, with what was looked for; so that it need not come again. */
  readonly digest?: string;
  /** The page is the one that came before with this digest; `files` is empty. */
  readonly isKnown?: true;
  /** With `isKnown`, in place of `digest`: so many pages that follow each other, each with its own; 64 at most. */
  readonly digests?: readonly string[];
  /** With `digest`: what the filesystem tells the files of the page apart by. */
  readonly parts?: string;
  /**
   * With `known`, where the page is not what it was: it speaks for these stretches alone, ascending and
   * apart, 200 at most, and all else is as it was when the page came with the digest `known`.
   */
  readonly stretches?: readonly PageStretch[];
  readonly known?: string;
}

/** How the page differed from what was known, in media files. */
export interface ReconcileResult {
  readonly added: number;
  readonly changed: number;
  readonly moved: number;
  readonly gone: number;
  readonly unchanged: number;
  /** How many there are in the page, where it came without some of them. */
  readonly files?: number;
}

/**
 * What a change feed says: what an item is now, that it is no more, or that no item of a library
 * links to an entity any more. Pass over a kind that you do not know.
 */
export type LibraryChange =
  | { readonly kind: 'removed'; readonly itemId: string; readonly seq: number }
  | { readonly kind: 'present'; readonly item: IndexedItem; readonly seq: number }
  | {
      readonly kind: 'entity-left';
      readonly entityId: string;
      readonly libraryId: string;
      readonly seq: number;
    };

/** An item as an index wants it. */
export interface IndexedItem {
  readonly id: string;
  readonly libraryId: string;
  /**
   * The partition that it is found in, a text without a meaning: keep it with the item, and answer
   * `scopes` of `search.query` by it alone. It says who may find the item.
   */
  readonly scope: string;
  readonly title: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly entities: readonly {
    readonly id: string;
    readonly type: string;
    readonly name: string;
    readonly role: string;
    /**
     * The partition that the entity is found in, by what this library has of it; absent = `libraryId`.
     * Where it is there, the item is not to be found by the name of the entity.
     */
    readonly scope?: string;
    /** Other words that it is found by. */
    readonly searchTerms?: string;
  }[];
}

/**
 * `host.library`: items, files and entities. Permission: `library: read`, for `reconcile`
 * `library: write`. Errors: `not_found`, `permission_denied`.
 */
export interface LibraryService {
  readonly get: (input: { readonly libraryId: string }) => Promise<LibraryInfo>;
  readonly item: (input: { readonly itemId: string }) => Promise<IndexedItem>;
  /**
   * Everything that changed after `seq` (0 = everything), oldest first, each item at most once, up
   * to `limit` (500 at most). `seq` of the answer is where to go on; `done` says that there is no
   * more now. So an index is kept by asking again after each `library.item.*` event, and none is
   * ever lost. What was removed is told for 90 days: an index that slept for longer starts anew.
   */
  readonly changes: (input: { readonly seq: number; readonly limit: number }) => Promise<{
    readonly changes: readonly LibraryChange[];
    readonly seq: number;
    readonly done: boolean;
  }>;
  /**
   * Pages of a root that came with a digest and that the library still agrees with, by where they
   * begin: those at `after` and above it, 2000 at most. With `withParts` the first 8 of them, and what
   * they came with as `parts`.
   */
  readonly pages: (input: {
    readonly libraryId: string;
    readonly root: string;
    readonly after: string | null;
    readonly withParts?: true;
  }) => Promise<{
    readonly pages: readonly {
      readonly after: string | null;
      readonly through: string | null;
      readonly digest: string;
      readonly parts?: string;
    }[];
  }>;
  /**
   * Brings one page of a scan into the library, in one transaction. Safe to repeat.
   * Rejects with `conflict` when it says of a page, or of what is in none of its stretches, that it is
   * known and the library knows better: it must come with all of its files then.
   */
  readonly reconcile: (input: ReconcileInput) => Promise<ReconcileResult>;
}
