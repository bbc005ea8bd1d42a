/**
 * Prevents privilege escalation. A profile never shows more than its user may see. What remains to
 * be refused: a list that names a library which the user may not see, and a wider profile made by a
 * user who acts as a restricted one.
 */
import { AppError } from '../../platform/errors.ts';
import { type Limit, maySeeLibrary, type Viewer } from '../viewer/index.ts';
import { isAtMost, parseRatingLimit } from '../ratings/index.ts';
import type { RatingLimit } from '../ratings/index.ts';
import type { LibraryAccess } from '../../contract/resources/accounts/accounts.ts';

/** A user who is not an admin, and the limits of their current profile. */
export interface RestrictedUser {
  readonly viewer: Viewer;
  /** That of the current profile. */
  readonly ownAccess: Limit<LibraryAccess>;
}

/**
 * Rejects with `forbidden` and names the entry that is too wide. Existing entries may stay; `before` is
 * `undefined` for a new profile.
 */
export function assertNoEscalation(
  { viewer, ownAccess }: RestrictedUser,
  before: Limit<LibraryAccess> | undefined,
  after: Limit<LibraryAccess>,
): void {
  if (ownAccess !== null && after === null && before !== null) {
    throw forbidden(
      'libraryAccess must be a list: without one it would show more than your current profile may see.',
    );
  }
  for (const [index, entry] of (after ?? []).entries()) {
    if (before?.some((one) => isSame(one, entry)) === true) continue;
    const library = `library ${JSON.stringify(entry.libraryId.slice(0, 100))}`;
    if (!maySeeLibrary(viewer, entry.libraryId))
      throw forbidden(`libraryAccess.${index}: you may not see ${library}.`);
    if (ownAccess !== null && !isWithin(entry, ownAccess)) {
      throw forbidden(
        `libraryAccess.${index}.maxRating: that would show more of ${library} than your current profile may see.`,
      );
    }
  }
}

const isSame = (one: LibraryAccess, other: LibraryAccess): boolean =>
  one.libraryId === other.libraryId && one.maxRating === other.maxRating;

function isWithin(entry: LibraryAccess, own: readonly LibraryAccess[]): boolean {
  const limits = own.filter(({ libraryId }) => libraryId === entry.libraryId);
  return limits.some(
    ({ maxRating }) => maxRating === null || isRatingAtMost(entry.maxRating, maxRating),
  );
}

function isRatingAtMost(rating: string | null, highest: string): boolean {
  if (rating === null) return false;
  if (rating === highest) return true;
  const [one, other] = [limitOf(rating), limitOf(highest)];
  return one !== null && other !== null && isAtMost(one, other);
}

/** A rating that is no longer known allows nothing. */
function limitOf(text: string): RatingLimit | null {
  try {
    return parseRatingLimit(text);
  } catch {
    return null;
  }
}

const forbidden = (what: string): AppError => new AppError('forbidden', { what });
