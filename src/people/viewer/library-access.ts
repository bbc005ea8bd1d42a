/** A library that a user may see, and up to which rating: `{libraryId, maxRating: 'PG-13'}`. */
export interface LibraryAccess {
  readonly libraryId: string;
  /** `null` = everything in it. */
  readonly maxRating: string | null;
}

/** The same before validation: a missing rating and `null` mean the same. */
export interface WantedLibraryAccess {
  readonly libraryId: string;
  readonly maxRating?: string | null | undefined;
}

/** The stored form. */
export const toLibraryAccess = (wanted: WantedLibraryAccess): LibraryAccess => ({
  libraryId: wanted.libraryId,
  maxRating: wanted.maxRating ?? null,
});
