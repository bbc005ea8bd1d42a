/**
 * A list that limits: it allows what it names and nothing else, so an empty one allows nothing. `null` = no
 * limit. Every such list has this type, so that a list which became empty never opens everything.
 */
export type Limit<Entry> = readonly Entry[] | null;

/** The text that the database has for it. */
export const writeLimit = <Entry>(limit: Limit<Entry>): string => JSON.stringify(limit);

/** From a text that was validated before it was written. */
export const readLimit = <Entry>(text: string): Limit<Entry> => JSON.parse(text) as Limit<Entry>;

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

/** The form that is checked and stored. */
export const toLibraryAccess = (wanted: WantedLibraryAccess): LibraryAccess => ({
  libraryId: wanted.libraryId,
  maxRating: wanted.maxRating ?? null,
});
