/**
 * Nobody widens what they may see. A profile always shows less than its user may see, whatever its
 * list says; so what is left to refuse is that somebody names a library that they may not see, or
 * that somebody who acts as a narrow profile makes a wider one for themselves.
 */
import { AppError } from '../../errors.ts';
import type { LibraryAccess } from '../library-access.ts';
import { isNoHigher, parseRatingLimit } from '../ratings/index.ts';
import type { RatingLimit } from '../sight.ts';
import { maySeeLibrary, type Viewer } from '../viewer.ts';

/** Somebody who is no admin, and as which profile they act. */
export interface Narrower {
  readonly viewer: Viewer;
  /** The list of the profile that they act as; empty = all that their user may see. */
  readonly ownAccess: readonly LibraryAccess[];
}

/** Rejects with `forbidden` and names what is too wide. What was there before may stay. */
export function assertNoWider(
  { viewer, ownAccess }: Narrower,
  before: readonly LibraryAccess[] | null,
  after: readonly LibraryAccess[],
): void {
  const isNarrow = ownAccess.length > 0;
  if (isNarrow && after.length === 0 && before?.length !== 0) {
    throw forbidden(
      'libraryAccess must not be empty: that would show more than the profile as which you act may see.',
    );
  }
  for (const [index, entry] of after.entries()) {
    if (before?.some((one) => isSame(one, entry)) === true) continue;
    const library = `library ${JSON.stringify(entry.libraryId.slice(0, 100))}`;
    if (!maySeeLibrary(viewer, entry.libraryId))
      throw forbidden(`libraryAccess.${index}: ${library} is none that you may see.`);
    if (isNarrow && !isWithin(entry, ownAccess)) {
      throw forbidden(
        `libraryAccess.${index}.maxRating: that would show more of ${library} than the profile as which you act may see.`,
      );
    }
  }
}

const isSame = (one: LibraryAccess, other: LibraryAccess): boolean =>
  one.libraryId === other.libraryId && one.maxRating === other.maxRating;

function isWithin(entry: LibraryAccess, own: readonly LibraryAccess[]): boolean {
  const limits = own.filter(({ libraryId }) => libraryId === entry.libraryId);
  return limits.some(({ maxRating }) => maxRating === null || isAtMost(entry.maxRating, maxRating));
}

function isAtMost(rating: string | null, highest: string): boolean {
  if (rating === null) return false;
  if (rating === highest) return true;
  const [one, other] = [limitOf(rating), limitOf(highest)];
  return one !== null && other !== null && isNoHigher(one, other);
}

/** A rating that was known once and is no more admits nothing. */
function limitOf(text: string): RatingLimit | null {
  try {
    return parseRatingLimit(text);
  } catch {
    return null;
  }
}

const forbidden = (what: string): AppError => new AppError('forbidden', { what });
