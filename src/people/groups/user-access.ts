/**
 * Resolves the stored library access of a user to the visibility that queries filter by. It fails
 * closed: an empty list, a removed library, a group without libraries and an unknown rating give no access.
 */
import type { Transaction } from '../../../kernel/store/index.ts';
import { AppError } from '../../platform/errors.ts';
import { toLibraryAccess, fullVisibility, type Visibility } from '../viewer/index.ts';
import type { CheckUserAccess, UserAccess } from '../accounts/index.ts';
import { parseRatingLimit, ratingIn } from '../ratings/index.ts';
import type { Admission, RatingLimit } from '../ratings/index.ts';
import { findGroups } from './group-store.ts';
import type {
  LibraryAccess,
  WantedLibraryAccess,
} from '../../contract/resources/accounts/accounts.ts';

export interface AccessCheckParts {
  readonly hasLibrary: (id: string) => boolean;
  /** Where a rating is read that several systems have, such as `PG` (ISO 3166-1); null = nowhere. */
  readonly country: string | null;
}

/** The entries as they are stored, before they are checked. */
export const accessIn = (
  country: string | null,
  entries: readonly WantedLibraryAccess[],
): readonly LibraryAccess[] =>
  entries.map(toLibraryAccess).map(({ libraryId, maxRating }) => ({
    libraryId,
    maxRating: maxRating === null ? null : ratingIn(country, maxRating),
  }));

/** The entries, trimmed and without duplicates, or a refusal that names the field. */
export function checkedAccess(
  entries: readonly WantedLibraryAccess[],
  { hasLibrary, country }: AccessCheckParts,
): readonly LibraryAccess[] {
  const byText = new Map<string, LibraryAccess>();
  for (const [index, { libraryId, maxRating }] of accessIn(country, entries).entries()) {
    const field = `libraryAccess.${index}`;
    if (!hasLibrary(libraryId)) {
      throw new AppError('invalid_request', {
        what: `${field}.libraryId: there is no library ${JSON.stringify(libraryId.slice(0, 100))}.`,
      });
    }
    if (maxRating !== null) parseRatingLimit(maxRating, `${field}.maxRating`);
    const entry = { libraryId, maxRating: maxRating?.trim() ?? null };
    byText.set(JSON.stringify([entry.libraryId, entry.maxRating]), entry);
  }
  return [...byText.values()];
}

/** Creates the check of the access of users and invites. */
export const createUserAccessCheck =
  (parts: AccessCheckParts): CheckUserAccess =>
  async (trx, { libraryAccess, groupIds }) => {
    const ids = [...new Set(groupIds)];
    await assertGroups(trx, ids);
    if (libraryAccess === null && ids.length > 0) {
      throw new AppError('invalid_request', {
        what: 'libraryAccess: null shows every library, so groupIds would add nothing; send libraryAccess [] for the libraries of the groups alone.',
      });
    }
    const checked = libraryAccess && checkedAccess(libraryAccess, parts);
    return { libraryAccess: checked, groupIds: ids };
  };

async function assertGroups(trx: Transaction, ids: readonly string[]): Promise<void> {
  const known = new Set((await findGroups(trx, ids)).map(({ id }) => id));
  const index = ids.findIndex((id) => !known.has(id));
  if (index < 0) return;
  throw new AppError('invalid_request', {
    what: `groupIds.${index}: there is no group ${JSON.stringify(ids[index]?.slice(0, 100))}.`,
  });
}

/** The most that a user may see: everything, or their own libraries and those of their groups. */
export function maxVisibilityOf(
  { libraryAccess }: Pick<UserAccess, 'libraryAccess'>,
  groups: readonly { readonly libraryAccess: readonly LibraryAccess[] }[],
): Visibility {
  if (libraryAccess === null) return fullVisibility;
  return visibilityOfAccess([...libraryAccess, ...groups.flatMap((group) => group.libraryAccess)]);
}

/**
 * The visibility of a list of entries. A library that is listed twice shows what either entry
 * shows.
 */
export function visibilityOfAccess(entries: readonly LibraryAccess[]): Visibility {
  const byLibrary = Map.groupBy(entries, ({ libraryId }) => libraryId);
  const libraries = [...byLibrary].map(([id, own]) => [id, admissionOf(own)] as const);
  return { libraries: new Map(libraries), showsHidden: false };
}

function admissionOf(entries: readonly LibraryAccess[]): Admission {
  const ratings = entries.map(({ maxRating }) => maxRating);
  return ratings.includes(null) ? [] : [ratings.flatMap((text) => limitOf(text ?? ''))];
}

function limitOf(text: string): readonly RatingLimit[] {
  try {
    return [parseRatingLimit(text)];
  } catch {
    return [];
  }
}
