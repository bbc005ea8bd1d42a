import type { KnownLibrary } from './known-libraries.ts';

/** A library of whose items a viewer may see some. */
export interface ScopedLibrary extends KnownLibrary {
  /** The only certifications whose items show; `null` = every item, unrated ones too. */
  readonly certifications: ReadonlySet<string> | null;
  /** About how many of its active items show: to choose a way to read by, never an answer. */
  readonly share: { readonly shown: number; readonly total: number } | null;
}

/** What a viewer may see, as of one moment. It is made by `Access` and by nothing else. */
export interface Scope {
  readonly libraries: readonly ScopedLibrary[];
  /** Hidden entities and collections show. */
  readonly showsHidden: boolean;
  /** Where things lie on the server shows: for admins. */
  readonly showsPaths: boolean;
  /** Hidden entities and collections of the server are found by their id, or nobody could show them again. */
  readonly findsHidden: boolean;
}

/** What of an item decides who may see it. */
export interface RatedRow {
  readonly library_no: number;
  readonly certification: string | null;
}

/** The library of an item that may be seen; undefined when it may not. */
export function libraryShowing(
  { libraries }: Pick<Scope, 'libraries'>,
  { library_no, certification }: RatedRow,
): ScopedLibrary | undefined {
  const library = libraries.find(({ no }) => no === library_no);
  if (library === undefined || library.certifications === null) return library;
  return certification !== null && library.certifications.has(certification) ? library : undefined;
}
