/**
 * A list that limits: it allows what it names and nothing else, so an empty one allows nothing. `null` = no
 * limit. Every such list has this type, so that a list which became empty never opens everything.
 */
import type {
  LibraryAccess,
  WantedLibraryAccess,
} from '../../contract/resources/accounts/accounts.ts';
export type Limit<Entry> = readonly Entry[] | null;

/** The text that the database has for it. */
export const writeLimit = <Entry>(limit: Limit<Entry>): string => JSON.stringify(limit);

/** From a text that was validated before it was written. */
export const readLimit = <Entry>(text: string): Limit<Entry> => JSON.parse(text) as Limit<Entry>;

/** The form that is checked and stored. */
export const toLibraryAccess = (wanted: WantedLibraryAccess): LibraryAccess => ({
  libraryId: wanted.libraryId,
  maxRating: wanted.maxRating ?? null,
});
