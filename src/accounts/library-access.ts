/** A library that somebody may see, and up to which rating: `{libraryId, maxRating: 'PG-13'}`. */
export interface LibraryAccess {
  readonly libraryId: string;
  /** `null` = everything in it. */
  readonly maxRating: string | null;
}

/** The same before it was checked: no rating and `null` mean the same. */
export interface WantedLibraryAccess {
  readonly libraryId: string;
  readonly maxRating?: string | null | undefined;
}

/** As it is kept. */
export const toLibraryAccess = (wanted: WantedLibraryAccess): LibraryAccess => ({
  libraryId: wanted.libraryId,
  maxRating: wanted.maxRating ?? null,
});
