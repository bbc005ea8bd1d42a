/** A library that somebody may see, and up to which rating: `{libraryId, maxRating: 'PG-13'}`. */
export interface LibraryAccess {
  readonly libraryId: string;
  /** `null` = everything in it. */
  readonly maxRating: string | null;
}
