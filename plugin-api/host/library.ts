import { closed, type MethodRecords } from '../server/method-record.ts';
import type { PageStretch } from './fs.ts';

/** A library, as plugins see it. */
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
  /** `auxiliary`: it makes no item and belongs to media beside it. Absent = media. */
  readonly type?: 'media' | 'auxiliary';
}

/**
 * One page of a scan. It covers every URI below `root` after `after` and not after `through`: a known
 * file in that range that is missing from `files` is gone, unless it is below one of `unreadable`.
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
  /** Identifies this page and the parameters of its listing, so that it need not be sent again. */
  readonly digest?: string;
  /** The page is unchanged since it was sent with this digest; `files` is empty. */
  readonly isKnown?: true;
  /** With `isKnown`, in place of `digest`: the digests of consecutive pages; 64 at most. */
  readonly digests?: readonly string[];
  /** With `digest`: the filesystem's own data to identify the files of the page. */
  readonly parts?: string;
  /**
   * With `known`, when the page has changed: it covers only these ranges, ascending and separate, at
   * most 200. The rest is unchanged since the page was sent with the digest `known`.
   */
  readonly stretches?: readonly PageStretch[];
  readonly known?: string;
}

/** How the page differed from the known state, in media files. */
export interface ReconcileResult {
  readonly added: number;
  readonly changed: number;
  readonly moved: number;
  readonly gone: number;
  readonly unchanged: number;
  /** The number of files in the page, when some were not sent. */
  readonly files?: number;
}

/**
 * An entry of a change feed: the present state of an item, its removal, or that no item of a library
 * links to an entity any longer. Ignore unknown kinds.
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

/** An item for an index. */
export interface IndexedItem {
  readonly id: string;
  readonly libraryId: string;
  /**
   * The partition of the item, an opaque text. Store it with the item, and filter by it alone for
   * `scopes` of `search.query`. It decides who may find the item.
   */
  readonly scope: string;
  readonly title: string;
  /** Its titles in further languages. */
  readonly otherTitles?: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly entities: readonly {
    readonly id: string;
    readonly type: string;
    readonly name: string;
    readonly role: string;
    /**
     * The partition of the entity, by its part in this library; absent = `libraryId`. When present,
     * the item must not be found by the name of the entity.
     */
    readonly scope?: string;
    /** Further words to find it by. */
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
   * All changes after `seq` (0 = everything), oldest first, each item at most once, up to `limit`
   * (500 at most). Continue with the `seq` of the answer; `done` means that there are no more now. To
   * keep an index up to date, call it after each `library.item.*` event; no change is lost. Removals
   * are reported for 90 days; an index that is older must start again from 0.
   */
  readonly changes: (input: { readonly seq: number; readonly limit: number }) => Promise<{
    readonly changes: readonly LibraryChange[];
    readonly seq: number;
    readonly done: boolean;
  }>;
  /**
   * Pages of a root that were sent with a digest and still agree with the library, by their start:
   * those at `after` and later, 2000 at most. With `withParts`, the first 8 of them with their
   * `parts`.
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
   * Applies one page of a scan to the library, in one transaction. Safe to repeat. Rejects with
   * `conflict` when a page or the rest outside its ranges is declared unchanged but the library has
   * another state: send it again with all of its files.
   */
  readonly reconcile: (input: ReconcileInput) => Promise<ReconcileResult>;
}

const id = { type: 'string', minLength: 1, maxLength: 100 } as const;
/** Printable ASCII, so that the order of characters is the order of bytes in every database. */
const uri = {
  type: 'string',
  minLength: 1,
  maxLength: 16_384,
  pattern: '^[\\x21-\\x7e]+$',
} as const;
const place = { anyOf: [uri, { type: 'null' }] } as const;
const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;
const digest = { type: 'string', minLength: 1, maxLength: 200 } as const;
const reading = { permission: { name: 'library', level: 'read' } } as const;
const scanning = {
  permission: { name: 'library', level: 'write' },
  scope: 'whole',
  viewer: 'admin',
} as const;

/** What the server knows of each method. @internal */
export const libraryMethods = {
  get: {
    ...reading,
    scope: 'part',
    viewer: 'part',
    needs: { libraryId: id },
    done: { english: 'looked at a library', german: 'eine Bibliothek angesehen' },
  },
  item: {
    ...reading,
    scope: 'item',
    viewer: 'item',
    needs: { itemId: id },
    raw: true,
    done: { english: 'looked at a title', german: 'einen Titel angesehen' },
  },
  changes: {
    ...reading,
    scope: 'filtered',
    viewer: 'filtered',
    needs: { seq: count, limit: { type: 'integer', minimum: 1, maximum: 500 } },
    raw: true,
    done: {
      english: 'asked what changed in your libraries',
      german: 'nach Änderungen in Ihren Bibliotheken gefragt',
    },
  },
  pages: {
    ...scanning,
    needs: { libraryId: id, root: uri, after: place },
    takes: { withParts: { const: true } },
    done: {
      english: 'read all titles of a library',
      german: 'alle Titel einer Bibliothek gelesen',
    },
  },
  reconcile: {
    ...scanning,
    isElsewhere: true,
    needs: {
      libraryId: id,
      root: uri,
      after: place,
      through: place,
      files: {
        type: 'array',
        maxItems: 1000,
        items: closed(
          { uri, size: count, modifiedAt: { type: 'number' } },
          { type: { enum: ['media', 'auxiliary'] } },
        ),
      },
      unreadable: { type: 'array', maxItems: 10_000, items: uri },
    },
    takes: {
      digest,
      isKnown: { const: true },
      digests: { type: 'array', items: digest, minItems: 1, maxItems: 64 },
      // Part digests in the filesystem's own form.
      parts: { type: 'string', maxLength: 65_536, pattern: '^[\\x20-\\x7e]*$' },
      stretches: { type: 'array', maxItems: 200, items: closed({ after: place, through: place }) },
      known: digest,
    },
    done: {
      english: 'changed what is in a library',
      german: 'den Inhalt einer Bibliothek geändert',
    },
  },
} as const satisfies MethodRecords<LibraryService>;
