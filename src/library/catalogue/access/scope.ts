import type { KnownLibrary } from './known-libraries.ts';

/** A library of which a viewer may see some items. */
export interface ScopedLibrary extends KnownLibrary {
  /** Only items with these certifications are shown; `null` = all items, unrated ones too. */
  readonly certifications: ReadonlySet<string> | null;
  /**
   * About how many of its active items are shown. For choosing a query plan, never for an answer.
   */
  readonly share: { readonly shown: number; readonly total: number } | null;
  /** The languages of titles and summaries, best first, before those that are stored. */
  readonly textLanguages: readonly string[];
}

/** What a viewer may see at one moment. Only `Access` makes scopes. */
export interface Scope {
  readonly libraries: readonly ScopedLibrary[];
  /** Whether hidden entities and collections are shown. */
  readonly showsHidden: boolean;
  /** Whether paths on the server are shown: to admins. */
  readonly showsPaths: boolean;
  /** A column that plugins or files fill freely, as the viewer may see it. */
  readonly readFree: (column: string | null) => Readonly<Record<string, unknown>>;
  /**
   * Whether hidden entities and collections are found by id, so that an admin can show them again.
   */
  readonly findsHidden: boolean;
  /**
   * The languages of names and summaries of entities, best first, before those that are stored: an
   * entity may be in several libraries, so they are those of all.
   */
  readonly entityLanguages: readonly string[];
}

/** The fields of an item that decide who may see it. */
export interface RatedRow {
  readonly library_no: number;
  readonly certification: string | null;
}

/** The library of an item if the item is visible; undefined if not. */
export function libraryShowing(
  { libraries }: Pick<Scope, 'libraries'>,
  { library_no, certification }: RatedRow,
): ScopedLibrary | undefined {
  const library = libraries.find(({ no }) => no === library_no);
  if (library === undefined || library.certifications === null) return library;
  return certification !== null && library.certifications.has(certification) ? library : undefined;
}
